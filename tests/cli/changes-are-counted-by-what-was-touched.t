#!/bin/bash
# A count looks at the files that were touched since the last one: the numbers
# are as if it had looked at all of them.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p sub/deep && echo a >sub/deep/a && echo b >sub/b && echo c >c
git add . && git commit -qm all
exit_is 0 'a session' afw new one -- cat
cd "$(json worktree "$(session_dir one)/spec.json")" || exit 2
# counted UNCOMMITTED UNTRACKED CHANGED AHEAD
counted()
{
	[ "$(for what in uncommitted untracked files_changed ahead; do
		state_of one $what
	done | xargs)" = "$*" ]
}
waits_for 'counted 0 0 0 0' 'nothing is changed'
echo more >>c
waits_for 'counted 1 0 1 0' 'a file'
mkdir -p new/in && echo x >new/in/x && echo y >new/y
waits_for 'counted 3 2 3 0' 'a directory'
echo y >>new/in/x
mv sub/deep sub/moved
waits_for 'counted 5 3 5 0' 'a directory that was moved'
echo more >>sub/moved/a
echo 'new/' >.gitignore
waits_for 'counted 4 2 4 0' 'what git ignores from now on'
git checkout -q c
waits_for 'counted 3 2 3 0' 'a file that is as it was'
git add sub && git commit -qm moved
waits_for 'counted 1 1 3 1' 'a commit'
git reset -q --soft HEAD~1
waits_for 'counted 3 1 3 0' 'a commit that was undone'
rm -r sub
waits_for 'counted 4 1 3 0' 'a directory that is gone'
git reset -q --hard
rm -rf .gitignore
waits_for 'counted 2 2 2 0' 'and all is as it was, but what was ignored'
done_testing
