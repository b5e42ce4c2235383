#!/bin/bash
# After a reboot nothing runs, no lock is held, sockets lie about; every
# session that ran says so, and comes back with its arguments and its size.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
phase() { afw status "$1" --json >"$T/.p" && json phase "$T/.p"; }
# reboot: all at once, as the machine does; sockets and locks stay as files.
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
	wait_for 5 '! pgrep -f "$T/agent"'
}
printf '#!/bin/sh\necho "args $*"; stty size; exec cat\n' >"$T/agent"
chmod +x "$T/agent"

for name in ran sleeps done; do
	exit_is 0 "new $name" afw new "$name" -e TOKEN=x -- "$T/agent" a "b c"
done
tmux_start 93 31 afw attach ran
tmux_wait_for 'args a b c'
ok $? 'one is looked at, on a terminal of another size'
waits_for 5 'grep -q "\"cols\":93" "$(session_dir ran)/state.json"' \
	'the size is kept'
tmux_stop
exit_is 0 'suspend' afw suspend sleeps
exit_is 0 'stop' afw stop done
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => shift, Listen => 1)' \
	"$RUN/$(basename "$(session_dir done)").sock"
reboot

waits_for 10 '[ "$(phase ran)" = error ]' 'the one that ran reads as error'
phase ran >/dev/null
is "$(json error_reason "$T/.p" | cut -c1-5)" lost: 'and as lost'
is "$(phase sleeps) $(phase done)" 'suspended stopped' 'the others as before'
exit_is 0 'resume --all' afw resume --all
like "$out" 'ran: started afresh' 'brings back the one that ran'
like "$out" 'sleeps: started afresh' 'and the suspended one'
unlike "$out" 'done:' 'not the stopped one'
like "$err" 'ran: TOKEN was given' 'values are asked for again'
is "$(phase ran) $(phase sleeps) $(phase done)" 'running running stopped' \
	'all are where they were'
waits_for 5 'afw capture ran | grep -q "^args a b c"' 'the same arguments'
waits_for 5 'afw capture ran | grep -q "^31 93"' 'the same size'
exit_is 0 'a stale socket is no obstacle' afw start done
reboot
exit_is 0 'lost twice' afw retry ran
exit_is 0 'rm of a lost one' afw rm sleeps
exit_is 0 'stop all' afw stop ran done
done_testing
