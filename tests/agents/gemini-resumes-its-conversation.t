#!/bin/bash
# The real Gemini CLI, suspended several times, continues its conversation,
# although each resume in a later minute leaves an empty file of the same id
# beside the real one; files that a fresh start would delete are kept.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/gemini.sh"
agent_begins gemini

# long_ago: its files are of other minutes, by their names.
long_ago()
{
	local file year
	for file in "$HOME"/.gemini/tmp/*/chats/*.jsonl; do
		year=$((RANDOM % 900 + 1000))
		mv "$file" "${file/session-????-/session-$year-}"
	done
}

exit_is 0 'new' afw new fix -a gemini -m 'first task [[text=one]]'
is_state fix running/completed
knows_conversation fix
id=$(json conversation "$T/.state")
for i in second third; do
	exit_is 0 "suspend before the $i task" afw suspend fix
	long_ago
	exit_is 0 "resume for the $i task" afw resume fix -m "$i task [[text=$i]]"
	is "$out" 'fix: resumed its conversation' "the $i task goes on with it"
	waits_for "[[ \$(last_text) == '$i task'* ]]" "the $i task arrives"
	is_state fix running/completed
done
like "$(all_texts)" 'first task.*second task.*third task' \
	'the model has the whole of it'

exit_is 0 'stop' afw stop fix
long_ago
exit_is 0 'start' afw start fix
is "$out" 'fix: resumed its conversation' 'start continues it, too'
exit_is 0 'stop' afw stop fix
long_ago
exit_is 0 'start afresh' afw start --fresh fix -m 'new task [[text=new]]'
is_state fix running/completed
isnt "$(json conversation "$T/.state")" "$id" 'it is another conversation'
like "$(cat "$(session_dir fix)/home/conversation-$id.jsonl")" 'third task' \
	'the one before is kept with the session'

exit_is 0 'stop' afw stop fix
rm -rf "$HOME"/.gemini/tmp/*/chats
refused 4 "resume 'fix': its conversation .* is not kept.*start --fresh fix" \
	'a conversation that is gone is no reason to begin another' \
	afw resume fix
exit_is 0 'the command of the hint is' \
	sh -c "$(sed -n 's/^hint: `\(.*\)`.*/\1/p' <<<"$err")"
is "$out" 'fix: started with a new conversation' 'it says what it did'
waits_for 'is_idle fix 0' 'and it is ready'
opens fix C-r
exit_is 0 'rm' afw rm --stop fix
agent_end
