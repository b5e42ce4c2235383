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
see '2 wait for you · 1 in error · 2 working · 1 done · 2 at rest' \
	'the counts are in the header'
is "$(names)" 'waits waits2 broke done idles works thinks ended' \
	'waiting, error, done, idle, working, stopped; the oldest first'
is "$(selected)" waits 'the first is selected'
like "$(row 1)" 'repo *$' 'the repository is named'
like "$(tmux_screen | grep ' done ')" ' done .* done ' \
	'completed is called done'

keys j j j
wait_for 5 '[ "$(selected)" = done ]'
is "$(selected)" done 'j goes down'
# Its neighbour finishes: it rises above, the selection stays with its id.
id=$(session_dir works) dir=$id
fake_state works running waiting_for_input
see '3 wait for you' 'a change is seen'
wait_for 5 '[[ "$(names)" == waits\ works* || "$(names)" == works* ]]'
is "$(names)" 'works waits waits2 broke done idles thinks ended' \
	'who begins to wait rises'
is "$(selected)" done 'the selection stays with its session'
keys Space
wait_for 5 '[ "$(selected)" = works ]'
is "$(selected)" works 'Space goes to the next that waits'
keys Tab
wait_for 5 '[ "$(selected)" = waits ]'
is "$(selected)" waits 'so does Tab'
keys G
wait_for 5 '[ "$(selected)" = ended ]'
is "$(selected)" ended 'G goes to the last'
keys g
wait_for 5 '[ "$(selected)" = works ]'
is "$(selected)" works 'g goes to the first'
end
