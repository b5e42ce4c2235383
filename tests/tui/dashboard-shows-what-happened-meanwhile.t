#!/bin/bash
# When the dashboard opens, it shows what has happened since it was closed.
. "$(dirname "$0")/dash.sh"

# happened NAME...: each has finished a turn just now.
happened()
{
	local name
	for name; do
		printf '{"at":"%s","event":"activity","activity":"completed"}\n' \
			"$(ago 0)" >>"$(session_dir "$name")/events.jsonl"
	done
}
# quiet: the commands that the dashboard has started have ended.
quiet()
{
	pid=$(tm display-message -p -t =t: '#{pane_pid}')
	wait_for '[ -z "$(cat "/proc/$pid/task/$pid/children")" ]'
}
fake_session one running completed
fake_session two running waiting_for_input '"detail":"Which?",'
hold one two
happened one two
left=$DATA/dashboard.left

dash 100 24
see 'q quit' 'the first time'
quiet
nok_cmd 'nothing is reported' grep -q 'shows more' <(tmux_screen)
keys q
wait_for tmux_dead
ok_cmd 'the time when it is left is kept' [ -f "$left" ]

touch -d '1 hour ago' "$left"
dash 100 24
since="Since $(date -d "@$(stat -c %Y "$left")" +%H:%M): 1 finished, 1 waiting"
row_like 1 "^afw  1 waiting · 1 done +$since *\$" 'the next time the first line says what has happened since'
row_like 24 'q quit' 'and the last one has the keys'
tmux_resize 150 24
row_like 1 "$since; .afw since " 'a wide window also says how to see more'
keys j
gone 'Since' 'until a key is pressed'
is "$(selected)" one 'which has done its work'
before=$(stat -c %Y "$left")
keys q
wait_for tmux_dead
isnt "$(stat -c %Y "$left")" "$before" 'it is left again'

touch -d '1 hour' "$left"
dash 100 24
see 'q quit' 'if nothing has happened'
quiet
nok_cmd 'it says nothing' grep -q 'Since' <(tmux_screen)
touch -d '1 hour ago' "$left"
before=$(stat -c %Y "$left")
kill -TERM "$pid"
wait_for tmux_dead
isnt "$(stat -c %Y "$left")" "$before" 'ended by a signal, it is left, too'
end
