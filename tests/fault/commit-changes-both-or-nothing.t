#!/bin/bash
# afw commit when a write fails: the index and the branch are both old or both
# new, what was staged stays staged, and the next try works.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'they do not go with ptrace'
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
W=$T/.af_worktrees/repo-one
fault=$BUILD/tests/tools/fault_at
"$fault" -x true -r "$T" -- true 2>/dev/null || skip_all 'ptrace is not allowed'

exit_is 0 'a session' afw new one --no-start -- cat
echo staged >"$W/file"
git -C "$W" add file
echo later >"$W/file"
head=$(git rev-parse af/one)
staged=$(git -C "$W" ls-files -s)

tried=0 failed=0
for ((n = 1; n < 200; n++)); do
	run "$fault" -x afw-worktree -e EIO -n $n -o "$T/report" \
		-r "$T/repo/.git" -- afw commit one -m work
	grep -q failed "$T/report" || break
	tried=$((tried + 1))
	now=$(git rev-parse af/one) index=$(git -C "$W" ls-files -s)
	if [ "$now" = "$head" ]; then
		failed=$((failed + 1))
		[ "$code" != 0 ] || fail "call $n: exit 0, but no commit"
		[ "$index" = "$staged" ] ||
			fail "call $n: the branch is old, the index is new"
		[ ! -e .git/worktrees/repo-one/index.lock ] ||
			fail "call $n: a lock is left"
		[[ $err != *'another git'* ]] || fail "call $n: $err"
	else
		# Its removal may be what failed.
		rm -f .git/worktrees/repo-one/index.lock
		is "$(git -C "$W" status --porcelain)" '' "call $n: both are new"
	fi
	git -C "$W" reset -q --soft "$head"
	git -C "$W" read-tree "$head"
	echo staged >"$W/file"
	git -C "$W" add file
	echo later >"$W/file"
done
ok_cmd "errors were tried ($tried, $failed without a commit)" \
	test "$failed" -gt 8
is "$code" 0 'without an error it works'
is "$(git show af/one:file)" later 'and has the file'
is "$(git fsck --strict 2>&1 | grep -v dangling)" '' 'the repository is whole'
is "$(find .git -name '*.lock' -o -name 'afw-commit*')" '' 'no file is left'
done_testing
