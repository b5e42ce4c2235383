#!/bin/bash
# status prints everything about one session, live and from the files alone.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
exit_is 0 'a session' afw new one -- sh -c 'echo hello; cat'
waits_for 'afw capture one | grep -q hello' 'it prints'
exit_is 0 'status' afw status one
like "$out" '^one: (starting|working|idle) ' 'its word first'
unlike "$out" 'because |running' 'not how it is known'
like "$out" 'worktree +'"$T/.af_worktrees/repo-one" 'worktree'
like "$out" 'branch +af/one, from main' 'branch and base'
like "$out" 'pid +[0-9]+' 'pid'
like "$out" 'supervisor +pid [0-9]+' 'supervisor'
exit_is 0 '-v' afw status -v one
like "$out" 'phase +running' 'its phase'
like "$out" $'because +[a-z_]+, reported by process\n' 'which signal is used'
like "$out" ' used +process' 'the signals are listed'
exit_is 0 '--json' afw status one --json
is "$(json name)" one 'name'
isnt "$(json signals.0.source)" "" "signals"
is "$(json directory)" "$(session_dir one)" 'directory'
dir=$(session_dir one)
pid=$(json supervisor_pid)

# Which signal is used, since when, and why; the state of a harness that does nothing.
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
stall_after = 5s
[harness.claude]
command = $T/hangs
END
# Of one that prints nothing there is no event at all.
mkfifo "$T/never"
printf '#!/bin/sh\nread -r x <"%s"\n' "$T/never" >"$T/hangs"
chmod +x "$T/hangs"
exit_is 0 'a silent command' afw new silent -- "$T/hangs"
exit_is 0 'an agent that hangs before it prints' afw new hangs -a claude
doing() { state_of two activity; }
mkfifo "$T/words" && exec 7<>"$T/words"
exit_is 0 'a session that reports what it does' afw new two -- sh -c \
	'while read -r w; do printf "\033]7501;state=%s\007" "$w"; done <"$0"' \
	"$T/words"
echo working >&7
waits_for '[ "$(doing)" = working ]' 'it works'
exit_is 0 '--explain while it works' afw status two --explain
like "$out" ' used +osc7501 +working +[0-9.]+m?s' 'the signal and its age'
like "$out" 'osc7501 .*the highest-ranked signal' 'and why it is used'
is "$(grep -c 'highest-ranked' <<<"$out")" 1 'which is printed once'
like "$out" 'process .*secondary signal' 'and a secondary signal'
waits_for 'afw status two | grep -q "stalled: nothing has moved for"' \
	'nothing moves: it is stalled'
is "$(doing)" working 'working by its word'
echo 'done' >&7
waits_for '[ "$(doing)" = completed ]' 'it is done'
unlike "$(afw status two)" 'stalled' 'and no longer stalled'
waits_for '[ "$(state_of two signals.0.age_ms)" -gt 2000 ]' 'two seconds later'
is "$(doing)" completed 'it is still completed'
# More words than anybody can mean: the last one counts, not all are history.
start=$(now_ms)
for i in {1..4000}; do echo working; echo 'done'; done >&7
echo blocked >&7
waits_for '[ "$(doing)" = waiting_for_input ]' \
	'a flood of words ends with the last'
n=$(grep -c '"event":"activity"' "$(session_dir two)/events.jsonl")
took=$(($(now_ms) - start))
[ "$n" -lt $((300 + took / 10)) ]
ok $? "and few of them are history ($n of 8000 in $took ms)"
exit_is 0 'stop' afw stop two
isnt "$(doing)" completed 'until it is stopped'
exec 7>&-

# What an agent prints at its end is no work.
mkfifo "$T/end" && exec 7<>"$T/end"
exit_is 0 'a session that ends slowly' afw new last -- sh -c \
	'trap "echo going; read -r x <$0; exit" TERM
	printf "\033]7501;state=working\007"; while :; do read -r x <"$1"; done' \
	"$T/end" "$T/never"
waits_for '[ "$(state_of last activity)" = working ]' 'it works'
afw stop -t 240s last >"$T/stopped" 2>&1 &
stop=$!
waits_for 'afw capture last | grep -q going' 'it prints while it is stopped'
is "$(state_of last phase) $(state_of last activity)" 'stopping null' \
	'it is stopping, not working'
like "$(afw ls | grep last)" 'stopping' 'as ls says'
echo >&7
ends_with 0 "$stop" 'it ends'
exec 7>&-
waits_for 'afw wait silent --for idle --timeout 10s' \
	'a session that never prints is idle'
waits_for 'afw status hangs | grep -q "stalled: nothing has moved for"' \
	'or stalled, if it would have reported'

kill -KILL "$pid"
waits_for 'afw status one | grep -q lost' 'a killed supervisor: lost'
exit_is 0 'status of it' afw status one
like "$out" 'why +lost: ' 'in words'
like "$out" 'supervisor +none' 'no supervisor'
is "$(state_of one phase)" error \
	'phase error'
refused 6 'not running.*afw start one' 'interrupt says what helps' \
	afw interrupt one
refused 6 'not running' 'send too' afw send one hello
exit_is 0 'it can be removed' afw rm one
[ ! -e "$dir" ] && [ ! -e "$T/.af_worktrees/repo-one" ]
ok $? 'with all that it had'
done_testing
