#!/bin/bash
# send to an agent that does not read for a while: a pasted message waits in its
# terminal, so nothing is pasted after it.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG="$T/heard"
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new one -a demo
waits_for 'afw status one --json | grep -q "\"activity\":\"idle\""' 'ready'
pid=$(afw status one --json | sed -n 's/.*"pid":\([0-9]*\).*/\1/p')
all="$(pgrep -P "$pid" | tr '\n' ' ')$pid"

kill -STOP $all
afw send one --json -t 240s -- 'first [[lines 1]]' >"$T/first" 2>&1 &
first=$!
waits_for 'afw send --list one | grep -q first' 'a pasted message'
afw send one --json -w -t 240s -- 'second [[lines 1]]' >"$T/second" 2>&1 &
second=$!
until=$(($(now_ms) + 4000)) # longer than it takes to show a paste
wait_for '[ "$(now_ms)" -gt $until ]'
unlike "$(afw send --list one)" 'unconfirmed' 'both wait'
kill -CONT $all
ends_with 0 "$first" 'the first is accepted after all'
ends_with 0 "$second" 'the second, too'
is "$(grep -c '^first \[\[lines 1\]\]$' "$T/heard")" 1 'the first came alone'
is "$(grep -c '^second \[\[lines 1\]\]$' "$T/heard")" 1 'and the second'
is "$(grep -c '^---' "$T/heard")" 2 'these two'

# An interrupt in the middle of a message: the effect of its key is unknown.
all="$(pgrep -P "$pid" | tr '\n' ' ')$pid" # of before, one may be anybody now
kill -STOP $all
afw send one --json -t 240s -- 'third [[lines 1]]' >"$T/third" 2>&1 &
third=$!
waits_for 'afw send --list one | grep third | grep -q typed' \
	'a pasted message'
exit_is 0 'interrupt' afw interrupt one
kill -CONT $all
ends_with 0 "$third" 'it is not submitted after that'
like "$(<"$T/third")" 'held: the user typed' 'and says why'
exit_is 0 'a held message can be cancelled' afw send one --cancel all
is "$(grep -c '^third' "$T/heard")" 0 'the agent has not read it'
done_testing
