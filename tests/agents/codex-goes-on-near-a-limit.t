#!/bin/bash
# Near a limit, Codex offers another model after a good turn, and takes no message
# before that is answered. afw presses "Keep current model", unless a person is
# attached.
. "$(dirname "$0")/../lib.sh"
without_sanitizers "an agent's limit does not depend on them"
. "$(dirname "$0")/codex.sh"
agent_begins codex

exit_is 0 'a session' afw new fix -a codex -m 'begin [[text=ready]]'
is_state fix running/completed
exit_is 0 'a turn near the limit' afw send fix 'work [[think=2]] [[near=96]] [[text=worked]]'
exit_is 0 'and a message behind it' afw send fix 'next [[text=later]]'
exit_is 0 'it is done, not waiting' afw wait fix --for done,waiting -t 120s
waits_for '[[ $(last_text) = "next [[text=later]]" ]]' 'the queue is delivered'
is_state fix running/completed
is "$(grep -ac 'Approaching' "$XDG_DATA_HOME"/afw/sessions/*/transcript)" 1 'the dialog was up'
like "$(afw capture fix)" 'gpt-5.2-codex' 'the model is the same'
unlike "$(afw events fix --json)" '"activity":"waiting_for_input"' 'nobody was asked'
state fix >/dev/null
is "$(json limited "$T/.state")" null 'it is at no limit'

# What the model writes is no dialog.
exit_is 0 'the same words from the model' afw send -w -t 240s fix \
	"quote [[text=Approaching rate limits. Switch to gpt-6-luna for lower credit usage?]]"
is_state fix running/completed
is "$(turns)" 4 'each message was sent once'
agent_end
