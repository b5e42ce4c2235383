#!/bin/bash
# A message was typed into the busy Codex, and Enter was not pressed, because an
# approval appeared first: only a person may clear it (Ctrl-C quits Codex if its
# composer is empty), so the session waits for that.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/codex.sh"
. "$(dirname "$0")/life.sh"
. "$(dirname "$0")/races.sh"
agent_begins codex

overtaken codex "${ASKS[@]}"
is_state fix running/waiting_for_input
like "$(json detail "$T/.state")" \
	'^message [0-9]+ was left in its composer: Ctrl-C clears it$' 'says why'
like "$(afw status fix --explain)" 'because +message [0-9]+ was left in its' \
	'and explains it so'
refused 9 'was left in its composer: Ctrl-C' 'a message is refused' \
	afw send fix 'not now'
exit_is 0 'a message that may wait' \
	afw send --when-idle fix 'three [[text=three]]'
exit_is 0 'the user presses that' afw send fix --keys C-c
waits_for '[[ $(last_text) = "three [[text=three]]" ]]' 'lets it in, alone'
is_state fix running/completed
agent_end
