#!/bin/bash
# afw new --with-changes: the session begins with the uncommitted changes here;
# the worktree and the index here stay as they are.
. "$(dirname "$0")/../lib.sh"
afw_env

mkdir "$T/repo"
cd "$T/repo" || exit 2
git init -q -b main
mkdir d
echo one >same
echo one >changed
echo one >staged
echo one >deleted
echo one >d/file
echo one >'odd [a]*'
ln -s same link
printf '*.log\n' >.gitignore
git add -A
git commit -q -m first
echo two >changed
echo two >staged
git add staged
echo three >>staged
rm deleted
git rm -q -r d
echo 'a file' >d
echo two >'odd [a]*'
ln -sf changed link
chmod +x same
mkdir -p new/deep
printf 'a\0b' >new/deep/file
echo no >ignored.log
there=$T/.af_worktrees/repo-one
before=$(git status --porcelain; git diff; git diff --cached)
exit_is 0 'new --with-changes' afw new one --with-changes -- cat
is "$(git status --porcelain; git diff; git diff --cached)" "$before" \
	'the index and the worktree here stay'
is "$(git for-each-ref --format='%(refname)' | tr '\n' ' ')" \
	'refs/heads/af/one refs/heads/main ' 'no other reference is made'
is "$(cd "$there" && git add -A && git write-tree)" \
	"$(GIT_INDEX_FILE=$T/i git add -A && GIT_INDEX_FILE=$T/i git write-tree)" \
	'the files there are those of here'
is "$(git -C "$there" log -1 --format=%s)" first 'and are uncommitted'
ok_cmd 'ignored files are not taken' test ! -e "$there/ignored.log"
mkdir "$T/tmp"
TMPDIR=$T/tmp afw new spare --with-changes --no-start -a demo >"$T/log" 2>&1
is "$(ls "$T/tmp")" '' 'no index is left'
like "$(afw checkpoints one)" 'with changes' 'a checkpoint has them'

# A session that cannot be made leaves nothing, and loses nothing.
mkdir -p "$T/config/afw"
echo 'setup = false' >"$T/config/afw/afw.ini"
exit_is 1 'a setup that fails' afw new two --with-changes -- cat
rm "$T/config/afw/afw.ini"
ok_cmd 'leaves no worktree' test ! -e "$T/.af_worktrees/repo-two"
exit_is 1 'an agent that cannot start' afw new two --with-changes -- "$T/none"
ok_cmd 'leaves none either' test ! -e "$T/.af_worktrees/repo-two"
is "$(git for-each-ref --format='%(refname)' refs/heads | tr '\n' ' ')" \
	'refs/heads/af/one refs/heads/af/spare refs/heads/main ' 'and no branch'
exit_is 0 'a setup' afw new two --with-changes -o 'setup=cp changed seen' -- cat
is "$(cat "$T/.af_worktrees/repo-two/seen")" two 'sees the changes'

git branch other "$(git commit-tree -m other 'main^{tree}')"
refused 4 'changes of another commit than other' 'another base' \
	afw new three --with-changes -b other -- cat
exit_is 0 'the same base by its name' afw new three --with-changes -b main --no-start -a demo
refused 2 'cannot be combined' 'with --from' afw new four --from one --with-changes
exit_is 0 'a dry run' afw new four --with-changes -n -- cat
refused 2 'commit' 'a value that is not an id' afw new four --with-changes=main -- cat
cd "$there" || exit 2
refused 9 "a session's worktree" 'the worktree of a session' \
	afw new four --with-changes -- cat
cd "$T/repo" || exit 2
git stash -q -u
exit_is 0 'a clean worktree' afw new four --with-changes -- cat
like "$err" 'nothing is changed here' 'is said'
git checkout -q -b side
echo side >changed
git commit -q -a -m side
git checkout -q main
echo main >changed
git commit -q -a -m main
git merge -q side >"$T/log" 2>&1
refused 4 'conflicts that are not resolved' 'amid a merge' \
	afw new five --with-changes -- cat
git merge --abort
git sparse-checkout set --no-cone '/*' '!/odd*' 2>"$T/null"
echo sparse >new-file
exit_is 0 'a sparse worktree' afw new five --with-changes -- cat
is "$(git -C "$T/.af_worktrees/repo-five" status --porcelain)" '?? new-file' \
	'stays sparse'
done_testing
