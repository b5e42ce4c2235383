#!/bin/bash
# An error, or SIGKILL, at every call of an undo that changes a file: after an
# error everything is as it was; after a kill no file is in neither state, and
# the next run puts all of them back, and undoes, even if that was killed, too.
#
# Beside other tests all of them take long: `make check-all` tries every third.
# AF_TEST_EVERY=2 tries more.
[ "${AF_TEST_EVERY-}" != 1 ] || export AF_TEST_EVERY=3
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
afw_env
kill_world README changed file gone dir/in dir/out sub/deep/gone

# ask OP MEMBERS: as afw would, for the session one.
cat >"$T/ask" <<'END'
[ -e "$T/members" ] ||
	for i in repository worktree worktree_id base_commit branch; do
		value=$(cat "$DATA"/sessions/*/spec.json |
			"$BUILD/tests/tools/jsonget" "$i")
		printf ',"%s":"%s"' "$i" "$value"
	done >"$T/members"
answer=$("$BUILD/afw-worktree" <<<"{\"op\":\"$1\",\"keep\":1000$(<"$T/members")${2-}}") && exit
code=$?
echo "afw: $code ${answer##*$'\n'}" >&2
exit $code
END
ask="bash \"\$T/../ask\""
# Two states: 1 and 2.
cat >"$T/change" <<'END'
cd "$1" || exit
echo more >>changed
chmod +x README
git rm -q gone sub/deep/gone
git rm -qr dir
echo 'a file' >dir
git add -A
git commit -qm kinds
git rm -q file
mkdir -p file new/deep empty/dir
echo 'in a directory' >file/in
echo new >new/deep/file
git add new
ln -s README link
END
state()
{
	(
		cd "$W/repo-one" || exit
		git rev-parse HEAD
		git ls-files -s
		find . -name .git -prune -o -name own.ign -prune -o \
			-printf '%p %y %m %l\n' -type f -exec sha1sum {} + | sort
	) 2>&1
}
is_state() { [ "$(state)" = "$(<"$T/$1")" ]; }
export DATA
export -f state is_state
new="rm -f \"\$T/members\"; afw new one --no-start -- cat &&
	cd \"\$W/repo-one\" && echo own >own.ign &&
	echo '*.ign' >>\"\$R/repo/.git/info/exclude\" && cd \"\$R/repo\" &&
	$ask checkpoint && state >\"\$T/1\" && bash \"\$T/../change\" \"\$W/repo-one\" &&
	$ask checkpoint && state >\"\$T/2\""
back="$ask undo ',\"to\":2' && is_state 2"
undo="$ask undo ',\"to\":1'"

# Each path is as in one of the two states, or is a directory.
kept()
{
	[ "$(<"$W/repo-one/own.ign")" = own ] || echo 'an ignored file'
	state | grep -E '^([0-9a-f]{40}  )?\./' | grep -vE '^\./.* d ' |
		grep -vxF -f "$T/1" -f "$T/2"
}
failed()
{
	grep -q 'tries it again' "$T/.cmd" || is_state 2 ||
		echo "it is not as it was: $(state | diff "$T/2" -)"
}
for fault in '' '-e EIO' '-e ENOSPC' '-e EACCES' '-e EIO -a'; do
	[ -z "$fault" ] || sampled || continue
	FAULT=$fault
	kill_each afw-worktree "$undo" 'is_state 1' "$back" "$new"
done

# One that was killed half-way, and then the run that puts everything back.
cat >"$T/half" <<'END'
"$BUILD/tests/tools/fault_at" -x afw-worktree -n 64 -o "$T/.half" -r "$R" -- \
	bash "$T/../ask" undo ',"to":1' >/dev/null 2>&1
find "$R/repo/.git" -name '*.lock' -delete
# If files of an earlier run are in its way, it was killed before the first one.
[ -e "$R/repo/.git/worktrees/repo-one/afw-undo" ] || is_state 2
END
half='bash "$T/../half"'
for fault in '' '-e EIO'; do
	FAULT=$fault
	kill_each afw-worktree "$ask checkpoint ',\"kind\":\"stop\"'" 'is_state 2' \
		"$back && $half" "$new && $half"
done
done_testing
