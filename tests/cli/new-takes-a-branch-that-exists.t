#!/bin/bash
# new --branch: an existing branch is checked out, by one session only, and
# never deleted, whatever fails or is removed.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
git branch feature/login
git commit -q --allow-empty -m second
W=$T/.af_worktrees
tip=$(git rev-parse feature/login)
there() { [ "$(git rev-parse feature/login 2>&1)" = "$tip" ]; }

refused 1 'no branch "feature/logon".*did you mean feature/login' \
	'a missing one' afw new one --branch feature/logon -- cat
refused 1 'no branch "main~1"' 'a commit is no branch' \
	afw new one --branch main~1 -- cat
refused 4 'feature/login exists already' 'a base makes a new one' \
	afw new one --branch feature/login -b main -- cat
exit_is 0 'with a base' afw new named --branch feature/new -b main -- cat
is "$(git -C "$W/repo-named" branch --show-current)" feature/new \
	'it is made under that name'
exit_is 0 'rm' afw rm --stop named
is "$(git branch --list 'feature/new' 'af/*')" '' 'and goes with its session'
refused 4 'main is checked out elsewhere.*-b main' 'a branch in use' \
	afw new one --branch main -- cat
exit_is 0 'a free branch' afw new one --branch feature/login -- cat
like "$out" 'on branch feature/login' 'says so'
is "$(git -C "$W/repo-one" status -sb)" '## feature/login' 'it is checked out'
is "$(git -C "$W/repo-one" rev-parse HEAD)" "$tip" 'where it was'
is "$(git branch --list 'af/*')" '' 'no other one was made'
refused 4 'checked out elsewhere' 'not twice' \
	afw new two --branch feature/login -- cat
ok_cmd 'it is still there' there
is "$(ls "$W")" repo-one 'and nothing of the other'

git -C "$W/repo-one" commit -q --allow-empty -m work
waits_for '[ "$(state_of one ahead)" = 1 ]' 'commits on it are counted'
tip=$(git rev-parse feature/login)
exit_is 0 'rm' afw rm --stop -D one
like "$out" 'branch feature/login stays: afw did not make it' 'leaves it'
ok_cmd 'with its commits' there
exit_is 0 'and free' afw new one --branch feature/login -- cat
exit_is 0 'rm' afw rm --stop --trash one
exit_is 0 'restore' afw trash restore one
is "$(git -C "$W/repo-one" branch --show-current)" feature/login \
	'checks it out again'
exit_is 0 'rm' afw rm --trash one
exit_is 0 'purge' afw trash purge --yes
ok_cmd 'it outlives the purge' there

# Only the remote has it.
git init -q --bare "$T/remote.git"
git remote add origin "$T/remote.git"
git push -q origin main:theirs main:both
git remote add other "$T/remote.git"
git fetch -q origin && git fetch -q other both
git update-ref refs/remotes/other/both main
exit_is 0 'a branch that only a remote has, as git worktree add takes it' \
	afw new one --branch theirs --no-start -- cat
is "$(git -C "$W/repo-one" status -sb)" '## theirs...origin/theirs' 'it follows that one'
refused 1 'no branch "both"' 'not if several remotes have it' \
	afw new two --branch both --no-start -- cat
git config checkout.defaultRemote other
exit_is 0 'unless checkout.defaultRemote names one' \
	afw new two --branch both --no-start -- cat
is "$(git -C "$W/repo-two" status -sb)" '## both...other/both' 'that one'
exit_is 0 'rm' afw rm one two
for remote in origin other; do git remote remove $remote; done

mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'setup = false' >"$XDG_CONFIG_HOME/afw/afw.ini"
git branch -f feature/login main && tip=$(git rev-parse main)
refused 1 'setup' 'a setup that fails' afw new one --branch feature/login -- cat
ok_cmd 'takes it not along, merged as it is' there
rm "$XDG_CONFIG_HOME/afw/afw.ini"
refused 1 'no-such-program' 'and neither does a missing agent' \
	afw new one --branch feature/login -- no-such-program
ok_cmd 'it is there' there
for i in 1 2 3 4; do
	(afw new "at-once-$i" --branch feature/login -- cat \
		>"$T/at-once.$i" 2>&1; echo $? >"$T/code.$i") &
done
wait
like "$(sort "$T"/code.* | tr '\n' ' ')" '^(0 )?(4 ){3,4}$' \
	'of several at once at most one has it' || diag "$(cat "$T"/at-once.*)"
ok "$(($(git worktree list | grep -c 'feature/login') > 1))" 'and git says so'
names=$(afw ls -q)
# shellcheck disable=SC2086
[ -z "$names" ] || afw rm --stop $names >"$T/null"
exit_is 0 'all is as it is recorded' afw reconcile
ok_cmd 'it is still there' there
done_testing
