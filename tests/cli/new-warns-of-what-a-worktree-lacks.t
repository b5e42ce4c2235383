#!/bin/bash
# A link that leads back into the main worktree, and what setup has not made:
# submodules, and files of git LFS.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow \
	GIT_CONFIG_VALUE_0=always

# -- a workspace of npm ----------------------------------------------------------
mkdir -p packages/a packages/b node_modules/@org node_modules/left/.bin
echo 'module.exports = 1' >packages/a/index.js
ln -s ../packages/a node_modules/a
ln -s left/.bin/x node_modules/x
printf '%s\n' /node_modules >.gitignore
git add . && git commit -qm packages

exit_is 0 'new with a linked directory' \
	afw new linked --no-start -o link=node_modules -- cat
like "$err" \
	"the linked node_modules leads back into the main worktree \($T/repo/node_modules/a\)" \
	'says that it leads back, and where'
like "$err" 'copy = node_modules copies it instead' 'and what to do'
exit_is 0 'new with a copy' afw new copied --no-start -o copy=node_modules -- cat
unlike "$err" 'leads back' 'has nothing to say'
is "$(cd ../.af_worktrees/repo-copied/node_modules/a && pwd -P)" \
	"$T/.af_worktrees/repo-copied/packages/a" \
	"what is run there is the worktree's own"
# The test of a package, which another package of the workspace breaks.
# "it passes" in the wrong tree, with what is in the main worktree.
check='grep -q "exports = 1" node_modules/a/index.js'
for name in linked copied; do
	echo 'module.exports = 2' >../.af_worktrees/repo-$name/packages/a/index.js
done
exit_is 0 'with a link a test runs what is in the main worktree' \
	afw exec linked -- sh -c "$check"
exit_is 1 'with a copy it runs what the agent has written' \
	afw exec copied -- sh -c "$check"
afw exec copied -- sh -c 'echo installed >node_modules/left/new'
nok_cmd 'and what one installs, no other one has' test -e node_modules/left/new
mv node_modules/a node_modules/@org/
ln -sfn ../../packages/a node_modules/@org/a
exit_is 0 'new' afw new scoped --no-start -o link=node_modules -- cat
like "$err" 'node_modules/@org/a\)' 'a scope, too'
rm node_modules/@org/a
exit_is 0 'new' afw new plain --no-start -o link=node_modules -- cat
unlike "$err" 'leads back' 'a directory without such links is linked in silence'

# -- submodules and LFS, before and after setup -----------------------------------
make_repo "$T/part"
git submodule --quiet add "$T/part" part
git submodule --quiet add "$T/part" other
pointer()
{
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 9\n' \
		"$1"
}
pointer 1 >one.bin
pointer 2 >two.bin
echo '*.bin filter=lfs' >.gitattributes
git add . && git commit -qm parts
rm -rf .git/modules # the worktree has none of its own

exit_is 0 'new without setup' afw new bare --no-start -- cat
like "$err" '2 files of git LFS left as pointers; run `git lfs pull` there' \
	'says what it lacks: pointers'
like "$err" '2 submodules left empty, because the main worktree does not have them \(other, part\); run `git submodule update --init --recursive` there' \
	'and submodules'

exit_is 0 'new with a setup that makes all of it' \
	afw new whole --no-start \
	-o 'setup=sh -c "git submodule update -q --init; echo 1 >one.bin; echo 2 >two.bin"' \
	-- cat
unlike "$err" 'submodule|LFS' 'has nothing to say'
exit_is 0 'new with a setup that makes half of it' \
	afw new half --no-start \
	-o 'setup=sh -c "git submodule update -q --init part; echo 1 >one.bin"' \
	-- cat
like "$err" '1 file of git LFS left as pointers' 'says what is still missing'
like "$err" '1 submodule left empty, .* \(other\)' 'of each kind'
done_testing
