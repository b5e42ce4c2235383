# newcomer.sh - a user who has not logged in and trusts nothing yet: what
# the agent asks first is shown as a question, nothing is typed into it, and
# the task that was kept meanwhile arrives when the user has answered.
# Sourced after agent.sh.

# newcomer_starts HARNESS [ARGS...]: "fix", with a task that has to wait.
newcomer_starts()
{
	local harness=$1
	shift
	exit_is 0 'new, as a newcomer' afw new fix -a "$harness" \
		-m 'kept [[text=it-arrived]]' -- "$@"
}

# newcomer_asked DETAIL: it asks that, and only a person can answer. For 2 s: an
# agent that restarts itself shows its last question for a moment.
newcomer_asked()
{
	_asked=$1
	_asks='[ "$(state fix)" = running/waiting_for_input ] &&
		[[ $(json detail "$T/.state") =~ $_asked ]]'
	waits_for 'eval "$_asks" && ! within 2 "! { $_asks; }"' "it asks: $1" \
		'afw status fix; afw capture fix'
	refused 9 'asks something first' 'a message is refused' \
		afw send fix 'yes'
	refused 9 'asks something first' 'a raw one, too' \
		afw send fix --raw '1'
	is "$(grep -c '"receipt":"pasted"' "$(session_dir fix)/events.jsonl")" \
		0 'nothing has been typed into it'
}

# newcomer_presses SCREEN KEY...: the user, who sees SCREEN, until it is gone:
# for a moment after a dialog has come up some ignore keys.
newcomer_presses()
{
	_screen=$1
	shift
	_keys=("$@")
	wait_for 'afw capture fix | grep -qF -- "$_screen"' 'afw capture fix'
	wait_for 'afw send --keys fix "${_keys[@]}"; within 30 \
		"afw capture fix >\"\$T/.seen\" &&
			! grep -qF -- \"\$_screen\" \"\$T/.seen\""' 'afw capture fix'
}

# newcomer_moves KEY SCREEN: until it shows that.
newcomer_moves()
{
	_key=$1 _screen=$2
	waits_for 'run afw send --keys fix "$_key"; within 30 \
		"afw capture fix | grep -qF -- \"\$_screen\""' \
		"the user goes to: $2" \
		'echo "the last key: $code $err"; afw status fix -v; afw capture fix'
}

# newcomer_chooses KEY SCREEN: by KEY until it shows SCREEN, and for 2 s (for a
# moment after a dialog has appeared some draw it again, with its first choice),
# and Enter, until it asks that no more.
newcomer_chooses()
{
	_key=$1 _screen=$2
	_shows='afw capture fix | grep -qF -- "$_screen"'
	state fix >"$T/null"
	_was=$(json detail "$T/.state")
	waits_for 'eval "$_shows" || afw send --keys fix "$_key"
		within 10 "$_shows" && ! within 2 "! $_shows" &&
			afw send --keys fix Enter && within 10 "state fix >\"\$T/null\"
				[ \"\$(json detail \"\$T/.state\")\" != \"\$_was\" ]"' \
		"the user chooses: $2"
}

newcomer_goes_on()
{
	is_state fix running/completed
	is "$(turns)" 1 'the model is asked once'
	is "$(last_text)" 'kept [[text=it-arrived]]' \
		'the task arrives as it was'
	is "$(find "$T" -name owned)" '' 'and nothing else has happened'
}
