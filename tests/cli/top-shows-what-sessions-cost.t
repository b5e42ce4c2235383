#!/bin/bash
# top: uptime, processor time, memory and processes of each session's tree.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
exit_is 0 'nothing runs' afw top --json
is "$out" '[]' 'an empty list'
cat >"$T/busy" <<'END'
setsid tail -f /dev/null &
while :; do :; done
END
exit_is 0 'a busy one' afw new busy -- bash "$T/busy"
exit_is 0 'a quiet one' afw new quiet -- cat
exit_is 0 'a stopped one' afw new over -- cat
exit_is 0 'stop' afw stop over
cost() { run afw top --json; json "$1"; }
waits_for '[ "$(cost 0.cpu_ms)" -gt 300 ] && [ "$(cost 0.processes)" = 2 ]' 'processor time is counted'
run afw top --json
is "$(json 0.name)/$(json 1.name)" busy/quiet 'the busiest first'
nok_cmd 'only what runs' json_has 2
# Its counting may have a child for a moment.
waits_for '[ "$(cost 0.processes)" = 2 ]' 'its processes, detached ones too'
run afw top --json
waits_for '[ "$(cost 1.processes)" = 1 ]' 'each its own'
run afw top --json
like "$(json 0.uptime_ms)" '^[1-9][0-9]+$' 'uptime'
like "$(json 0.memory_bytes)" '^[0-9]{6,}$' 'memory'
like "$(json 0.cpu_percent)" '^[1-9][0-9.]*$' 'share'
is "$(json 0.pid)" "$(state_of busy pid)" 'pid'
exit_is 0 'two looks' afw top -n 2
is "$(grep -c NAME <<<"$out")" 2 'are two lists'
like "$out" $'\nbusy +[a-z]+ +[0-9]+[sm] +[0-9.]+ +[0-9]+:[0-9.]+ +[0-9.]+M +[23] ' 'for people'

tmux_start 90 10 sh -c 'stty -a >"$0"; afw top; stty -a >"$1"; echo over
	cat' "$T/before" "$T/after"
tmux_wait_for 'busy' 'on a terminal'
exit_is 0 'a session less' afw stop quiet
tmux_wait_gone 'quiet' 'it is drawn again'
tmux_keys q
tmux_wait_for 'over' 'q ends it'
is "$(<"$T/after")" "$(<"$T/before")" 'the terminal is as before'
tmux_stop
exit_is 0 'stop' afw stop busy

. "$ROOT/tests/fake.sh"
fake_session born starting
sed -i "s/\"supervisor_pid\":0/\"supervisor_pid\":$$/" "$dir/state.json"
hold born
run afw top --json
like "$out" '"activity":null,"pid":null,' 'unknown values are null, as in status'
release_locks

# What a backend needs for itself is not the session's.
three=(sh -c 'sleep 1000 & sleep 1000 & wait; :')
exit_is 0 'three processes' afw new plain -- "${three[@]}"
waits_for '[ "$(cost 0.processes)" = 3 ]' 'are three'
exit_is 0 'stop' afw stop plain
if command -v tmux >/dev/null; then
	exit_is 0 'the same in tmux' \
		afw new panes --backend tmux -- "${three[@]}"
	waits_for '[ "$(cost 0.processes)" = 3 ]' 'are as many'
	exit_is 0 'stop' afw stop panes
	exit_is 0 'detached ones in tmux' afw new far --backend tmux -- \
		sh -c '(setsid sleep 1000 &) ; exec sleep 1000'
	waits_for '[ "$(cost 0.processes)" = 2 ]' 'count too'
	exit_is 0 'stop' afw stop far
fi
done_testing
