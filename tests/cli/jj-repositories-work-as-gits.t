#!/bin/bash
# A repository of jj that is colocated with git's is one of git's; without a .git
# it is refused, and so is everything that git would take for another one.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
# As `jj git init --colocate` leaves it: no branch at HEAD, refs of its own.
mkdir -p .jj/repo/store .jj/working_copy
echo '/*' >.jj/.gitignore
echo git >.jj/repo/store/type
git checkout -q --detach && git update-ref refs/jj/keep/one HEAD
before=$(find .jj | sort; git for-each-ref refs/jj)

exit_is 0 'new' afw new one -a demo -m '[[lines 1]]'
nok_cmd 'its worktree has nothing of jj' test -e ../.af_worktrees/repo-one/.jj
echo work >../.af_worktrees/repo-one/work
exit_is 0 'commit' afw commit one -m work
like "$(afw diff one)" 'work' 'diff'
refused 1 'it was made from the commit [0-9a-f]*, not from a branch' \
	'HEAD has no branch to merge into' afw merge one
exit_is 0 'merge into one that is named' afw merge one --into main
is "$(git log -1 --format=%s main)" work 'has the commit'
exit_is 0 'new from a branch' afw new two --no-start -b main -- cat
is "$(state_of two base)" main 'which it can be merged into'
exit_is 0 'rm' afw rm --stop one two
is "$(find .jj | sort; git for-each-ref refs/jj)" "$before" 'nothing of jj was changed'

mkdir -p "$T/alone/.jj/repo" "$T/alone/sub" "$T/repo/inside/.jj"
for dir in alone alone/sub repo/inside; do
	cd "$T/$dir" || exit 2
	refused 1 "new 'x': $T/${dir%/sub} is a jj repository without a .git" \
		"$dir" afw new x -a demo
	like "$err" 'hint: `jj git colocation enable` makes one there' 'says what makes it one'
done
cd "$T/repo" && exit_is 0 'GIT_DIR decides' env -C "$T/alone" \
	GIT_DIR="$T/repo/.git" "$BUILD/afw" new x --no-start -- cat
cd "$T" || exit 2
refused 1 'this is not in a git repository' 'neither' afw new x -a demo
done_testing
