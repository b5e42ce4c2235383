#!/bin/bash
# rm and trash restore when a file of git cannot be written: nothing is lost,
# nothing is reported as restored that is not, and the next try works.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'they do not go with ptrace'
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
W=$T/.af_worktrees/repo-one
fault=$BUILD/tests/tools/fault_at
"$fault" -x true -r "$T" -- true 2>/dev/null || skip_all 'ptrace is not allowed'

exit_is 0 'a session' afw new one -- cat
exit_is 0 'is stopped' afw stop one
echo work >"$W/work"
git -C "$W" commit -q --allow-empty -m 'on the branch'
head=$(git -C "$W" rev-parse HEAD)

# is_whole NAME: its worktree is as it was.
is_whole()
{
	is "$(git -C "$W" status --porcelain) $(git -C "$W" rev-parse HEAD) \
$(git -C "$W" branch --show-current)" "?? work $head af/one" "$1"
}

tried=0
for op in 'rm one' 'trash restore one'; do
	for ((n = 1; ; n++)); do
		run "$fault" -x afw-worktree -e EIO -n $n -o "$T/report" \
			-r "$T/.af_worktrees" -r .git/worktrees -- afw $op
		grep -q ' failed\|^failed' "$T/report" || break
		tried=$((tried + 1))
		if [ "$code" = 0 ] && [ "$op" != 'rm one' ]; then
			git -C "$W" status >/dev/null 2>&1 ||
				fail "$op, call $n: restored, but git cannot read it"
		fi
		# On from where it was left, and back again.
		if [ -e "$W" ]; then
			afw rm one >/dev/null 2>&1
		fi
		exit_is 0 "$op, EIO at call $n: restore" afw trash restore one
		is_whole 'all of it is there'
		[ "$op" = 'rm one' ] || afw rm one >/dev/null
	done
	[ "$op" != 'rm one' ] || [ ! -e "$W" ] || afw rm one >/dev/null
done
ok_cmd "errors were tried ($tried)" test "$tried" -gt 8
[ -e "$W" ] || exit_is 0 'restore' afw trash restore one
is_whole 'in the end'

echo 'gitdir: /nowhere' >"$W/.git"
exit_is 0 'reconcile' afw reconcile
like "$out$err" "the .git file of $W does not name" 'finds a wrong .git file'
hint=$(grep -o 'git -C .* worktree repair' <<<"$out$err" | head -n 1)
exit_is 0 'its hint' bash -c "$hint"
is_whole 'repairs it'
done_testing
