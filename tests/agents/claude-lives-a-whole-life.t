#!/bin/bash
# The real Claude Code through a whole life: start, task, tool call, approval,
# a send that must not approve it, interrupt, second message, queue, error,
# resume, exit.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/life.sh"
. "$(dirname "$0")/users.sh"
claude_env
make_repo "$T/repo"
claude_trusts "$T/repo"
cd "$T/repo" || exit 2
users_files
tree=$T/.af_worktrees/repo-fix

exit_is 0 'new starts it with a task' afw new fix -a claude \
	-m 'first task [[text=the first answer]]' -- "${ASKS[@]}"
is_state fix running/completed
is "$(json backend "$T/.state")" "${AF_TEST_BACKEND-pty}" 'in its backend'
is "$(last_text)" 'first task [[text=the first answer]]' 'the task arrived'
waits_for 'afw capture fix | grep -q "the first answer"' \
	'the answer is on its screen'
knows_conversation fix
conversation=$(json conversation "$T/.state")

# It may show that its hook still runs.
exit_is 0 'its turn is over' afw wait fix --for completed -t 60s
exit_is 0 'a message that leads to a tool' \
	afw send fix "run it [[tool=bash:touch '$tree/made']]"
like "$out" 'accepted' 'it is accepted'
is_state fix running/waiting_for_input
waits_for 'state fix; [ "$(json question_id "$T/.state")" != null ] &&
	[[ $(json detail "$T/.state") =~ touch ]]' 'the question is told'

refused 9 'asks something first' 'a send at that moment is refused' \
	afw send fix 'yes please'
refused 9 'asks something first' 'with --now as well' \
	afw send fix --now 'yes please'
is "$(state fix)" running/waiting_for_input 'it still asks'
nok_cmd 'nothing was approved' test -e "$tree/made"

interrupted fix 'an interrupt takes the question away'
is_state fix running/idle
nok_cmd 'the tool did not run' test -e "$tree/made"

exit_is 0 'a turn that takes long' afw send fix 'think [[think=60]]'
is_state fix running/working
exit_is 0 'is interrupted' afw interrupt fix
wait_for 'case $(state fix) in */idle|*/completed) ;; *) false; esac'
ok $? 'and ends'
afw capture fix >"$T/screen"

# Claude puts the interrupted prompt back. It is our own text, so the next
# message takes its place; the two must not be glued together.
exit_is 0 'a second message after the interrupt' \
	afw send --wait -t 240s fix 'second [[text=after-the-interrupt]]'
is "$out" after-the-interrupt 'and its answer is printed'
is_state fix running/completed
is "$(last_text)" 'second [[text=after-the-interrupt]]' 'arrived by itself'

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
	refused 9 'no approval that afw knows' "it takes no $answer" \
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
exit_is 0 'resume goes on with the conversation' afw resume fix
wait_for 'case $(state fix) in running/idle|running/completed) ;;
	*) false; esac'
ok $? 'it is ready again'
is "$(json conversation "$T/.state")" "$conversation" 'it is the same one'
exit_is 0 'a message after the resume' afw send fix 'second task [[text=two]]'
is_state fix running/completed
like "$(_requests 'console.log(JSON.stringify(main[main.length-1].texts))')" \
	'first task.*second task' 'the model has the whole conversation'

exit_is 0 'a tool that is allowed' \
	afw send fix "again [[tool=bash:touch '$tree/made']]"
is_state fix running/waiting_for_input
exit_is 0 'stop while it asks' afw stop fix
nok_cmd 'approves nothing' test -e "$tree/made"
exit_is 0 'rm' afw rm fix
users_files_are_kept
claude_end
