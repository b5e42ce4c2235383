# life.sh - the whole life of an agent: start, task, tool call, approval, a
# send that must not approve it, undo, interrupt, second message, queue, error,
# hostile text, resume, end. Sourced after agent.sh; the parts are called in
# order (some by Claude Code's own life), each with "fix" as the session, in
# whichever backend AF_TEST_BACKEND says.

# life_begins HARNESS [ARGS...]
life_begins()
{
	local harness=$1
	shift
	exit_is 0 'new starts it with a task' afw new fix -a "$harness" \
		-m 'first task [[text=the first answer]]' -- "$@"
	is_state fix running/completed
	is "$(json backend "$T/.state")" "${AF_TEST_BACKEND:-pty}" \
		'in its backend'
	is "$(last_text)" 'first task [[text=the first answer]]' \
		'the task arrived' ||
		diag "$(cut -c 1-300 "$REQUESTS"; afw events fix; state fix)"
	waits_for 'afw capture fix | grep -q "the first answer"' \
		'the answer is on its screen'
	waits_for 'afw ls | grep -q "the first answer$"' 'and in the list'
}

# life_path TREE: the path that the agent has for it.
life_path()
{
	[ "${AF_TEST_SANDBOX-}" = podman ] && echo /workspace || echo "$1"
}

# life_asks TREE: an approval that nothing but a person answers.
life_asks()
{
	# It may show that its hooks still run.
	exit_is 0 'its turn is over' afw wait fix --for completed,idle -t 240s
	exit_is 0 'a message that leads to a tool' \
		afw send fix "run it [[tool=bash:touch '$(life_path "$1")/made']]"
	like "$out" 'accepted' 'it is accepted'
	is_state fix running/waiting_for_input
	# Its menu may appear after the hook that reports it.
	waits_for 'state fix; [ "$(json question_id "$T/.state")" != null ] &&
		[[ $(json detail "$T/.state") =~ touch|run ]]' \
		'the question is reported'
	refused 9 'asks something first' 'a send at that moment is refused' \
		afw send fix 'yes please'
	# OpenCode and those that a section describes take nothing while they work.
	[[ ! $(json harness "$T/.state") =~ ^(claude|codex|gemini)$ ]] ||
		refused 9 'asks something first' 'with --now as well' \
			afw send fix --now 'yes please'
	is "$(state fix)" running/waiting_for_input 'it still asks'
	nok_cmd 'nothing was approved' test -e "$1/made"

	interrupted fix 'an interrupt takes the question away'
	nok_cmd 'the tool did not run' test -e "$1/made"
}

life_is_interrupted()
{
	exit_is 0 'a turn that takes long' afw send fix 'think [[think=60]]'
	is_state fix running/working
	# Before that OpenCode does not hear its key.
	waits_for 'afw capture fix | grep -qi "esc .*\(interrupt\|cancel\)"' \
		'its screen says how'
	exit_is 0 'is interrupted' afw interrupt fix
	waits_for 'is_idle fix 0' 'and ends'
	exit_is 0 'a second message after the interrupt' \
		afw send --wait -t 240s fix 'second [[text=after-the-interrupt]]'
	is "$out" after-the-interrupt 'and its answer is printed'
	is_state fix running/completed
	is "$(last_text)" 'second [[text=after-the-interrupt]]' \
		'arrived by itself'
}

# life_is_cut: by a person's Esc that afw does not see.
life_is_cut()
{
	local sender
	state fix >/dev/null
	afw send --wait -t 240s fix 'cut [[think=200]]' >"$T/sent" 2>&1 &
	sender=$!
	is_state fix running/working
	within 1 false
	_socket=$XDG_RUNTIME_DIR/afw/$(json id "$T/.state").tmux
	wait_for 'tmux -S "$_socket" send-keys -t afw Escape
		within 20 "has_ended '"$sender"'"'
	ends_with 1 "$sender" 'a turn that a person cuts off in tmux is no answer'
	like "$(<"$T/sent")" 'interrupted' 'which is reported'
	is "$(state fix)" running/idle 'and not completed'
}

# life_is_approved TREE QUESTION: the user says yes, in the real screen.
life_is_approved()
{
	made=$1/made
	exit_is 0 'a tool that will be allowed' \
		afw send fix "again [[tool=bash:touch '$(life_path "$1")/made']]"
	is_state fix running/waiting_for_input
	tmux_start 120 40 afw attach fix
	tmux_wait_for "$2" 'attach shows the question'
	# Some ignore keys for a moment after a dialog has come up.
	waits_for 'tmux_keys Enter; within 2 "[ -e $made ]"' \
		'the user approves it there'
	is_state fix running/completed
	like "$(afw diff fix --turn --stat)" '^ made ' 'its turn has made that'
	tmux_stop
}

# answers ANSWER ID: to its approval. Some ignore a key just after a dialog has
# come up, or take long to draw what follows. One that is drawn in pieces (Letta)
# can have another id when it is whole: then a person looks again.
answers()
{
	local try id=$2
	for try in 1 2 3; do
		run afw send -t 30s fix "$1" --question "$id"
		case $code in
		4) state fix >/dev/null; id=$(json question_id "$T/.state") ;;
		7 | 8) ;;
		*) break ;;
		esac
	done
	is "$code" 0 "$1" || diag "$err"
}

# _files TREE: all files, and their bytes.
_files()
{
	(cd "$1" && find . -name .git -prune -o -type f -print0 | sort -z |
		xargs -0 sha256sum)
}

# life_is_undone TREE FILES: its turn is undone, so that the files are FILES
# again, and redone. It learns of it by its next message.
life_is_undone()
{
	local after before
	after=$(_files "$1") before=$(turns)
	isnt "$after" "$2" 'a turn has changed files'
	exit_is 0 'undo' afw undo fix --yes
	is "$(_files "$1")" "$2" 'every byte is as it was'
	waits_for "[ \$(turns) -gt $before ]" 'it gets a message'
	like "$(last_text)" 'The user has undone work of yours' 'that says so'
	is_state fix running/completed
	exit_is 0 'redo' afw undo fix --yes --redo --no-tell
	is "$(_files "$1")" "$after" 'every byte is as the turn left it'
}

# life_is_answered TREE: yes, once, and no, without its screen.
life_is_answered()
{
	local id files
	rm -f "$1/made"
	files=$(_files "$1")
	exit_is 0 'a tool that afw will allow' \
		afw send fix "yes [[tool=bash:touch '$(life_path "$1")/made']]"
	waits_for 'state fix; [ "$(json question_id "$T/.state")" != null ]' \
		'its approval has an id'
	id=$(json question_id "$T/.state")
	like "$(json question "$T/.state")" 'touch' 'and says what is asked'
	refused 4 'another approval is on its screen' 'another id' \
		afw send fix --approve --question 00000000
	answers --approve "$id"
	like "$out" '^fix: approved: .*touch' 'is reported'
	waits_for "[ -e '$1/made' ]" 'the tool runs'
	waits_for 'is_idle fix 0' 'the turn ends'
	[ "${AF_TEST_BACKEND-}" = tmux ] || life_is_undone "$1" "$files"

	rm -f "$1/made"
	exit_is 0 'the same tool again' \
		afw send fix "no [[tool=bash:touch '$(life_path "$1")/made']]"
	waits_for 'state fix; [ "$(json question_id "$T/.state")" != null ]' \
		'is asked for again: it was allowed only once'
	isnt "$(json question_id "$T/.state")" "$id" 'with an id of its own'
	answers --deny "$(json question_id "$T/.state")"
	like "$out" '^fix: denied: .*touch' 'is reported'
	waits_for 'is_idle fix 0' 'the turn ends'
	nok_cmd 'the tool did not run' test -e "$1/made"
	refused 4 'no approval is on its screen' 'nothing is left to answer' \
		afw send fix --approve
}

# life_queues: what is sent while it works arrives in order, once, each in a
# turn of its own.
life_queues()
{
	local before sender
	before=$(turns)
	exit_is 0 'a long turn' afw send fix "long [[until=$T/now]]"
	exit_is 0 'a message while it works' afw send fix 'queued one'
	like "$out" 'queued' 'has to wait'
	afw send --wait -t 240s fix 'queued two [[text=the-last]]' >"$T/sent" &
	sender=$!
	waits_for 'afw send --list fix | grep -q "queued two"' \
		'a message after it, too'
	touch "$T/now"
	wait "$sender"
	ok $? 'which comes to its end'
	is "$(<"$T/sent")" the-last 'and is answered'
	is_state fix running/completed
	is "$(_requests 'console.log(main.filter((r) => !r.after)
		.slice(+process.argv[2]).map((r) => r.text.trim()).join(", "))' \
		"$before")" \
		"long [[until=$T/now]], queued one, queued two [[text=the-last]]" \
		'in order, each once'
}

# _submitted: how many messages of fix's have been typed to their end.
_submitted()
{
	grep -c '"receipt":"submitted"' \
		"$XDG_DATA_HOME/afw/sessions/$(json id "$T/.state")/events.jsonl"
}

# life_sends_now: typed into it while it works, and taken when it comes to it.
life_sends_now()
{
	local before sender sent
	before=$(turns)
	exit_is 0 'a turn that lasts' afw send fix "long [[until=$T/then]]"
	is_state fix running/working
	sent=$(_submitted)
	afw send --now --wait -t 240s fix 'at once [[text=at-your-service]]' \
		>"$T/sent" &
	sender=$!
	waits_for "[ \$(_submitted) -gt $sent ]" 'a message goes into it'
	touch "$T/then"
	ends_with 0 "$sender" 'and comes to its end'
	is "$(<"$T/sent")" at-your-service 'is answered'
	is_state fix running/completed
	is "$(_requests 'console.log(main.slice(+process.argv[2])
		.filter((r) => !r.after && /at once/.test(r.text)).length)' \
		"$before")" 1 'and has come once'
}

# life_fails: what the model's provider refuses is no answer.
life_fails()
{
	local try
	# Reports seconds later come too late for Codex's turn.
	for try in 1 2 3; do
		run afw send --wait -t 240s --json fix 'bad [[err=400]]'
		[ "$code" = 0 ] || break
	done
	is "$code" 1 'a turn that fails'
	is "$(json turn)" failed 'is reported as an error'
	exit_is 9 'and by a wait' afw wait fix -t 240s
	is_state fix running/failed
	# Codex prints it after it has reported the end of the turn.
	waits_for '[[ $(state fix; json detail "$T/.state") =~ with\ 400 ]]' \
		'with the reason'
	exit_is 0 'the next one continues' \
		afw send --wait -t 240s fix 'good [[text=all-is-well]]'
	is "$out" all-is-well 'and is answered'
}

# life_takes_text: hostile text arrives as text in this terminal, too; the
# whole table of it is hostile.sh's.
life_takes_text()
{
	message 'a slash command' '/help'
	message 'a shell command' '!touch '"$T/repo/owned"
	message 'several lines' 'one\ntwo\n\n  three\n'
	message 'ten kilobytes' "$(printf 'line %s of a long message\\n' {1..400})"
	nok_cmd 'nothing was run' test -e "$T/repo/owned"

	printf 'keys \033[201~\r\003\004 end' >"$T/message"
	exit_is 0 'the end of a paste: send' afw send --wait -t 240s fix -F "$T/message"
	unlike "$(last_text)" $'[\001-\010\013-\037]' \
		'no control bytes arrive'
	like "$(last_text)" '^keys .* end *$' 'the text does'
}

life_goes_on()
{
	exit_is 0 'suspend' afw suspend fix
	like "$(state fix)" '^suspended/' 'it is suspended'
	waits_for '[ -z "$(own_agents)" ]' 'nothing of it is left'
	exit_is 0 'a message while it is suspended' \
		afw send --when-idle fix 'kept task [[text=kept]]'
	# Another conversation begins in the same place: it must not be continued.
	if declare -F life_elsewhere >/dev/null; then
		life_elsewhere
		ok_cmd 'another conversation' grep -q elsewhere "$REQUESTS"
	fi
	local before
	before=$(turns)
	exit_is 0 'resume' afw resume fix
	is "$out" 'fix: resumed its conversation' 'continues it'
	waits_for '[ "$(turns)" -gt $before ]' 'has what was kept'
	is_state fix running/completed
	is "$(turns)" $((before + 1)) 'once'
	like "$(last_text)" 'kept task' 'as it was'
	exit_is 0 'a message after the resume' afw send --wait -t 240s fix \
		'second task [[text=two]]'
	is_state fix running/completed
	waits_for 'afw ls | grep -q "two$"' 'its answer is in the list'
	# Of interrupted turns some keep nothing.
	like "$(all_texts)" 'after-the-interrupt.*second task' \
		'the model has the whole conversation'
	unlike "$(all_texts)" elsewhere 'and nothing of another'
}

# life_ends TREE: stop while it asks approves nothing.
life_ends()
{
	rm -f "$1/made"
	exit_is 0 'a last tool' \
		afw send fix "last [[tool=bash:touch '$(life_path "$1")/made']]"
	is_state fix running/waiting_for_input
	exit_is 0 'stop while it asks' afw stop fix
	nok_cmd 'approves nothing' test -e "$1/made"
	waits_for '[ -z "$(own_agents)" ]' 'nothing of it is left'
	exit_is 0 'rm' afw rm fix
}

# life_commits: what it commits in its sandbox is on its branch.
life_commits()
{
	local id before
	before=$(git rev-parse af/fix)
	exit_is 0 'a commit' afw send fix \
		"commit [[tool=bash:echo x >new && git add new && git commit -qm by-the-agent]]"
	waits_for 'state fix; [ "$(json question_id "$T/.state")" != null ] ||
		[ "$(git log -1 --format=%s af/fix)" = by-the-agent ]' 'is asked for'
	id=$(json question_id "$T/.state")
	[ "$id" = null ] || answers --approve "$id"
	waits_for '[ "$(git log -1 --format=%s af/fix)" = by-the-agent ]' \
		'is imported'
	is "$(git rev-parse af/fix^)" "$before" 'on top of what was there'
	waits_for 'is_idle fix 0' 'the turn ends'
}

# life_in_sandbox HARNESS QUESTION [ARGS...]: what is not the same in
# AF_TEST_SANDBOX.
life_in_sandbox()
{
	local harness=$1 question=$2 tree=$T/.af_worktrees/repo-fix
	shift 2
	life_begins "$harness" "$@"
	is "$(json sandbox "$T/.state")" "$AF_TEST_SANDBOX" 'in its sandbox'
	[ "$AF_TEST_SANDBOX" != landlock ] ||
		is "$(json degraded "$T/.state")" '[]' 'of which nothing is missing'
	life_asks "$tree"
	life_is_interrupted
	life_is_approved "$tree" "$question"
	life_is_answered "$tree"
	life_commits
	life_goes_on
	life_ends "$tree"
}
