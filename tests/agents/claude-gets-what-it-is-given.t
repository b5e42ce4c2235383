#!/bin/bash
# Claude Code calls the MCP server of its session, which has its variable, whose
# value afw stores in no file; its instructions reach the model.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
export LOOK_FOR=be-very-brief TOLD='the server says kiwi, terces-yrev'
claude_env
export ENABLE_TOOL_SEARCH=false # else it offers them only when asked
make_repo "$T/repo"
claude_trusts "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'trust' afw trust -y
echo be-very-brief >"$T/rules.md"
# gets HARNESS: a session of it has all that it was given.
gets()
{
	: >"$REQUESTS"
	mcp_file
	exit_is 0 "new $1" afw new "$1" -a "$1" --mcp "$T/mcp.json" \
		-e TOKEN=very-secret --instructions "$T/rules.md" \
		-m 'first task [[text=the first answer]]' -- "${ASKS[@]}"
	is_state "$1" running/completed
	is "$(_requests 'console.log(main.every((r) => r.system))')" true \
		'the model has the instructions'
	asks_mcp "$1"
	is "$(grep -rl very-secret "$XDG_DATA_HOME" "$HOME" 2>/dev/null)" '' \
		'no file has the value'
	exit_is 0 'rm' afw rm --stop "$1"
}
gets claude
agent_end
