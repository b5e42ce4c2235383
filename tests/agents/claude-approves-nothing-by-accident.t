#!/bin/bash
# The real Claude Code: a message that is sent while an approval comes up does
# not approve it, however the two meet.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'races are about time'
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/races.sh"
agent_begins claude
races claude "${ASKS[@]}"
agent_end
