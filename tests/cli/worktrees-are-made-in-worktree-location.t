#!/bin/bash
# worktree_location: worktrees are made in another place than beside the
# repository, and everything works there.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$HOME/real"
ln -s real "$HOME/there"
exit_is 0 'set' afw config set worktree_location '~/there'
exit_is 0 'new' afw new one -- sh -c 'echo work >file; cat'
tree=$HOME/real/.af_worktrees/repo-one
is "$(state_of one worktree)" "$tree" 'is there, by its real name'
waits_for '[ -s "$tree/file" ]' 'its agent works there'
exit_is 0 'unset' afw config unset worktree_location
exit_is 0 'one beside the repository' afw new two -- cat
ok_cmd 'is there' test -e "$T/.af_worktrees/repo-two/README"
exit_is 0 'the first stays where it is' afw diff one
like "$out" '\+work' 'with its work'
mkdir "$HOME/real/.af_worktrees/nobodys"
exit_is 0 'reconcile' afw reconcile
like "$out" 'no session has the worktree .*/nobodys' 'looks there, too'
unlike "$out" 'repo-one|repo-two' 'and none is missing'
exit_is 0 'rm' afw rm --stop one
nok_cmd 'takes it away' test -e "$tree"
exit_is 0 'restore' afw trash restore one
is "$(<"$tree/file")" work 'brings it back'
exit_is 0 'rm' afw rm one
exit_is 0 'purge' afw trash purge -y one
is "$(git worktree list --porcelain | grep -c ^worktree)" 2 'purge leaves nothing'
exit_is 0 'a place that does not exist' \
	afw config set worktree_location "$HOME/there/a/b"
exit_is 0 'is made' afw new x -- cat
is "$(state_of x worktree)" "$HOME/real/a/b/.af_worktrees/repo-x" \
	'and has the worktree'
exit_is 0 'rm' afw rm --stop x
exit_is 0 'a place that cannot be made' \
	afw config set worktree_location "$T/repo/README/no"
refused 1 "make directory $T/repo/README/no/.af_worktrees: Not a directory" \
	'is reported' afw new y -- cat
is "$(git branch --list af/y)" '' 'and leaves nothing'
refused 1 'begins with / or ~/' 'a value that is not a path is refused' \
	afw config set worktree_location ..
done_testing
