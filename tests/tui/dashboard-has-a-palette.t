#!/bin/bash
# : lists every action of src/config/keys.def, and runs one, with a key or not.
. "$(dirname "$0")/dash.sh"

fake_session alpha running working
fake_session beta stopped
hold alpha
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '%s\n' '[keys]' 'preview =' 'rename = F5' >"$XDG_CONFIG_HOME/afw/afw.ini"
dash 100 80
see '── alpha' 'there is a preview'
keys :
see 'run an action' ': opens the palette'
is "$(tmux_screen | sed -n '5,$p' | sed -n 's/^[> ] \([a-z-]*\) .*/\1/p')" \
	"$(sed -n 's/^KEY([A-Z_]*, "\([^"]*\)".*/\1/p' "$ROOT/src/config/keys.def" |
		grep -v palette)" 'it has all actions of the table'
row_like 5 '^> attach  *Enter  *open' 'each with its key'
keys Down Down
row_like 7 '^> deny ' 'Down chooses'
keys Up
row_like 6 '^> approve ' 'and Up'
tmux_type QUEUE
row_like 5 '^> queue  *Q  *show' 'typing filters by name'
row_like 6 '^ *$' 'in any case'
keys C-u
tmux_type start
row_like 5 '^> start ' 'a name that begins with the text is first'
row_like 6 'resume ' 'then come others whose help has it'
keys C-u
tmux_type nothing
see 'no action has that' 'there may be none'
keys Enter
see 'run an action' 'so that Enter does nothing'
keys C-u
tmux_type ren
row_like 5 '^> rename  *F5 ' 'the key is that of the configuration'
keys Enter
see 'rename alpha to: alpha' 'Enter runs it for the selected session'
gone 'run an action' 'and closes the palette'
keys Escape
gone 'rename alpha' 'it is left'
keys :
tmux_wait_for 'run an action'
tmux_type preview
row_like 5 '^> preview   *show or hide' 'an action need not have a key'
keys Enter
gone '── alpha' 'to be run'
keys :
tmux_wait_for 'run an action'
tmux_type down
tmux_wait_for '> down'
double_click 5 4
gone 'run an action' 'a double click runs one, too'
selected_is beta 'indeed'
keys :
tmux_wait_for 'run an action'
tmux_type help
keys Enter
see 'Talk to the agent' 'the help is an action'
keys q :
tmux_wait_for 'run an action'
keys Escape
gone 'run an action' 'Esc leaves the palette'
keys :
tmux_wait_for 'run an action'
tmux_type scroll-up
keys Enter
selected_is alpha 'without a preview, it is a page of the list'
end
