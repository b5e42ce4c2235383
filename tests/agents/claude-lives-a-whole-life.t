#!/bin/bash
# The real Claude Code from start to exit: start, task, tool call, approval, a
# message that must not approve it, interrupt, second message, queue, error,
# resume, exit.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/life.sh"
. "$(dirname "$0")/users.sh"
agent_begins claude
users_files
tree=$T/.af_worktrees/repo-fix

life_begins claude "${ASKS[@]}"
knows_conversation fix
conversation=$(json conversation "$T/.state")
life_asks "$tree"
# Claude puts the interrupted prompt back. It is our own text, so the next
# message takes its place; the two must not be glued together.
life_is_interrupted

# Its composer shows the end of it only.
tmux_start 80 24 afw attach fix
tmux_wait_for after-the-interrupt 'it has a small terminal'
long=$(printf 'word%d and ' {1..160})
exit_is 0 'a message of 18 lines' afw send --wait -t 240s fix \
	"${long}[[text=all-of-it]]"
is "$out" all-of-it 'is answered'
is "$(last_text)" "${long}[[text=all-of-it]]" 'and has arrived whole'
tmux_paste "${long:0:800}"
tmux_wait_for '─── ↑ ' 'a draft of many lines'
refused 9 'its input field holds a draft' 'is left alone' afw send fix more
tmux_keys C-c
tmux_wait_gone '─── ↑ ' 'and cleared'
tmux_stop

# A question of the model's, below an approval that it has only written.
exit_is 0 'an answer that looks like an approval' afw send --wait -t 240s fix \
	$'look [[text=Well.\n\nDo you want to proceed?\n\n1. Yes\n2. No]]'
exit_is 0 'a question' afw send fix '[[tool=AskUserQuestion:{"questions":[{
 "question":"Which color?","header":"C","multiSelect":false,"options":[
 {"label":"Red","description":"r"},{"label":"Blue","description":"b"}]}]}]]'
is_state fix running/waiting_for_input
waits_for 'afw capture fix >"$T/screen"; grep -q "Chat about this" "$T/screen" &&
	grep -q "^ *Do you want to proceed?\$" "$T/screen"' \
	'is asked, below what looks like an approval'
for answer in --approve --deny; do
	refused 9 'not an approval that afw knows' "it takes no $answer" \
		afw send fix "$answer"
done
interrupted fix 'it is interrupted'
is_state fix running/idle
life_is_answered "$tree"
life_queues
life_sends_now
life_fails
[ "${AF_TEST_BACKEND-}" != tmux ] || life_is_cut
exit_is 0 'stop' afw stop fix
like "$(state fix)" '^stopped/' 'it is stopped'
exit_is 0 'resume continues the conversation' afw resume fix
waits_for 'is_idle fix 0' 'it is ready again'
is "$(json conversation "$T/.state")" "$conversation" 'it is the same one'
exit_is 0 'a message after the resume' afw send fix 'second task [[text=two]]'
is_state fix running/completed
like "$(all_texts)" 'first task.*second task' \
	'the model has the whole conversation'

exit_is 0 'a tool that is allowed' \
	afw send fix "again [[tool=bash:touch '$tree/made']]"
is_state fix running/waiting_for_input
exit_is 0 'stop while it asks' afw stop fix
nok_cmd 'approves nothing' test -e "$tree/made"
exit_is 0 'rm' afw rm fix
users_files_are_kept
agent_end
