#!/bin/bash
# The bell and the notification come once for each change, as bytes.
. "$(dirname "$0")/dash.sh"
mkdir -p "$XDG_CONFIG_HOME/afw"

# ring NOTICES KIND [MORE]: as the supervisor of the session in dir counts.
ring() { fake_state one running "${3-working}" \
	"\"notices\":$1,\"notice\":\"$2\",\"detail\":\"${4-}\","; }
bells() { tr -dc '\a' <"$T/raw" | wc -c; }
notes() { grep -aoF $'\e]777;notify;' "$T/raw" | wc -l; }
# What script(1) records of the dashboard's output.
start()
{
	tmux_stop
	rm -f "$T/raw"
	tmux_start 90 24 env "$@" script -qfc "$BUILD/afw-dashboard" "$T/raw"
	tmux_wait_for 'afw'
}

fake_session one running working '"notices":7,"notice":"completed",'
hold one
printf '[notify]\nosc = 777\non = waiting_for_input error\n' \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
start -u TMUX
see 'working' 'the dashboard starts'
ring 8 waiting_for_input waiting_for_input '\u001b]0;x\u0007 Go; on?'
waits_for '[ "$(bells) $(notes)" = "1 1" ]' 'a session that waits rings'
is "$(grep -aoP '\e\]777;notify;.*?\e\\' "$T/raw" | tail -n 1)" \
	$'\e]777;notify;afw: one waits for you;?]0,x? Go, on?\e\\' \
	'with a notification whose text is only text'
# Other changes of the same state are none.
ring 8 waiting_for_input waiting_for_input 'still here'
see 'still here' 'its state is written again'
ring 9 completed completed 'all made'
see 'all made' 'a state that is not in "on" is drawn'
is "$(bells) $(notes)" '1 1' 'and neither rings'

release_locks
wait_for 'tmux_screen | grep -q failed'
waits_for '[ "$(bells) $(notes)" = "2 2" ]' 'a supervisor that is gone rings, too'
keys q
wait_for tmux_dead
is "$(bells) $(notes)" '2 2' 'nothing more was written'

hold one
fake_state one running working '"notices":9,"notice":"completed",'
start
see 'working' 'inside tmux it starts, too'
ring 10 error idle 'no model'
waits_for 'grep -aqF "$(printf "\033Ptmux;\033\033]777;notify;afw: one has failed;no model\033\033\\\\\033\\\\")" "$T/raw"' \
	'the notification is wrapped for tmux'
is "$(bells)" 1 'the bell is not'
keys q
wait_for tmux_dead
printf '[notify]\nbell = no\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
start
see 'one' 'without a bell'
ring 11 completed completed 'quiet now'
see 'quiet now' 'a change is shown'
is "$(bells) $(notes)" '0 0' 'and nothing rings'
keys q
wait_for tmux_dead
end
