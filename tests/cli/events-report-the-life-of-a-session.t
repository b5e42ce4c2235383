#!/bin/bash
# events prints the history of a session from its creation, in order, and
# follows it.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit

# names FILE: event (and phase) of each line.
names()
{
	sed -nE 's/.*"event":"([^"]+)".*/\1 &/p' "$1" |
		sed -E 's/^([^ ]+) .*"phase":"([a-z]+)".*/\1=\2/; s/ .*//' |
		grep -v '^activity' | tr '\n' ' '
}
afw events -f --json >"$T/all" 2>&1 &
follower=$!
exit_is 0 'new' afw new one -- cat
exit_is 8 'a message' afw send one hello
exit_is 0 'stop' afw stop one
exit_is 0 'events' afw events --json one
echo "$out" >"$T/one"
is "$(names "$T/one")" "created provisioning ready phase=starting phase=running \
agent:started receipt receipt receipt phase=stopping agent:exit phase=stopped " \
	'the whole life, as JSON' || diag "$out"
out=$(sed -n 1p "$T/one")
is "$(json name)/$(json harness)" one/generic 'each has its session'
like "$(json at)" '^20..-..-..T..:..:..\....Z$' 'and a time'
out=$(grep agent:exit "$T/one")
is "$(json signal)/$(json code)" 'SIGTERM/null' 'the exit has its signal'
out=$(grep '"stopped"' "$T/one")
like "$(json reason)" '^stopped$' 'a phase its reason'
out=$(grep agent:started "$T/one")
like "$(json pid)" '^[0-9]+$' 'the start its pid'
ok_cmd 'activities are there' grep -q '"event":"activity"' "$T/one"

waits_for 'grep -q "\"phase\":\"stopped\"" "$T/all"' \
	'-f reports a session that was made later'
is "$(names "$T/all")" "$(names "$T/one")" 'all of it, in order'
exit_is 0 'a second one' afw new two -- sh -c 'exit 3'
waits_for 'grep -q "\"code\":3" "$T/all"' 'its exit code too'
ok_cmd 'by its name' grep -q '"name":"two"' "$T/all"
waits_for 'grep "\"name\":\"two\"" "$T/all" | grep -q "\"phase\":\"error\""' \
	'and after that its phase'
kill "$follower"
wait "$follower" 2>"$T/null"

exit_is 0 'all sessions' afw events --json
is "$(sed -nE 's/.*"at":"([^"]*)".*/\1/p' <<<"$out" | sort -c 2>&1)" '' \
	'are in the order of their times'
exit_is 0 'the last ones' afw events --json -n 2 two
is "$(wc -l <<<"$out")" 2 'only'
like "$out" '"phase":"error"' 'the end is reported'
refused 3 'no session' 'unknown' afw events nobody

# a lost session is recorded by the command that finds it
exit_is 0 'start' afw start one
pid=$(state_of one supervisor_pid)
kill -KILL "$pid"
# A child that it was just starting may hold its lock for a moment.
wait_for '[ "$(state_of one phase)" = error ]'
exit_is 0 'resume' afw resume one
run afw events --json one
echo "$out" >"$T/tail"
like "$(names "$T/tail")" 'phase=error provisioning ready phase=starting phase=running agent:started $' \
	'then it was lost, and came back'
like "$out" 'lost: its supervisor has ended' 'with the reason'

# two files
dir=$(session_dir one)
exit_is 0 'stop' afw stop one
cp "$dir/events.jsonl" "$dir/events.jsonl.1"
n=$(wc -l <"$dir/events.jsonl")
printf '{"at":"2030-01-01T00:00:00.000Z","eve\n' >>"$dir/events.jsonl"
run afw events --json one
is "$(wc -l <<<"$out")" $((2 * n)) 'both files, a broken line passed over'

# a hostile detail, on a terminal
printf '%s\n' '{"at":"2030-01-01T00:00:00.000Z","event":"activity","activity":"working","detail":"a\u001b[31mb\nc"}' \
	>>"$dir/events.jsonl"
tmux_run 100 10 afw events one -n 3
tmux_wait_for 'working: a?[31mb c' 'in words, and harmless'
tmux_wait_for 'stopped: ' 'with reasons'
tmux_stop

# in words to a pipe, too
for event in '"check","state":"failed","reason":"exit code 1","line":"2 tests failed"' \
	'"tool","tool":"af_exec","ok":false,"answer":"no such\u001b[2J"' \
	'"question","question":"Run make?","question_id":"a1b2c3d4"' \
	'"answer","question":"Run make?","answer":"deny","receipt":"accepted"'; do
	printf '{"at":"2030-01-01T00:00:01.000Z","event":%s}\n' "$event" \
		>>"$dir/events.jsonl"
done
exit_is 0 'in words to a pipe' afw events one -n 4
is "$(cut -c 21- <<<"$out")" 'check failed: exit code 1: 2 tests failed
tool af_exec failed: no such?[2J
asks: Run make?
deny accepted: Run make?' 'of checks, tools and approvals'

# one who follows for long holds nothing of what was removed
afw events -f --json >"$T/long" &
follower=$!
held()
{
	find "/proc/$follower/fd" -lname '*/events.jsonl*' | wc -l
}
waits_for '[ "$(held)" = 2 ]' 'two sessions are followed'
exit_is 0 'one goes to the trash' afw rm --trash two
waits_for '[ "$(held)" = 1 ]' 'it is let go'
exit_is 0 'and is restored' afw trash restore two
waits_for '[ "$(held)" = 2 ]' 'it is followed again'
n=$(grep -c '"two"' "$T/long")
# Its file is open a moment before it has skipped the old events.
waits_for 'afw start two; within 5 \
	"[ \"\$(grep -c \\\"two\\\" \"\$T/long\")\" -gt '"$n ]\"" \
	'new events are printed'
is "$(grep '"name":"two"' "$T/long" | sort | uniq -d)" '' 'nothing twice'
kill "$follower"
wait "$follower" 2>"$T/null"

# removal ends a follower
afw events one -f >"$T/null" &
follower=$!
exit_is 0 'rm' afw rm one
waits_for "! kill -0 $follower 2>'$T/null'" 'a process that followed it ends'
done_testing
