#!/bin/bash
# The real Claude Code: a message that is sent while an approval appears does
# not approve it, whatever the timing.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'races are about time'
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/races.sh"
agent_begins claude
races claude "${ASKS[@]}"
agent_end
