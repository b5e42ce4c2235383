# tools.sh - turns of a real agent in which its model calls afw's own tools,
# without a sandbox and in landlock. Sourced after agent.sh, in place of a
# script's own body:
#
#	uses_its_tools codex
here=$(dirname "${BASH_SOURCE[0]}")
export TOLD='Noted: number' AF_TEST_SANDBOX=landlock
export ENABLE_TOOL_SEARCH=false # else Claude offers them only when asked

# uses_tools HARNESS TIER
uses_tools()
{
	: >"$REQUESTS"
	exit_is 0 "$2" afw new "$2" -a "$1" --sandbox "$2" \
		-m 'first [[text=the first answer]]' -- "${ASKS[@]}"
	is_state "$2" running/completed
	exit_is 0 'a message that leads to a tool of ours' afw send "$2" \
		'note it [[tool=*af_memory_note:{"text":"ripe kiwis"}]]'
	waits_for 'grep -q "\"told\":true" "$REQUESTS"' \
		'which answers the model, without a question'
	is_state "$2" running/completed
	like "$(afw memory)" "$2 +$1 +ripe kiwis" 'the note is kept'
	exit_is 0 'a session in which it cannot continue' afw send "$2" \
		'ask [[tool=*af_subtask_state:{"state":"blocked","detail":"which port?"}]]'
	is_state "$2" running/waiting_for_input
	like "$(afw ls)" 'which port' 'ls says what it needs'
	exit_is 0 'an answer' afw send "$2" 'port 80 [[text=thanks]]'
	is_state "$2" running/completed
	exit_is 0 'rm' afw rm --stop "$2"
	waits_for '! pgrep -f "afw-tools $XDG_DATA_HOME"' 'no helper is left'
}

uses_its_tools()
{
	agent_begins "$1"
	echo 'bridge = yes' >>"$XDG_CONFIG_HOME/afw/afw.ini"
	uses_tools "$1" none
	if [[ $("$BUILD/afw-supervisor" confine) == *yes ]]; then
		uses_tools "$1" landlock
	else
		skip 9 'no landlock here'
	fi
	agent_end
}
