#!/bin/bash
# status: everything about one session, live and from the files alone.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
exit_is 0 'a session' afw new one -- sh -c 'echo hello; cat'
waits_for 5 'afw capture one | grep -q hello' 'it prints'
exit_is 0 'status' afw status one
like "$out" '^one: running' 'phase first'
like "$out" 'because ' 'why it is believed'
like "$out" 'worktree +'"$T/.af_worktrees/repo-one" 'worktree'
like "$out" 'branch +af/one, from main' 'branch and base'
like "$out" 'pid +[0-9]+' 'pid'
like "$out" 'supervisor +pid [0-9]+' 'supervisor'
exit_is 0 '--explain' afw status one --explain
like "$out" 'believed +process' 'the signals are listed'
exit_is 0 '--json' afw status one --json
is "$(json name)" one 'name'
isnt "$(json signals.0.source)" "" "signals"
is "$(json directory)" "$(session_dir one)" 'directory'
dir=$(session_dir one)
pid=$(json supervisor_pid)
kill -KILL "$pid"
waits_for 5 'afw status one | grep -q lost' 'a killed supervisor: lost'
exit_is 0 'status of it' afw status one
like "$out" 'why +lost: ' 'in words'
like "$out" 'supervisor +none' 'no supervisor'
is "$(afw status one --json | "$BUILD/tests/tools/jsonget" phase)" error \
	'phase error'
refused 6 'not running.*afw resume one' 'interrupt says what helps' \
	afw interrupt one
refused 6 'not running' 'send too' afw send one hello
exit_is 0 'it can be removed' afw rm one
[ ! -e "$dir" ] && [ ! -e "$T/.af_worktrees/repo-one" ]
ok $? 'with all that it had'
done_testing
