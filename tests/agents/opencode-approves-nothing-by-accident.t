#!/bin/bash
# The real OpenCode: a message that is sent while an approval appears does not
# approve it, whatever the timing.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'races are about time'
. "$(dirname "$0")/opencode.sh"
. "$(dirname "$0")/races.sh"
agent_begins opencode
RACERS=1 # it takes half a minute of processor time to start
races opencode "${ASKS[@]}"
agent_end
