#!/bin/bash
# exec runs a command in the worktree: its separate outputs, its exit code, its
# end.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
exit_is 0 'a session' afw new one -- cat
W=$T/.af_worktrees/repo-one

exit_is 0 'exec' afw exec one -- sh -c 'pwd; echo "$AF_SESSION $PWD" >&2'
is "$out" "$W" 'runs in the worktree'
is "$err" "one $W" 'standard error apart, with its environment'
exit_is 0 'no shell' afw exec one -- printf '%s|' 'a  b' '$HOME' '*' ''
is "$out" 'a  b|$HOME|*||' 'arguments are as given'
is "$(echo in | afw exec one -- cat)" in 'standard input is its own'
exit_is 5 'its exit code' afw exec one -- sh -c 'exit 5'
exit_is 143 'a signal' afw exec one -- sh -c 'kill -TERM $$'
exit_is 127 'no such command' afw exec one -- no-such-command-at-all
like "$err" 'afw: .*no-such-command' 'says so'
exit_is 127 'also if it cannot be reported' \
	sh -c 'afw exec one -- no-such-command-at-all 2>/dev/full'
exit_is 126 'not executable' afw exec one -- ./README
refused 2 'which command' 'nothing to run' afw exec one --
refused 3 'no session' 'unknown' afw exec nobody -- true

exit_is 0 'another' afw new two -- cat
afw exec two -- tail -f /dev/null >"$T/slow" 2>&1 &
slow=$!
start=$(now_ms)
refused 7 'not done after 300 ms' 'a timeout' afw exec one -t 300ms -- \
	bash -c 'trap "" TERM; setsid bash -c "exec -a of-$0 tail -f /dev/null" &
		tail -f /dev/null' "${T##*/}"
is "$(($(now_ms) - start < 30000 * AFW_SLOW))" 1 'ends in time'
is "$(pgrep -c -f "of-${T##*/}")" 0 'with what it had started'
exit_is 3 'within the time' afw exec one -t 120s -- sh -c 'exit 3'

exit_is 0 'one in a sandbox' afw new held --sandbox "$(
	"$BUILD/afw-supervisor" confine | grep -qx yes && echo landlock || echo none)" -- cat
for name in one held; do
	exit_is 0 "a command that leaves a process: $name" afw exec "$name" -- sh -c \
		'setsid sh -c "trap : TERM HUP; sleep $1; sleep $1" & exit 0' - "600.$$"
	is "$(pgrep -fc "sleep 600.$$")" 0 'it has ended with the command'
done

exit_is 0 'stop' afw stop one
exit_is 0 'for a stopped session' afw exec one -- test -f README
is "$err" 'afw: one is stopped: the command runs in its worktree, beside no agent' \
	'says so'
exit_is 0 'start' afw start one
afw exec one -- tail -f /dev/null &
mine=$!
wait_for "pgrep -P $mine"
exit_is 0 'stop' afw stop one
ok_cmd 'does not end a command of the user' pgrep -P "$mine"
kill "$mine"
wait "$mine"
is "$?" 143 'a signal is handed on'
afw exec -t 20 one -- sh -c 'exec tail -f /dev/null' &
mine=$!
wait_for "pgrep -P $mine tail"
kill -INT "$mine"
wait "$mine"
is "$?" 130 'INT too, where it is no key'

# keys of the terminal reach it
tmux_run 60 5 afw exec one -- sh -c 'trap "echo caught; exit 9" INT; echo up
	while :; do sleep 0.05; done'
tmux_wait_for up
tmux_keys C-c
tmux_wait_for caught 'C-c reaches the command'
waits_for 'tmux_dead && [ "$(tm display-message -p -t =t: "#{pane_dead_status}")" = 9 ]' \
	'and its exit code is that of afw'
tmux_stop
rm -rf "$W"
refused 1 'worktree .* is gone' 'no worktree' afw exec one -- true
afw stop one >"$T/null"
sed -i -E 's/"worktree":"[^"]*",//' "$(session_dir one)/spec.json"
refused 1 "exec 'one': it has no worktree.*afw rm one" \
	'a session that was killed while it was made' afw exec one -- true
sed -i 's/"sandbox":"none"/"sandbox":"magic"/' "$(session_dir two)/spec.json"
like "$(cat "$(session_dir two)/state.json")" '"sandbox":\{"tier":"none"\}' \
	'the recorded path is kept'
exit_is 0 'and counts' afw exec two -- true
exit_is 0 'stop' afw stop two
for command in 'start two' 'exec two -- true'; do
	refused 1 "there is no sandbox 'magic'" "$command" afw $command
done
wait "$slow"
is "$?" 7 'without a timeout there is one'
like "$(<"$T/slow")" 'tail was not done after 30000 ms.*-t 0' 'the timeout is 30 s'
done_testing
