#!/bin/bash
# The user's flags in the list: P pins, a archives, Z snoozes, t notes, H shows
# what is hidden.
. "$(dirname "$0")/dash.sh"

for name in one two three; do
	afw new $name -- sh -c 'read -r line; echo "$line"; cat' >"$T/null"
	waits_for "[ \"\$(state_of $name activity)\" = idle ]" "$name is idle"
done
fake_session gone running waiting_for_input \
	'"question":"Run make?","question_id":"a1b2c3d4",'
hold gone
dash 90 24
names_are 'gone one two three' 'the order by need and age'
keys j j P
names_are 'two gone one three' 'P keeps a session on top'
see '[pinned]' 'which is seen'
selected_is two 'and it stays selected'
keys t
see 'note about two:' 't asks for a note'
tmux_type 'ask Bob first'
keys Enter
see '[pinned] [ask Bob first]' 'and shows it before what the agent says'
keys t
see 'note about two: ask Bob first' 'a second time, with what is there'
keys Escape
gone 'note about' 'Escape leaves it'
keys / B o b Enter
names_are two 'the filter finds it'
keys Escape
names_are 'two gone one three' 'all'

keys o
names_are 'two gone one three' 'in another order it is first, too'
keys o o o o o
gone 'order:' 'back'

# -- archived -------------------------------------------------------------------

keys j j a
names_are 'two gone three' 'a hides a session'
selected_is three 'the next one is selected'
row_like 1 '· 1 hidden *$' 'the header counts it'
keys H
names_are 'two gone one three' 'H shows it'
see '[archived]' 'as archived'
row_like 1 'with hidden' 'and the header says why'
keys k a
gone '[archived]' 'a again lists it as usual'
keys H
gone 'with hidden' 'also without H'
names_are 'two gone one three' 'there'
keys G Space k Space
see '2 marked' 'with two marked'
keys a
names_are 'two gone' 'it hides both'
gone 'marked' 'and they are marked no longer'
keys H G Space k Space a
names_are 'two gone one three' 'both'
keys H
names_are 'two gone one three' 'are back'

# -- snoozed --------------------------------------------------------------------

keys G Z
see 'snooze three until' 'Z asks for a time'
tmux_type nonsense
keys Enter
see 'not a time in the future' 'which must be one'
see 'until (2h, 14:30; empty: it needs you): nonsense' 'and may be corrected'
for _ in 1 2 3 4 5 6 7 8; do keys BSpace; done
tmux_type 2s
keys Enter
names_are 'two gone one' 'then the session is hidden'
names_are 'two gone one three' 'until that time, which no file reports'
keys G Z
see 'snooze three until' 'once more'
keys Enter
names_are 'two gone one' 'without a time'
keys H G Z
gone '[snoozed]' 'Z again ends it'
keys H
names_are 'two gone one three' 'it is listed'

# -- none is lost ---------------------------------------------------------------

dir=$(session_dir gone)
perl -pi -e 's/"name":"gone",/"name":"gone","archived":true,/' "$dir/spec.json"
: >"$dir/.touch" && mv "$dir/.touch" "$dir/touched"
names_are 'two one three' 'an archived session that asks'
row_like 1 '1 hidden \(1 needs you\)' 'is counted in the header'
keys I
names_are gone 'and is in the inbox'
keys q
row_like 1 'hidden' 'which is left'
tmux_stop
run afw rm -f --stop one two three
end
