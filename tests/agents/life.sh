# life.sh - the whole life of an agent that is not Claude Code: start, task,
# tool call, approval, a send that must not approve it, interrupt, second
# message, hostile text, resume, end. Sourced after agent.sh; the parts are
# called in order, each with "fix" as the session.

# life_asks_for_trust HARNESS DETAIL: the first-run question in a repository
# that the user has not trusted yet; goes away with afw trust.
life_asks_for_trust()
{
	exit_is 0 'new in an untrusted repository' afw new untrusted -a "$1" \
		-m 'not yet [[text=no]]'
	is_state untrusted running/waiting_for_input 60
	like "$(json detail "$T/.state")" "$2" 'what it asks is told'
	refused 9 'asks something first' 'a message is refused' \
		afw send untrusted 'yes'
	is "$(turns)" 0 'the task has not gone anywhere'
	exit_is 0 'stop' afw stop untrusted
	exit_is 0 'trust' afw trust -y
}

# life_begins HARNESS [ARGS...]
life_begins()
{
	local harness=$1
	shift
	exit_is 0 'new starts it with a task' afw new fix -a "$harness" \
		-m 'first task [[text=the first answer]]' -- "$@"
	is_state fix running/completed 90
	is "$(last_text)" 'first task [[text=the first answer]]' \
		'the task arrived'
	waits_for 10 'afw capture fix | grep -q "the first answer"' \
		'the answer is on its screen'
}

# life_asks TREE: an approval that nothing but a person answers.
life_asks()
{
	exit_is 0 'a message that leads to a tool' \
		afw send fix "run it [[tool=bash:touch '$1/made']]"
	like "$out" 'accepted' 'it is accepted'
	is_state fix running/waiting_for_input 30
	waits_for 10 '[[ $(state fix; json detail "$T/.state") =~ touch|run ]]' \
		'the question is told'
	refused 9 'asks something first' 'a send at that moment is refused' \
		afw send fix 'yes please'
	is "$(state fix)" running/waiting_for_input 'it still asks'
	nok_cmd 'nothing was approved' test -e "$1/made"

	exit_is 0 'an interrupt takes the question away' afw interrupt fix
	waits_for 30 'rests fix 0' 'it rests'
	nok_cmd 'the tool did not run' test -e "$1/made"
}

life_is_interrupted()
{
	exit_is 0 'a turn that takes long' afw send fix 'think [[think=90]]'
	is_state fix running/working
	exit_is 0 'is interrupted' afw interrupt fix
	waits_for 30 'rests fix 0' 'and ends'
	exit_is 0 'a second message after the interrupt' \
		afw send --wait fix 'second [[text=after-the-interrupt]]'
	is_state fix running/completed
	is "$(last_text)" 'second [[text=after-the-interrupt]]' \
		'arrived by itself'
}

# life_is_approved TREE QUESTION: the user says yes, in the real screen.
life_is_approved()
{
	made=$1/made
	exit_is 0 'a tool that will be allowed' \
		afw send fix "again [[tool=bash:touch '$made']]"
	is_state fix running/waiting_for_input 30
	tmux_start 120 40 afw attach fix
	tmux_wait_for "$2" 10
	ok $? 'attach shows the question'
	# Some ignore keys for a moment after a dialog has come up.
	waits_for 30 'tmux_keys Enter; wait_for 2 "[ -e $made ]"' \
		'the user approves it there'
	is_state fix running/completed
	tmux_stop
}

# life_takes_text: hostile beginnings and ends arrive as text.
life_takes_text()
{
	message 'a slash command' '/help'
	message 'a command behind blanks' '  /clear now'
	message 'a path' '/etc/passwd is a file'
	message 'a shell command' '!touch '"$T/repo/owned"
	message 'exit' 'exit'
	message "a menu's answer" "1. Yes"
	message 'a question mark' '?'
	message 'an at sign' 'look at @README'
	message 'a trailing backslash' 'path C:\\\\'
	message 'several lines' 'one\ntwo\n\n  three\n'
	message 'wide characters' '日本語 and ü'
	message 'ten kilobytes' "$(printf 'line %s of a long message\\n' {1..400})"
	nok_cmd 'nothing was run' test -e "$T/repo/owned"

	printf 'keys \033[201~\r\003\004 end' >"$T/message"
	exit_is 0 'the end of a paste: send' afw send --wait fix -F "$T/message"
	unlike "$(last_text)" $'[\001-\010\013-\037]' \
		'no control bytes arrive'
	like "$(last_text)" '^keys .* end *$' 'the text does'
}

life_goes_on()
{
	exit_is 0 'stop' afw stop fix
	like "$(state fix)" '^stopped/' 'it is stopped'
	is "$(own_agents)" '' 'nothing of it is left'
	exit_is 0 'resume goes on with the conversation' afw resume fix
	waits_for 90 'rests fix 0' 'it is ready again'
	exit_is 0 'a message after the resume' afw send --wait fix \
		'second task [[text=two]]'
	is_state fix running/completed 30
	# Of interrupted turns some keep nothing.
	like "$(all_texts)" 'after-the-interrupt.*second task' \
		'the model has the whole conversation'
}

# life_ends TREE: stop while it asks approves nothing.
life_ends()
{
	rm -f "$1/made"
	exit_is 0 'a last tool' \
		afw send fix "last [[tool=bash:touch '$1/made']]"
	is_state fix running/waiting_for_input 30
	exit_is 0 'stop while it asks' afw stop fix
	nok_cmd 'approves nothing' test -e "$1/made"
	is "$(own_agents)" '' 'nothing of it is left'
	exit_is 0 'rm' afw rm fix
}
