#!/bin/bash
# The real Gemini CLI: a message that is sent while an approval comes up does not
# approve it, however the two meet.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'races are about time'
. "$(dirname "$0")/gemini.sh"
. "$(dirname "$0")/races.sh"
agent_begins gemini
RACERS=2
races gemini "${ASKS[@]}"
agent_end
