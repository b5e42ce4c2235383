#!/bin/bash
# A message was typed into the busy Claude Code, and Enter was not pressed,
# because an approval appeared first: it is held, and when the approval has been
# answered its text is cleared and typed again.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/life.sh"
. "$(dirname "$0")/races.sh"
agent_begins claude

overtaken claude "${ASKS[@]}"
waits_for '[[ $(last_text) = "two [[text=two]]" ]]' 'it arrives, alone'
is_state fix running/completed
is "$(afw send --list fix --json)" '[]' 'and nothing is left in the queue'
agent_end
