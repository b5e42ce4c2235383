#!/bin/bash
# An agent that has reported "blocked" waits for input at the end of its turn,
# until it gets an answer; a queued message may be the answer.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
. "$ROOT/tests/cli/bridge.sh"
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'bridge = yes' >"$XDG_CONFIG_HOME/afw/afw.ini"
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
exit_is 0 'an agent' afw new one -a demo
mkfifo "$T/in" "$T/out"
AF_DOOR=$(session_dir one)/home/door "$BUILD/afw-supervisor" mcp \
	<"$T/in" >"$T/out" &
exec {to}<>"$T/in" {from}<>"$T/out"
_id=0

exit_is 0 'a long turn' afw send one "[[until $T/go]]"
waits_for '[ "$(state_of one activity)" = working ]' 'it works'
use af_subtask_state '{"state":"blocked","detail":"which port?"}'
waits_for '[ "$(state_of one subtask)" = blocked ]' 'and is blocked'
is "$(state_of one activity)" working 'which is nothing before its turn is over'
exit_is 0 'the answer' afw send one '[[lines 1]]'
like "$out" queued 'is queued'
touch "$T/go"
waits_for '[ "$(state_of one activity)" = completed ] &&
	grep -q lines "$T/log"' 'and goes in'
waits_for '[ "$(state_of one subtask)" = null ]' 'it is blocked no more'
unlike "$(afw events one --json)" '"activity":"waiting_for_input"' \
	'it is not reported as waiting'

use af_subtask_state '{"state":"blocked","detail":"which host?"}'
waits_for '[ "$(state_of one activity)" = waiting_for_input ]' \
	'with nothing in the queue it waits'
exit_is 0 'the client that answers gets its turn' afw send one --wait '[[lines 2]]'
waits_for '[ "$(state_of one activity) $(state_of one subtask)" = \
	"completed null" ]' 'and it waits no more'
disconnect
done_testing
