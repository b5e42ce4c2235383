#!/bin/bash
# A session in a sandbox: the commits of a turn are in the repository when afw
# reports the end of the turn, so that a script can merge them at once.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/turn.sh"
afw_env
needs_landlock
make_repo "$T/repo" README
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new x --sandbox landlock -- bash -c "$turn_agent"
waits_for 'afw wait x --for idle -t 10s' 'it has nothing to do yet'
is "$(state_of x turn_at)" null 'and has had no turn'
turns_are_home x 20
is "$(afw status x --json | grep -o '"degraded":\[[^]]*\]' | grep import)" '' \
	'it is not reported'

# What cannot be imported does not hold the end back for ever.
own=$(session_dir x)/git
run afw send x -- broken
afw wait x --for working -t 240s >"$T/waited" 2>&1
printf %040d 7 >"$own/refs/heads/af/x"
touch "$T/.af_worktrees/repo-x/go"
exit_is 0 'a turn whose branch leads nowhere ends' afw wait x --for completed -t 240s
waits_for 'afw status x | grep -q "import its commits"' \
	'and the session is degraded'
done_testing
