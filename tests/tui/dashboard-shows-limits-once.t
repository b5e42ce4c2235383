#!/bin/bash
# The inbox, and `afw ls`, have one line for all sessions that a limit stops.
. "$(dirname "$0")/dash.sh"
until=$(TZ=UTC0 printf '%(%FT%T.000Z)T' $((EPOCHSECONDS + 3600)))
at=$(printf '%(%H:%M)T' $((EPOCHSECONDS + 3600)))
limited() # NAME REASON UNTIL
{
	spec_more='"harness":"claude",'
	fake_session "$1" running completed "\"limited\":\"$2\",\"limited_by\":\"you\",${3:+\"limited_until\":\"$3\",}"
	sed -i 's/"harness":"generic",//' "$dir/spec.json"
}
limited one 'usage limit' "$until"
limited two 'usage limit' "$until"
limited three 'usage limit' "$until"
limited four 'login needed' ''
limited five 'login needed' ''
spec_more=''
fake_session asks running waiting_for_input '"detail":"Which of the two?",'
hold one two three four five asks

exit_is 0 'ls' afw ls
like "$err" "3 claude sessions are limited until ([0-9-]+ )?$at \(usage limit\); on_limit in afw.ini" \
	'has a line below the table'
like "$err" '2 claude sessions need a login: run claude' 'and one for the login'
is "$(grep -c claude <<<"$err")" 2 'and no other'
unlike "$(afw ls --json 2>&1 >/dev/null)" claude 'JSON has none'

tmux_start 120 24 env X=1 "$BUILD/afw-dashboard"
tmux_wait_for asks
keys I
see '▸ 3 claude sessions are limited until' 'the inbox has the same line'
see 'on_limit in afw.ini can continue them' 'which names the option'
see '▸ 2 claude sessions need a login: run claude' 'and the login'
see 'Which of the two?' 'below the question'
unlike "$(tmux_screen)" '^ *(one|two|three|four|five) ' 'but not each session'
keys j Enter
see '▾ ' 'Enter unfolds them'
keys q
see 'one' 'q leaves the inbox'
keys q
waits_for tmux_dead 'q leaves the dashboard'
end
