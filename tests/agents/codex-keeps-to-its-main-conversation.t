#!/bin/bash
# Codex's side conversation (/side) has a composer of its own: nothing is sent
# into it, and its id, which cannot be resumed, is never the session's.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/codex.sh"
agent_begins codex

# in_side: the user asks something there.
in_side()
{
	exit_is 0 'the user types /side' afw send fix --keys / s i d e
	waits_for 'afw capture fix | grep -q "^› /side$"' 'which is shown'
	exit_is 0 'and enters it' afw send fix --keys Enter
	is_state fix running/waiting_for_input
}

exit_is 0 'a session' afw new fix -a codex \
	-m 'first task [[text=the first answer]]' -- "${ASKS[@]}"
is_state fix running/completed
knows_conversation fix
main=$(json conversation "$T/.state")

in_side
waits_for 'state fix; [[ $(json detail "$T/.state") = *"Side chat" ]]' \
	'says what is open'
refused 9 'Side chat' 'a message is refused' afw send fix 'lost'
refused 9 'Side chat' 'with --now as well' afw send fix --now 'lost'
exit_is 0 'a message that may wait' \
	afw send --when-idle fix 'second task [[text=the second answer]]'
like "$out" 'queued' 'waits'
exit_is 0 'the user asks there' afw send fix --keys a s i d e
waits_for 'afw capture fix | grep -q "│› aside$"' 'something else'
exit_is 0 'and sends it' afw send fix --keys Enter
waits_for '[[ $(last_text) = aside ]]' 'which is answered there'
is_state fix running/waiting_for_input
is "$(json conversation "$T/.state")" "$main" \
	"the session's conversation is the main one"

exit_is 0 'the user closes it' afw send fix --keys C-c
waits_for 'afw capture fix | grep -q "Archive “aside”"' 'which is asked'
exit_is 0 'chooses to' afw send fix --keys Right
exit_is 0 'and closes it' afw send fix --keys Enter
waits_for '[[ $(last_text) =~ ^second\ task ]]' \
	'the queued message goes to the main conversation'
is_state fix running/completed
is "$(json conversation "$T/.state")" "$main" 'which is the one from before'
like "$(all_texts)" 'first task' 'and has its history'
unlike "$(all_texts)" 'aside|lost' 'and nothing of the other'

exit_is 0 'stop' afw stop fix
exit_is 0 'resume' afw resume fix
is "$out" 'fix: resumed its conversation' 'continues it'
is_state fix running/idle
exit_is 0 'stop again' afw stop fix

# As an afw that did not know of side conversations has left it.
gone=00000000-0000-7000-8000-000000000000
sed -i "s/$main/$gone/" "$(session_dir fix)/state.json"
exit_is 0 'if its record is missing' afw resume fix
like "$err" "$gone has no record.*resumed $main" \
	'resume takes the newest one, and says so'
exit_is 0 'a message' afw send --wait -t 240s fix 'third task [[text=three]]'
like "$(all_texts)" 'first task.*second task.*third task' \
	'continues the main conversation'
agent_end
