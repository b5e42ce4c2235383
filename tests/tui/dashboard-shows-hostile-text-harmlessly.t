#!/bin/bash
. "$(dirname "$0")/dash.sh"

# As JSON has them: ESC, BEL, C1, bidi override, zero width, tags.
fake_session esc running waiting_for_input \
	'"detail":"a\u001b[2J\u001b[31mb\u0007c\u009bd\u202ee\u200bf\u2066g","title":"t\u001b]0;owned\u0007u",'
fake_session wide running idle \
	'"said":"\u65e5\u672c\u8a9e|e\u0301|\ud83d\ude00|end",'
fake_session long running idle "\"said\":\"$(printf '漢%.0s' {1..80})\","
hold esc wide long
dash 100 24
see 'a?[2J?[31mb?c?d?e?f?g' 'controls are ?'
see $'日本語|e\u0301|😀|end' 'wide and combining characters come out'
unlike "$(tmux_screen -e | sed 's/\x1b\[[0-9;]*m//g')" \
	$'\x07|\x1b|\u202e|\u200b|\u2066|\xc2\x9b' 'nothing of it reaches the terminal'
like "$(tmux_screen | grep '^  long')" '漢 ?…$' 'a long wide text is cut with a mark'
is "$(tm display-message -p -t =t: '#{pane_title}' | grep -c owned)" 0 \
	'the title is not set by it'

# The same from a screen.
release_locks
screen_session real
keys G
lines '\e]52;c;aGk=\a\e[2J\e[5Aafter\e]0;x\e\\ end\nplain \e[1mbold\e[m\n\e[31mred \xe2\x80\xaerlo \xc2\x9b31m\x01\n日本|語|\n'
tmux_wait_for 'plain'
see 'after end' 'sequences are obeyed on the picture only'
see 'red rlo 31m' 'controls are left out'
see '日本|語|' 'wide characters keep their columns'
like "$(tmux_screen -e | grep 'bold')" $'\e\\[1mbold' 'bold is bold'
is "$(tm show-buffer 2>/dev/null)" '' 'the clipboard is not touched'
end
