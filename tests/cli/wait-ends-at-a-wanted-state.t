#!/bin/bash
# wait: wanted states, timeouts, ends; it is woken and does not poll.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/fake.sh"
fake_session one running working
fake_session two running idle
one=$DATA/sessions/$(printf '%032x' $((0xabc000000001)))
queued=1 fake_session three running completed
queued=1 fake_session four running completed
four=$dir
hold one two three four
refused 7 "wait for 'one': it reached none of the wanted states in 100 ms .working" 'time is up' \
	afw wait one --timeout 100ms
exit_is 0 'there already' afw wait two --for idle
is "$out" idle 'says what was reached'
exit_is 0 'phases too' afw wait two --for running
is "$out" running 'by their name'
exit_is 0 'any of two' afw wait one two --any --for idle
is "$out" 'two: idle' 'says which'
exit_is 7 'all of two' afw wait one two --for idle --timeout 100ms
is "$out" 'two: idle' 'with those that are there'
refused 2 'did you mean failed' 'misspelt' afw wait one --for faild
refused 2 'there are: waiting, failed, done' 'unknown' afw wait one --for lunch
exit_is 0 'the long name, too' afw wait three --for completed,running
exit_is 7 'and the word' afw wait one --for waiting,failed,done,stopped -t 50ms
refused 3 'no session' 'unknown session' afw wait nobody

# A turn that failed is not done.
dir=$one fake_state one running failed '"said":"Now I","detail":"API Error: 529",'
exit_is 0 'one of two that is done' afw wait one two --any --for failed,idle
exit_is 9 'a turn that failed' afw wait one -t 50ms
is "$out" failed 'is reached'
like "$err" "'one': its turn failed: API Error: 529.*afw attach one" 'and an error'
exit_is 7 'of several' afw wait one two -t 50ms
is "$out" 'one: failed' 'the others are waited for'
exit_is 9 'of any' afw wait one two -t 50ms --any
dir=$one fake_state one running working
refused 2 'any cannot be combined with --all' 'any and all' afw wait one --any --all

refused 7 "100 ms .done; a message is queued" \
	'being idle between two messages is not the state' afw wait three --timeout 100ms
exit_is 0 'but what it is' afw wait three --for running

afw wait two four --for idle,completed --timeout 4s >"$T/went" 2>"$T/told" &
job=$!
waits_for 'grep -q "two: idle" "$T/went"' 'one whose message'
dir=$four fake_state four running working
wait $job
is $? 7 'has gone in is not there'
like "$(<"$T/told")" "'four': it reached none .* in 4 s .working." \
	'and it is not said to wait'

# A turn that a person ended is over, too.
dir=$four fake_state four running idle '"detail":"interrupted",'
exit_is 7 'not with --no-gpg-sign' afw wait four --for completed -t 100ms
queued=0 dir=$four fake_state four running idle '"detail":"interrupted",'
exit_is 0 'an interrupted turn is an end' afw wait four -t 10s
is "$out" interrupted 'with a word of its own'
exit_is 7 'idle alone is not a wanted state' afw wait two -t 100ms

# By itself it looks every five seconds; a machine may stand still for some.
dir=$one
for _ in 1 2 3; do
	fake_state one running working
	rm -f "$T/woken"
	(run afw wait one --json; echo "$code $out" >"$T/woken") &
	nap; nap; nap
	fake_state one running waiting_for_input '"detail":"Allow?",'
	within 3 'test -s "$T/woken"'
	woken=$?
	wait $!
	[ $woken != 0 ] || break
done
ok $woken 'woken by the state'
like "$(<"$T/woken")" '^0 .*"reached":"waiting_for_input"' 'with JSON'

fake_state one running working
(run afw wait one --for completed; echo "$code $err" >"$T/ended") &
job=$!
fake_state one running thinking
exit_is 0 'thinking is working' afw wait one --for working -t 50ms
release_locks
waits_for 'test -s "$T/ended"' "the supervisor's death wakes it"
like "$(<"$T/ended")" '^6 .*has ended \(failed: lost' 'it cannot come there'
wait $job
# Its message waits for a person, as after a draft.
hold three
started=$(now_ms)
(afw wait three --for completed --timeout 300s >"$T/went"; echo "$? $(<"$T/went")" >"$T/kept") &
kept=$!
exit_is 0 'unless that was waited for' afw wait one --for error
exit_is 9 'it is an error otherwise' afw wait one
is "$out" failed 'with its word'
like "$err" "'one': it has failed: lost: .*afw retry one" 'and the reason'

make_repo "$T/repo"
cd "$T/repo" || exit
export DEMO_LOG=$T/log PATH="$ROOT/share:$PATH"
exit_is 0 'an agent with a task' afw new task -a demo -m '[[lines 3]]'
exit_is 0 'is not idle' afw wait task --for idle,completed --timeout 240s
like "$(<"$T/log")" 'lines 3' 'before it has its task'
run afw new real -- sh -c 'sleep 0.2; exit 0'
exit_is 0 'a real one ends' afw wait real --for stopped --timeout 240s
is "$out" stopped 'stopped'
wait $kept
release_locks
is "$(<"$T/kept")" '0 done' 'a state that lasts is reached'
took=$(($(now_ms) - started))
ok $((took < 29000)) "not before half a minute"
# -- any change -----------------------------------------------------------------

afw new changing -a demo >"$T/log" 2>&1
afw wait changing --for idle >"$T/null"
refused 7 'none of the wanted states' 'change: nothing changes' \
	afw wait changing --for change -t 300ms
afw wait changing --for change --json >"$T/out" 2>&1 &
waiter=$!
waits_for 'ls -l "/proc/$waiter/fd" | grep -q inotify'
afw stop changing >"$T/null"
wait "$waiter"
is "$?" 0 'change: another state'
like "$(cat "$T/out")" '"reached":"stop' 'is printed'
refused 2 'did you mean change' 'a mistake' afw wait changing --for chance
done_testing
