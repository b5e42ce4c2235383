#!/bin/bash
# After a reboot no process is running, no lock is held, and the runtime
# directory is empty or full of unused sockets; every session that was running
# reports that, and is resumed with its arguments and its size.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
phase() { afw status "$1" --json >"$T/.p" && json phase "$T/.p"; }
# reboot [DIR]: all at once, as the machine does; locks stay as files, DIR
# goes with its memory, the kernel has another boot id, and the old pids are
# other processes'.
reboot()
{
	local pid all=()
	for pid in $(own_pids); do
		case $(readlink "/proc/$pid/exe") in
		*/bash | */dash | */sh) ;;
		*) all+=("$pid") ;;
		esac
	done
	for pid in $(pgrep -f "$T/agent"); do all+=("$pid"); done
	kill -KILL "${all[@]}" 2>/dev/null
	for pid in "${all[@]}"; do
		wait_for '! grep -qs "^State:.*[RSDTt] (" /proc/$pid/status'
	done
	wait_for '! pgrep -f "$T/agent"'
	[ $# = 0 ] || rm -rf "$1"
	perl -pi -e 's/("boot_id":")[0-9a-f]{8}/${1}ffffffff/;
		s/("(?:supervisor_)?pid":)[1-9]\d*/${1}'$bystander'/g' \
		"$DATA"/sessions/*/state.json
}
# Not one of own_pids: no part of the machine that goes down. It ends by
# itself where this test cannot end it.
env -u AF_TEST_ID timeout 480 sleep 1000 >"$T/null" 2>&1 &
bystander=$!
printf '#!/bin/sh\necho "args $*"; stty size; exec cat\n' >"$T/agent"
chmod +x "$T/agent"

can_resume "$T/agent a 'b c'"
for name in ran sleeps done; do
	exit_is 0 "new $name" afw new "$name" -e TOKEN=x -- "$T/agent" a "b c"
done
tmux_start 93 31 afw attach ran
tmux_wait_for 'args a b c' 'one is looked at, on a terminal of another size'
waits_for 'grep -q "\"cols\":93" "$(session_dir ran)/state.json"' \
	'the size is kept'
tmux_stop
exit_is 0 'suspend' afw suspend sleeps
exit_is 0 'stop' afw stop done
reboot "$RUN"

waits_for '[ "$(phase ran)" = error ]' 'the session that was running reads as error'
phase ran >/dev/null
is "$(json error_reason "$T/.p")" \
	'lost: the machine was restarted while the session was running' \
	'and as lost, with the reason'
is "$(json pid "$T/.p")$(json supervisor_pid "$T/.p")" nullnull \
	'no process is shown as its own'
run afw ls --json
unlike "$out" "id\":$bystander" 'and not in the list'
run afw top --json
unlike "$out" "$bystander" 'and not in top'
is "$(phase sleeps) $(phase done)" 'suspended stopped' 'the others as before'
# A session that fails can be resumed later, when its requirements exist again.
mv "$T/agent" "$T/not-mounted"
exit_is 1 'resume --all without their program' afw resume --all
is "$(grep -c "^afw: run $T/agent in .*No such file" <<<"$err")" 2 'fails for both' ||
	diag "$err"
is "$(phase ran) $(phase sleeps)" 'error error' 'and they are in error'
mv "$T/not-mounted" "$T/agent"
rm -rf "$RUN" && touch "$RUN"
exit_is 1 'resume --all with a file in the way of its sockets' afw resume --all
is "$(grep -c '^afw: start ' <<<"$err")" 2 'fails for both again'
rm "$RUN"
echo 'max_sessions = 1' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 5 'resume --all over the limit' afw resume --all
like "$out" 'ran: resumed' 'restores the session that was running'
like "$err" "start 'sleeps'.*max_sessions is 1" 'refuses the suspended one'
rm "$XDG_CONFIG_HOME/afw/afw.ini"
started=$out$err
exit_is 0 'resume --all' afw resume --all
like "$out" 'sleeps: resumed' 'brings that back too'
out+=$started err+=$started
unlike "$out" 'done:' 'not the stopped one'
like "$err" 'ran: TOKEN was given' 'values are asked for again'
is "$(phase ran) $(phase sleeps) $(phase done)" 'running running stopped' \
	'all are where they were'
waits_for 'afw capture ran | grep -q "^args a b c"' 'the same arguments'
waits_for 'afw capture ran | grep -q "^31 93"' 'the same size'
ok_cmd 'the process that has the pid now is spared' kill -0 "$bystander"
nok_cmd 'a new life is of this boot' \
	grep -q '"boot_id":"ffffffff' "$(session_dir ran)/state.json"
run afw start done
reboot # a runtime directory that is on a disk
for name in ran done; do
	ok_cmd 'an unused socket exists' \
		test -S "$(session_dir $name)/control"
done
exit_is 0 'lost twice' afw retry ran
exit_is 0 'a dead socket is no obstacle' afw start done
exit_is 0 'rm of a lost one' afw rm sleeps
exit_is 0 'stop all' afw stop ran done
refused 2 'for one session' 'a message is for one' afw restart ran done -m x
exit_is 0 'resume of several' afw resume ran done
is "$(phase ran) $(phase done)" 'running running' 'starts each'
exit_is 0 'and restart' afw restart --resume ran done
is "$(wc -l <<<"$out")" 2 'a line each'
exit_is 0 'stop all' afw stop ran done
ok_cmd 'no other process was signalled' kill -0 "$bystander"
kill "$bystander"
done_testing
