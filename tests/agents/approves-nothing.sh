#!/bin/bash
# The agents of sections.sh that ask, as AGENT-approves-nothing-by-accident.t, and
# in tmux: a message that is sent while an approval appears does not approve it,
# whatever the timing.
here=$(dirname "$0") agent=${0##*/}
agent=${agent%%-*}
. "$here/../lib.sh"
without_sanitizers 'races are about time'
. "$here/sections.sh"
. "$here/races.sh"
section_begins "$agent"
RACERS=1
# Enter answers the dialog of some at once, before it is drawn: they take no
# messages while they work.
RACES_NOW=no
AFW_RACES=${AFW_RACES:-20}
races "$agent" "${ASKS[@]}"
agent_end
