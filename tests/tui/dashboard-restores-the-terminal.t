#!/bin/bash
. "$(dirname "$0")/dash.sh"

fake_session one stopped
# A shell that says when it has the terminal again, and its modes.
shell()
{
	tmux_stop
	tmux_start 80 24 env PS1='ready> ' bash --norc --noprofile
	tmux_wait_for ready
	tmux_type "stty -a | md5sum; '$BUILD/afw-dashboard'; echo code \$?; stty -a | md5sum"
	keys Enter
	tmux_wait_for NAME
	pid=$(pgrep -P "$(tm display-message -p -t =t: '#{pane_pid}')" -f afw-dashboard)
}
same_modes()
{
	[ "$(tmux_screen | grep -c '^[0-9a-f]\{32\}  -$')" = 2 ] &&
		[ "$(tmux_screen | grep '^[0-9a-f]\{32\}  -$' | sort -u | wc -l)" = 1 ]
}
back()
{
	see "code $1" "$2: the shell is back, code $1"
	waits_for same_modes "$2: the terminal's modes are as before"
	is "$(tm display-message -p -t =t: \
		'#{alternate_on} #{cursor_flag} #{mouse_any_flag}')" '0 1 0' \
		"$2: the screen, the cursor and the mouse too"
}
shell
keys q
back 0 q
shell
keys C-c
back 0 Ctrl-C
for sig in TERM HUP INT; do
	shell
	kill -$sig "$pid"
	case $sig in TERM) code=143 ;; HUP) code=129 ;; INT) code=0 ;; esac
	back $code "SIG$sig"
done
if [ -z "${SANITIZE-}" ]; then
	for sig in ABRT SEGV; do
		shell
		kill -$sig "$pid"
		back $((128 + $(kill -l $sig))) "SIG$sig"
	done
else
	skip 6 'the sanitizers catch fatal signals'
fi
shell
keys C-z
see 'Stopped' 'Ctrl-Z suspends it'
is "$(tm display-message -p -t =t: '#{mouse_any_flag}')" 0 'without the mouse'
tmux_type 'fg'
keys Enter
see NAME 'fg brings it back'
is "$(tm display-message -p -t =t: '#{mouse_any_flag}')" 1 'with the mouse'
keys q
see 'code' 'and it ends well'
# The whole job is suspended, not the dashboard alone.
tmux_type "clear; bash -c '\"$BUILD/afw-dashboard\"; echo over'"
keys Enter
tmux_wait_for NAME
keys C-z
see 'Stopped' 'Ctrl-Z returns to the shell from a script, too'
tmux_type 'fg'
keys Enter
see NAME 'fg brings it back'
keys q
see 'over' 'and the script goes on'
end
