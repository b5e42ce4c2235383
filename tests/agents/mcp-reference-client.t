#!/bin/bash
# The bridge's MCP, checked with the protocol's reference client.
. "$(dirname "$0")/../lib.sh"
modules=${AF_TEST_AGENTS:-$HOME/.cache/afw-agents${AFW_AGENTS:+-$AFW_AGENTS}}/mcp-sdk/node_modules
[ -d "$modules/@modelcontextprotocol/sdk" ] ||
	skip_all "the MCP SDK is not installed ($modules)"
command -v node >/dev/null || skip_all 'node is not installed'
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw" .af/context
printf 'line %s\n' {1..20} >.af/context/lines
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
bridge = yes
agent_messages = yes
issues_search_command = $T/tracker {query}
ci_command = $T/tracker {branch}
END
# "wait": until its caller has taken the call back.
mkfifo "$T/never"
cat >"$T/tracker" <<END
#!/bin/bash
until [ "\$1" != wait ] || [ -e "$T/result.go" ]; do read -rt 0.05 <>"$T/never"; done
echo "\$1"
END
chmod +x "$T/tracker"

export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
exit_is 0 'a neighbour' afw new other -a demo
exit_is 0 'the client is the agent' afw new one -- \
	sh -c 'node "$@"; cat' client "$ROOT/tests/agents/mcp_client.js" "$modules" "$T/result"
waits_for 'grep -qx end "$T/result"' 'and comes to its end' \
	'afw capture one'
while read -r line; do
	case $line in
	'ok '*) pass "${line#ok }" ;;
	'not ok '*) fail "${line#not ok }" ;;
	esac
done <"$T/result"
waits_for '[ -z "$(pgrep -f "afw-tools $DATA")" ]' 'no bridge outlives its client'
is "$(state_of one subtask)" working 'its report on its work is kept'
done_testing
