#!/bin/bash
# A host that has a place for each session: its sessions come and go with their
# places.
. "$(dirname "$0")/dash.sh"
. "$ROOT/tests/box.sh"
. "$ROOT/tests/places.sh"

dash 100 24
see 'There are no sessions yet' 'a host without a place has no sessions'
keys n
see 'Host     [here] slurm' 'the form has the choice'
tmux_type 'do something there'
keys Tab
tmux_type made
keys Tab
for i in {1..9}; do
	tmux_screen | grep -q 'Agent.*\[a command\]' && break
	keys Right
done
keys Tab
tmux_type 'sh -c cat'
keys Tab Tab Tab Right
see 'Host      here [slurm]' 'of the host'
keys Enter
see 'slurm:made' 'a session in a place of its own is listed'
selected_is slurm:made 'and selected'
ls "$T/places/afw-slurm.made/state" >"$T/null"
is $? 0 'its place was made'
afw new slurm:other -- cat >"$T/made" 2>&1
keys C-l
see 'slurm:other' 'one that was made elsewhere is, too, after Ctrl-L'
keys D
see 'Stop and remove slurm:made' 'it is removed'
keys y
gone 'slurm:made' 'with its row'
waits_for '[ ! -e "$T/places/afw-slurm.made/state" ]' 'and its place is given back'
gone 'stopping and removing' 'at the end'
see 'slurm:other' 'the other stays'
keys q
waits_for tmux_dead 'q leaves'
afw rm --stop slurm:other >"$T/made" 2>&1
box_end
end
