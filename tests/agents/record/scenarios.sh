# scenarios.sh - what is played. Sourced by record.
#
# A scenario plays with the functions below and sets nothing; the terminal is
# looked at by a user all the while (afw attach in tmux), whose keys these are.
#
# Work is what costs bytes (a spinner is drawn ten times a second), so it is as
# short as it can be and still outlasts the longest doubt (activity.h: 4 s);
# rest costs nothing.
session=s

scenarios_of()
{
	echo idle busy tool-running interrupted api-error resumed queued
	[ "$1" = pi ] || echo approval denied
	case $1 in
	pi | copilot | qwen | kilo | cline | letta) return ;;
	opencode) echo help-window ;;
	*) echo first-run ;;
	esac
	echo thinking long-output overlays question limits limit-words
	[ "$1" != claude ] || echo retrying auto-mode
}

# run_tool COMMAND: the directive for a tool call that needs no permission.
run_tool()
{
	# shellcheck disable=SC2059
	printf "[[tool=${TOOL:-bash:%s}]]" "$1"
}

# act WORD [JSON]: what the person does, for the truth.
act()
{
	local t=${EPOCHREALTIME/./}
	printf '%s act %s %s\n' "${t%???}" "$1" "${2-}" >>"$TRUTH"
}

# expect ACTIVITY PATTERN: from when this is printed, that is the truth. For
# what neither the model nor a hook knows.
expect()
{
	act expect "$(node -e 'console.log(JSON.stringify({
		activity: process.argv[1], output: process.argv[2] }))' "$1" "$2")"
}

# expect_question: the same for the question of an agent that tells nobody.
expect_question()
{
	case $harness in
	qwen | kilo | cline | letta)
		expect waiting_for_input "${ASKED// /\\s*}"
		;;
	esac
}

# hold SECONDS: time goes by.
hold()
{
	local end=$((${EPOCHREALTIME/./} + $1 * 1000000))
	while [ "${EPOCHREALTIME/./}" -lt "$end" ]; do nap; done
}

# printed PATTERN [SECONDS]: waits until it is on the screen.
printed()
{
	local _re=$1
	wait_for 'tmux_screen | tr "\n" " " | grep -qE -- "$_re"'
}

# begin COLS ROWS [ARGS...]: the session, and a user who looks at it.
begin()
{
	local cols=$1 rows=$2
	shift 2
	expect "${FIRST:-idle}" "${FIRST_TEXT:-$READY}"
	afw new "$session" -a "$harness" -- "$@" >"$T/new" 2>&1 || {
		fail 'the session starts'
		diag "$(cat "$T/new")"
		exit 1
	}
	look "$cols" "$rows"
}

look()
{
	tmux_start "$1" "$2" afw attach "$session"
	[ -n "${FIRST-}" ] || wait_for \
		'afw capture "$session" | node -e "process.exit(
		new RegExp(process.argv[1]).test(require(\"fs\").readFileSync(0,
		\"utf8\").replace(/\n/g, \" \")) ? 0 : 1)" "$READY"'
	ok $? 'it is ready' || exit 1
	hold 3
}

# say TEXT: typed by the user.
say()
{
	tmux_paste "$1"
	hold 1
	act submit
	tmux_keys Enter
}

# press WORD KEY...: keys that mean WORD (approve, deny, esc, starts), the last.
press()
{
	each_said=$1
	each "${@:2}"
	each_said=
}

# given: how many last words of the model there were.
given()
{
	grep 'server answer' "$TRUTH" | grep -vc '"tool"'
}

# answers N: waits until the model has given its last word N times.
answers()
{
	local _n_answers=$1
	waits_for '[ "$(given)" -ge "$_n_answers" ]' "$1 answers"
}

# begun: waits until the model is asked, on however slow a machine.
begun()
{
	waits_for 'grep -q "server request" "$TRUTH"' 'the model is asked'
}

# each KEY...: presses them, 400 ms apart; the last means each_said.
each_said=
each()
{
	local end
	while [ $# -gt 1 ]; do
		tmux_keys "$1"
		shift
		end=$((${EPOCHREALTIME/./} + 400000))
		while [ "${EPOCHREALTIME/./}" -lt "$end" ]; do nap; done
	done
	[ -z "$each_said" ] || act "$each_said"
	tmux_keys "$1"
}

interrupt()
{
	act esc
	# shellcheck disable=SC2086
	each $INTERRUPT
}

scenario_idle()
{
	begin 100 30 "${ARGS[@]}"
	hold 10
	tmux_type 'a draft that is never sent'
	hold 6
	tmux_keys C-u
	hold 8
}

scenario_busy()
{
	begin 100 30 "${ARGS[@]}"
	say "tell me a story [[slow=8]] [[text=$(printf 'Once upon a time there was line %s. ' {1..25})]]"
	answers 1
	hold 15
	say 'and now be short [[think=4]] [[text=short]]'
	answers 2
	hold 15
}

scenario_thinking()
{
	begin 80 24 "${ARGS[@]}"
	afw send "$session" 'think well [[think=12]] [[text=thought]]' >"$T/sent"
	answers 1
	hold 20
}

scenario_tool_running()
{
	begin 120 40 "${FREE[@]}"
	say 'run it '"$(run_tool 'echo begins; sleep 8; echo ends')"
	answers 1
	hold 20
}

scenario_approval()
{
	begin 100 30 "${ARGS[@]}"
	expect_question
	say "make it [[think=2]] [[tool=bash:touch made; sleep 5]]"
	printed "$ASKED"
	hold 15
	press approve "${APPROVE:-Enter}"
	answers 1
	hold 15
}

scenario_denied()
{
	begin 80 30 "${ARGS[@]}"
	expect_question
	afw send "$session" "make it [[tool=bash:touch made]]" >"$T/sent"
	printed "$ASKED"
	hold 12
	# shellcheck disable=SC2086
	press esc ${DENY:-Escape}
	hold 15
	say 'do something else [[think=3]] [[text=done]]'
	answers 1
	hold 12
}

scenario_question()
{
	begin 100 40 "${ARGS[@]}"
	say "ask me $QUESTION"
	printed "$QUESTION_TEXT"
	hold 15
	press approve Enter
	hold 2
	[ "$(given)" -gt 0 ] || press approve Enter
	answers 1
	hold 12
}

scenario_interrupted()
{
	begin 100 30 "${ARGS[@]}"
	say 'take long [[think=90]]'
	begun
	hold 6
	interrupt
	hold 20
	tmux_keys C-u
	hold 1
	say 'once more [[think=4]] [[text=fine]]'
	answers 1
	hold 12
}

scenario_api_error()
{
	begin 100 30 "${ARGS[@]}"
	say 'fail [[err=400]]'
	hold 20
	say 'once more [[think=4]] [[text=fine]]'
	answers 1
	hold 15
}

scenario_retrying()
{
	begin 100 30 "${ARGS[@]}"
	say 'fail [[err=529]]'
	hold 12
	interrupt
	hold 15
}

# Its check is refused offline: it asks whether to stay, and then for the action,
# in a menu without numbers whose marker is on No.
scenario_auto_mode()
{
	begin 120 40 --permission-mode auto
	expect waiting_for_input 'Enter to stay'
	say 'make it [[think=2]] [[tool=bash:make all; sleep 5]]'
	printed 'Enter to stay'
	hold 12
	tmux_keys Enter
	printed '❯ No .*Yes'
	hold 12
	tmux_keys Down
	hold 1
	press approve Enter
	answers 1
	hold 12
}

scenario_queued()
{
	begin 100 30 "${ARGS[@]}"
	say 'first [[think=9]] [[text=one]]'
	begun
	hold 1
	say 'second [[think=3]] [[text=two]]'
	hold 1
	say 'third [[think=3]] [[text=three]]'
	# Some give both to the model at once.
	answers 2
	hold 25
}

scenario_long_output()
{
	begin 100 30 "${ARGS[@]}"
	say "$(printf 'count [[slow=6]] [[text='; printf 'line %s of a long answer  \n' {1..50}; printf ']]')"
	answers 1
	hold 20
}

scenario_first_run()
{
	FIRST=waiting_for_input FIRST_TEXT=$DIALOG begin 100 30 "${ARGS[@]}"
	printed "$DIALOG"
	hold 15
	expect idle "$READY"
	case $harness in
	claude) tmux_keys Up; hold 1; press starts Enter ;;
	*) press starts Enter ;;
	esac
	hold 20
}

scenario_help_window()
{
	begin 100 30
	hold 5
	expect waiting_for_input 'Commands'
	tmux_keys C-p
	hold 10
	act rest
	tmux_keys Escape
	hold 10
}

# overlay KEYS OPEN KEYS: what the first open in place of its input field, whose
# screen has OPEN; the last close it.
overlay()
{
	expect waiting_for_input "$2"
	# shellcheck disable=SC2086
	tmux_keys $1
	printed "$2"
	hold 6
	act rest
	# shellcheck disable=SC2086
	tmux_keys $3
	hold 6
}

# Behind a turn, so that there is a history to search.
scenario_overlays()
{
	local title keys
	begin 100 40 "${ARGS[@]}"
	say 'remember this [[think=2]] [[text=remembered]]'
	answers 1
	hold 8
	case $harness in
	claude)
		overlay C-r everywhere Escape
		overlay C-o verbose C-o
		tmux_type /theme
		hold 1
		overlay Enter Monokai Escape
		;;
	codex)
		overlay C-r 'reverse-i-search' Escape
		overlay F3 'full transcript' Escape
		tmux_type /keymap
		hold 1
		overlay Enter 'left/right group' 'Escape'
		tmux_type /resume
		hold 1
		overlay Enter 'Resume a previous session' 'Escape'
		;;
	gemini)
		overlay C-r '\(r:\)' Escape
		tmux_type /theme
		hold 1
		overlay Enter 'Select Theme' Escape
		;;
	opencode) # models, sessions, themes, help
		for keys in 'C-x m' 'C-x l' 'C-x t' /help; do
			case $keys in
			*m) title='Select model' ;;
			*l) title=Sessions ;;
			*t) title=Themes ;;
			*) title=Help ;;
			esac
			[ "$keys" != /help ] || { tmux_type /help; keys=Enter; hold 2; }
			expect waiting_for_input "${title// /\\s*}\\s*esc"
			# shellcheck disable=SC2086
			tmux_keys $keys
			printed "$title +esc"
			hold 6
			act rest
			tmux_keys Escape
			hold 6
		done
		return
		;;
	esac
	say 'go on [[think=4]] [[text=goes on]]'
	answers 2
	hold 10
}

scenario_resumed()
{
	begin 100 30 "${ARGS[@]}"
	say 'remember this [[think=3]] [[text=remembered]]'
	answers 1
	hold 10
	tmux_stop
	act gone
	READY=${AGAIN:-$READY}
	afw suspend "$session" >"$T/out" 2>&1 && {
		expect idle "$READY"
		afw resume "$session" >>"$T/out" 2>&1
	} || { fail 'it is resumed'; diag "$(cat "$T/out")"; exit 1; }
	look 100 30
	hold 10
	say 'go on [[think=4]] [[text=goes on]]'
	answers 2
	hold 15
}

# limit KIND SECONDS [UNTIL]: a message that runs into that limit, which is over
# after UNTIL seconds; SECONDS after its last error.
limit()
{
	local _errors
	_errors=$(grep -c 'server error' "$TRUTH")
	say "$1 [[limit=${3-7200},$1]] [[text=went on]]"
	waits_for '[ "$(grep -c "server error" "$TRUTH")" -gt "$_errors" ]' "$1"
	hold "$2"
}

# Each kind of limit, one after the other. OpenCode tries again until it is over.
scenario_limits()
{
	local kind n=0
	begin 100 40 "${ARGS[@]}"
	case $harness in
	claude)
		for kind in usage week model rate credit; do limit $kind 6; done
		;;
	codex)
		# It has no hook for such an end: see truth.js.
		for kind in credit busy login; do limit $kind 28; done
		expect waiting_for_input 'Approaching'
		limit usage 8
		act rest
		tmux_keys 2
		hold 7
		;;
	gemini)
		limit login 25
		expect waiting_for_input 'Keep\s*trying'
		limit usage 20
		;;
	opencode)
		limit login 10
		for kind in usage rate credit busy; do
			limit $kind 1 5
			n=$((n + 1))
			answers $n
			hold 8
		done
		;;
	esac
}

# The model writes what the agents' own programs say at a limit.
scenario_limit_words()
{
	local words="You've hit your usage limit. Resets in 7260s."
	words+=$'\n⎿  You\'ve hit your 5-hour limit · resets 4:29pm (UTC)'
	words+=$'\n● Usage limit reached · continuing automatically at 4:29pm'
	words+=$'\n■ You’ve hit your usage limit. Try again at 4:21 PM.'
	words+=$'\n│ Usage limit reached for gemini-3.8-flash. │'
	words+=$'\nPlease run /login · API Error: 401 OAuth token has expired.'
	begin 100 40 "${ARGS[@]}"
	say "quote [[think=1]] [[text=API Error: $words]]"
	answers 1
	hold 12
}
