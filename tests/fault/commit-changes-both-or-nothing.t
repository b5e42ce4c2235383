#!/bin/bash
# afw commit when a write of afw-worktree fails, before git's commit or after it:
# the index and the branch are both old or both new, staged files stay staged,
# and the next try works. If a file or a directory cannot be read, nothing is
# left out silently.
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

# `make check` tries every third call.
every=${AF_TEST_EVERY:-3}
first=$((${AF_TEST_SEED:-0} % every + 1))
tried=0 failed=0
for ((n = first; n < 200; n += every)); do
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
	test $((failed * every)) -gt 2
is "$code" 0 'without an error it works'
is "$(git show af/one:file)" later 'and has the file'
is "$(git fsck --strict 2>&1 | grep -v dangling)" '' 'the repository is whole'
is "$(find .git -name '*.lock' -o -name 'afw-commit*')" '' 'no file is left'

mkdir -p "$W/old/deep"
echo 1 | tee "$W/old/file" "$W/old/deep/file" >"$T/null"
git -C "$W" add old && git -C "$W" commit -qm old
head=$(git rev-parse af/one)
mkdir -p "$W/new/deep"
echo new | tee "$W/old/deep/file" "$W/new/file" "$W/new/deep/file" >"$T/null"
tried=0 whole=0
for ((n = first; n < 300; n += every)); do
	run "$fault" -x afw-worktree -e EIO -a -c openat -n $n -o "$T/report" \
		-r "$W" -- afw commit one -m work
	grep -q failed "$T/report" || break
	tried=$((tried + 1))
	at=$(grep "^$n " "$T/report")
	if [ "$code" = 0 ]; then
		whole=$((whole + 1))
		is "$(git -C "$W" status --porcelain)" '' "$at: all is in the commit"
	else
		[[ $err == *'Input/output error'* ]] || fail "$at: $err"
	fi
	git -C "$W" reset -q "$head"
done
ok_cmd "all that is opened was tried ($tried, $whole with a commit)" \
	test $((tried * every)) -gt 15
run "$fault" -x afw-worktree -e EACCES -a -c openat -n 1 -s -r "$W/new/deep" -- \
	afw commit one -m work
like "$code $err" '^1 .*open directory .*/new/deep: Permission denied.*hint: .*gitignore' \
	'a directory that may not be read is named'

# In a sandbox, the next commit removes the locks of one that was killed, unless
# that was killed before it could record them: then its hint does.
ask() { echo "{\"op\":\"$1\",$members${2-}}" >"$T/ask" && "$BUILD/afw-worktree" <"$T/ask"; }
members="\"path\":\"$PWD\",\"name\":\"two\""
answer=$(ask create | tail -1)
members=
for i in repository worktree worktree_id base_commit branch; do
	members+="\"$i\":\"$(json "$i" /dev/stdin <<<"$answer")\","
done
members+="\"private\":\"$T/p\""
W=$T/.af_worktrees/repo-two
exit_is 0 'a git directory of its own' ask private
cp "$T/p.file" "$W/.git"
ssh-keygen -q -t ed25519 -N '' -f "$T/key"; git config --global gpg.format ssh
git_there() { git --git-dir="$T/p" --work-tree="$W" "$@"; }
killed=0 hints=0
for ((n = 1; n < 100; n++)); do
	head=$(git rev-parse af/two)
	echo "$n" >"$W/work"
	git_there add work && git_there commit -qm "work $n"
	echo "{\"op\":\"commit\",$members,\"head\":\"$head\",\"sign\":true,\"sign_key\":\"$T/key\"}" >"$T/ask"
	"$fault" -x afw-worktree -n $n -o "$T/report" -r "$T/p" -- \
		"$BUILD/afw-worktree" <"$T/ask" >"$T/answer" 2>&1
	grep -q killed "$T/report" || break
	killed=$((killed + 1))
	echo again >"$W/work"
	run ask commit
	if [ "$code" = 4 ]; then
		hints=$((hints + 1))
		like "$out" "remove the stale lock: \`rm '$T/p/index.lock'\`" 'a stale lock'
		rm "$T/p/index.lock"
		run ask commit
	fi
	is "$code" 0 "killed at call $n, the next works" || diag "$out"
	is "$(git show af/two:work) $(git rev-parse af/two~1) $(find "$T/p" -name '*.lock')" "$n $head " \
		'the commit is there, and no lock'
	is "$(git rev-parse af/two)" "$(git_there rev-parse af/two)" 'at home and in the sandbox'
done
ok_cmd "kills were tried ($killed, $hints with a hint)" \
	test $((killed - hints)) -ge 4
like "$(git cat-file -p af/two)" 'gpgsig -----BEGIN SSH' 'without a kill it is signed'
is "$(git_there status --short)" '' 'and all is committed'
done_testing
