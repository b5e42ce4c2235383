#!/bin/bash
. "$(dirname "$0")/dash.sh"

n=900
for s in 'works running working' 'idles running idle' 'done running completed' \
	'waits running waiting_for_input' 'ended stopped' 'broke error' \
	'thinks running thinking' 'waits2 running waiting_for_input'; do
	created=$(ago $n) n=$((n - 10))
	fake_session $s
done
hold works idles done waits thinks waits2
dash 100 40
see '2 waiting · 1 failed · 1 done · 2 working · 1 idle · 1 stopped' \
	'the counts are in the header'
names_are 'waits waits2 broke done works thinks idles ended' \
	'waiting, error, done, idle, working, stopped; the oldest first'
selected_is waits 'the first is selected'
unlike "$(row 1)" 'repo' 'the only repository need not be named'
like "$(tmux_screen | grep '^  done ')" ' done ' 'in the words of afw ls'

keys j j j
selected_is done 'j goes down'
# Its neighbour finishes: it rises above, the selection stays with its id.
id=$(session_dir works) dir=$id
fake_state works running waiting_for_input
see '3 waiting' 'a change is seen'
wait_for '[[ "$(names)" == waits\ works* || "$(names)" == works* ]]'
names_are 'works waits waits2 broke done thinks idles ended' \
	'a session that begins to wait moves up'
selected_is done 'the selection stays with its session'
keys w
selected_is works 'w goes to the next that waits'
keys w
selected_is waits 'and to the next'
keys G
selected_is ended 'G goes to the last'
keys g
selected_is works 'g goes to the first'
end
