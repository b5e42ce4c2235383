#!/bin/bash
# A message was typed into the busy Codex, and Enter was not pressed, because an
# approval appeared first: it is held. Only a person may clear its text (Ctrl-C
# quits Codex if its composer is empty) or send it, so the session waits for that.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/codex.sh"
. "$(dirname "$0")/life.sh"
. "$(dirname "$0")/races.sh"
agent_begins codex

overtaken codex "${ASKS[@]}"
is_state fix running/waiting_for_input
like "$(json detail "$T/.state")" \
	'^message [0-9]+ was left in its input field: Ctrl-C clears it$' 'says why'
like "$(afw status fix --explain)" 'because +message [0-9]+ was left in its' \
	'and explains it so'
refused 9 'was left in its input field: Ctrl-C' 'a message is refused' \
	afw send fix 'not now'
like "$(afw send --list fix)" 'held: message [0-9]+ was left.* two ' \
	'it is in the queue'
exit_is 0 'the user presses that' afw send fix --keys C-c
waits_for '[[ $(last_text) = "two [[text=two]]" ]]' 'it is typed again'
is_state fix running/completed

overtaken codex "${ASKS[@]}"
is_state fix running/waiting_for_input
exit_is 0 'or the user presses Enter' afw send fix --keys Enter
waits_for '[ "$(afw send --list fix --json)" = "[]" ]' 'which is noticed'
is_state fix running/completed
is "$(afw events fix --json | grep '"receipt":"accepted"' |
	grep -o '"message":[0-9]*' | sort | uniq -d)" '' 'each is accepted once'
agent_end
