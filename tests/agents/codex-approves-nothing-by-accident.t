#!/bin/bash
# The real Codex: a message that is sent while an approval comes up does not
# approve it, however the two meet.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'races are about time'
. "$(dirname "$0")/codex.sh"
. "$(dirname "$0")/races.sh"
agent_begins codex
races codex "${ASKS[@]}"
agent_end
