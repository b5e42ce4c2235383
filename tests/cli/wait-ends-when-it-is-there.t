#!/bin/bash
# wait: goals, times, ends; woken, not polling.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/fake.sh"
fake_session one running working
fake_session two running idle
one=$DATA/sessions/$(printf '%032x' $((0xabc000000001)))
hold one two
refused 7 "wait for 'one': it is still working after 100 ms" 'time is up' \
	afw wait one --timeout 100ms
exit_is 0 'there already' afw wait two --for idle
is "$out" idle 'says what was reached'
exit_is 0 'phases too' afw wait two --for running
is "$out" running 'by their name'
exit_is 0 'any of two' afw wait one two --any --for idle
is "$out" 'two: idle' 'says which'
exit_is 7 'all of two' afw wait one two --for idle --timeout 100ms
is "$out" 'two: idle' 'with those that are there'
refused 2 'did you mean completed' 'misspelt' afw wait one --for complted
refused 2 'there are: working' 'unknown' afw wait one --for lunch
refused 2 'no time' 'no time' afw wait one --timeout soon
refused 3 'no session' 'unknown session' afw wait nobody
refused 2 'not both' 'any and all' afw wait one --any --all

(run afw wait one --json; echo "$code $out" >"$T/woken") &
dir=$one
fake_state one running waiting_for_input '"detail":"Allow?",'
waits_for 3 'test -s "$T/woken"' 'woken by the state'
like "$(cat "$T/woken")" '^0 .*"reached":"waiting_for_input"' 'with JSON'
wait $!

fake_state one running working
(run afw wait one --for completed; echo "$code $err" >"$T/ended") &
job=$!
fake_state one running thinking
let_go
waits_for 3 'test -s "$T/ended"' "the supervisor's death wakes it"
like "$(cat "$T/ended")" '^6 .*has ended \(error: lost' 'it cannot come there'
wait $job
exit_is 0 'unless that was waited for' afw wait one --for error
exit_is 0 'which is so by itself' afw wait one
is "$out" error 'and said'

make_repo "$T/repo"
cd "$T/repo" || exit
run afw new real -- sh -c 'sleep 0.2; exit 0'
exit_is 0 'a real one ends' afw wait real --for stopped --timeout 10s
is "$out" stopped 'stopped'
done_testing
