#!/bin/bash
# The real Gemini CLI: a message that is sent while an approval appears does not
# approve it, whatever the timing.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'races are about time'
. "$(dirname "$0")/gemini.sh"
. "$(dirname "$0")/races.sh"
agent_begins gemini
RACERS=2
races gemini "${ASKS[@]}"
agent_end
