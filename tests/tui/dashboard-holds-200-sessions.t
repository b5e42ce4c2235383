#!/bin/bash
. "$(dirname "$0")/dash.sh"

n=5000
for i in $(seq -w 200); do
	created=2026-01-01T00:0$((10#$i / 60)):$(printf %02d $((10#$i % 60))).000Z
	fake_session "s$i" stopped
done
dash 80 24
see 's001' 'the first is there'
see '200 stopped' 'all are counted'
keys G
selected_is s200 'G shows the last'
keys C-f C-b C-b
wait_for '[ "$(selected)" != s200 ]'
unlike "$(selected)" s200 'Ctrl-B leaves it'

dir=$(session_dir s100)
fake_state s100 stopped '' '"said":"changed meanwhile",'
keys / s 1 0 0 Enter
see 'changed meanwhile' 'the filter finds the session that has changed meanwhile'
names_are s100 'and only that'
see 'filter: s100' 'which the header says'
keys Escape
gone 'filter:' 'Esc drops it'
selected_is s100 'the selection stays'

# Everything changes at once: no storm, the end is right.
for dir in "$DATA"/sessions/*; do
	id=${dir##*/}
	fake_state x error '' '"error_reason":"burst",'
done
see '200 failed' 'two hundred changes in a moment are all seen'
pid=$(tm display-message -p -t =t: '#{pane_pid}')
for _ in {1..20}; do
	a=$(awk '{ print $14 + $15 }' "/proc/$pid/stat")
	nap; nap; nap; nap; nap; nap; nap; nap; nap; nap
	b=$(awk '{ print $14 + $15 }' "/proc/$pid/stat")
	[ $((b - a)) -gt 1 ] || break # it had not come to rest
done
diag "processor time so far $b ticks, $((b - a)) of them at rest"
ok $((b - a > 1)) 'at rest it costs nothing'
end
