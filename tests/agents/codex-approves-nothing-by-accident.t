#!/bin/bash
# The real Codex: a message that is sent while an approval appears does not
# approve it, whatever the timing.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'races are about time'
. "$(dirname "$0")/codex.sh"
. "$(dirname "$0")/races.sh"
agent_begins codex
races codex "${ASKS[@]}"
agent_end
