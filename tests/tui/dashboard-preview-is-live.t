#!/bin/bash
. "$(dirname "$0")/dash.sh"

screen_session live
lines 'first picture\n'
created=$(date -u -d '+100 seconds' +%FT%T.000Z)
fake_session other running idle
fake_session past stopped '' '"exit_code":3,'
printf '{"cols":80,"rows":24,"lines":["its last words","","",""],"cursor":[0,1],"title":"old"}' \
	>"$dir/screen.json"
hold other
dash 80 24
see 'first picture' 'the screen of the selected session is shown'
see 'title of' 'with its title'
lines 'second picture \e[38;2;255;0;0mred\e[m\n'
see 'second picture' 'it changes when the screen changes'
gone 'first picture' 'wholly'
like "$(tmux_screen -e | grep econd)" $'\e\\[[0-9;]*38;(5;196|2;255;0;0)m' 'in its colours'
lines "$(printf 'line %s\\n' $(seq 60))"
see 'line 60' 'the end of a long screen is shown'
lines 'what it said\e[34;1H> its input field\e[36;1Hits hints'
see 'its input field' 'the input field of an agent'
row_like 7 '^what it said' 'does not hide what it said far above'
row_like 9 '^> its input' 'of the blank rows between there is one'
lines "$(printf 'line %s\\n' $(seq 60))"
see 'line 60' 'the next screen'

# A stopped supervisor: nothing freezes.
kill -STOP "$supervisor_pid"
keys G
wait_for '[ "$(selected)" = past ]'
see 'its last words' 'of a session that is not running the last screen is shown'
see 'stopped' 'and that it is stopped'
keys g
start=$(now_ms)
selected_is live 'keys are answered while the supervisor is stopped'
see 'does not answer (is it stopped?)' 'which is reported'
keys j
wait_for '[ "$(selected)" = other ]'
see 'its supervisor does not answer' 'and so is that there is none'
keys k
wait_for '[ "$(selected)" = live ]'
kill -CONT "$supervisor_pid"
see 'line 60' 'when it continues, so does the preview'

keys p
gone 'line 59' 'p hides the preview'
keys p
see 'line 59' 'and shows it again'
kill -KILL "$supervisor_pid"
see 'lost: its supervisor has ended' 'the death of a supervisor is seen at once'
end
