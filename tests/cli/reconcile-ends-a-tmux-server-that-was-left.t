#!/bin/bash
# reconcile --apply ends a tmux server that outlived its supervisor, also
# without its socket's file, and no other.
. "$(dirname "$0")/../lib.sh"
command -v tmux >/dev/null || skip_all 'no tmux here'
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
of() { state_of "$2" "$1"; }
# lives PID: the process is running; a zombie is not.
lives() { grep -s '^State:' "/proc/$1/status" | grep -qv zombie; }
# finds PID: reconcile names that server, as one that it can end.
finds()
{
	run afw reconcile --json
	like "$out" "\"kind\":\"tmux_server_left\"[^}]*\"pid\":$1,[^}]*\"safe\":true" \
		"$2"
	unlike "$out" "process_left[^}]*\"pid\":$1,|a server outlived" 'once'
}

for name in one two alive; do
	exit_is 0 "new $name" afw new $name --backend tmux -- cat
	socket[$((n++))]=$RUN/$(of id $name).tmux
done
# A second window keeps the server when the pane's process ends with its
# supervisor; the shell in it starts a server of its own.
for i in 0 1; do
	tmux -S "${socket[i]}" new-window -d "tmux -S '$T/mine$i' -f /dev/null \
		new-session -d cat; exec sleep 1000"
	server[i]=$(tmux -S "${socket[i]}" display -p '#{pid}')
done
server[2]=$(tmux -S "${socket[2]}" display -p '#{pid}')
waits_for 'tmux -S "$T/mine0" has-session && tmux -S "$T/mine1" has-session' 'servers of the user'
mine=$(tmux -S "$T/mine0" display -p '#{pid}')
ok_cmd 'with the mark of the session' \
	grep -qz AF_SESSION_ID "/proc/$mine/environ"
run afw reconcile --json
unlike "$out" tmux_server_left 'a server in use is in order'

for name in one two; do kill -KILL "$(of supervisor_pid $name)"; done
waits_for '[ "$(of phase one) $(of phase two)" = "error error" ]' 'killed'
rm "${socket[1]}"
ok_cmd 'its server is there' lives "${server[0]}"
finds "${server[0]}" 'a server that was left'
finds "${server[1]}" 'and one whose socket is gone'
ok_cmd 'nothing was ended' lives "${server[0]}"

exit_is 0 '--apply' afw reconcile --apply
like "$out" "one: its tmux server ${server[0]} outlived .*repaired" 'says so'
like "$out" "two: its tmux server ${server[1]} outlived .*repaired" 'both are reported'
nok_cmd 'one is gone' lives "${server[0]}"
nok_cmd 'two is gone' lives "${server[1]}"
nok_cmd 'its socket too' test -e "${socket[0]}"
ok_cmd "the user's is left" lives "$mine"
ok_cmd 'that of a running session, too' lives "${server[2]}"
is "$(of phase alive)" running 'which runs'
run afw reconcile --json
unlike "$out" tmux_server_left 'nothing of that kind is left'
exit_is 0 'it can be started again' afw start one
for i in 0 1; do tmux -S "$T/mine$i" kill-server 2>"$T/null"; done
exit_is 0 'stop' afw stop one two alive
done_testing
