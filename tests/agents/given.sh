#!/bin/bash
# A real agent of sections.sh that takes MCP servers, as AGENT-gets-its-servers.t:
# its model calls the server of the session, which has its variable, whose value
# afw stores in no file.
here=$(dirname "$0") agent=${0##*/}
agent=${agent%%-*}
. "$here/../lib.sh"
without_sanitizers 'Claude Code does'
. "$here/sections.sh"
export TOLD='the server says kiwi, terces-yrev'
section_begins "$agent"
mcp_file
exit_is 0 'a session with a server' afw new fix -a "$agent" \
	--mcp "$T/mcp.json" -e TOKEN=very-secret \
	-m 'first task [[text=the first answer]]' -- "${ASKS[@]}"
is_state fix running/completed
# Qwen Code offers the tools of servers only after a search.
[ "$agent" != qwen ] || exit_is 0 'a search for the tool' afw send fix -w -t 240s \
	'search [[tool=tool_search:{"query":"select:mcp__own__ask"}]]'
asks_mcp fix
is "$(grep -rl very-secret "$XDG_DATA_HOME" "$HOME" 2>/dev/null)" '' \
	'no file has the value'
exit_is 0 'stop' afw stop fix
agent_end
