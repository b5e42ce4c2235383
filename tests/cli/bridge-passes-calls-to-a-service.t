#!/bin/bash
# With coordination set, another service provides the agent's tools: it is told
# which agent calls, and its mistakes do no harm.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
. "$ROOT/tests/cli/bridge.sh"
mkdir -p "$XDG_CONFIG_HOME/afw" "$DATA/templates/worker"
ini=$XDG_CONFIG_HOME/afw/afw.ini
touch "$DATA/templates/worker/template.ini"

coproc SERVICE { exec perl "$ROOT/tests/cli/service.pl" "$T/service" "$T/log"; }
read -r _ <&"${SERVICE[0]}"
service=$SERVICE_PID
trap 'kill "$service" 2>/dev/null || :; _exit' EXIT
echo secret-token >"$T/token"
cat >"$ini" <<END
bridge = yes
coordination = unix:$T/service
coordination_token = cat $T/token
END
agent one -t worker
ask initialize '{"protocolVersion":"2025-06-18"}'
is "$(json result.serverInfo.name)" afw 'the bridge itself is ours'
ask tools/list
is "$(json result.tools.0.name)" hello 'its tools are listed'
unlike "$out" af_memory 'and not our own'
use hello '{"to":"world"}'
is "$said" hello 'one answers'
sent=$(tail -n 1 "$T/log")
like "$sent" '^Bearer secret-token ' 'it had the token of the user'"'"'s command'
body={${sent#*\{}
is "$(json params.arguments.to /dev/stdin <<<"$body")" world 'the arguments'
for pair in workspace=one agent=generic role=worker branch=af/one \
	"repository=$T/repo" "session=$(state_of one id)"; do
	is "$("$BUILD/tests/tools/jsonget" "params._meta.afw/${pair%%=*}" \
		<<<"$body")" "${pair#*=}" "and its ${pair%%=*}"
done
like "$sent" '"afw/run":"[0-9a-f]{16}"' 'and its run'
unlike "$(cat "$(session_dir one)"/*.json* "/proc/$(state_of one pid)/environ" | tr '\0' '\n')" \
	'secret-token' 'the token is in no file'
while read -r tool why; do
	use "$tool"
	is "$bad" true "$tool"
	like "$said" "coordination service: $why" 'says why'
done <<'END'
broken it answers with status 500
garbage .*not
other its answer belongs to another request
refused not you
big its answer is over 1 MiB
END
use hello
is "$said" hello 'and the next call is answered'
is "$(ls "$DATA"/memory.db* 2>/dev/null)" '' 'nothing is kept here'
# Idle for its 30 s; what is asked meanwhile waits.
use slow
like "$said" 'coordination service: Timeout was reached' 'a service that never answers is given up'
kill "$service"
wait "$service" 2>/dev/null
use hello
like "$said" 'coordination service: ' 'a missing one'
is "$bad" true 'is reported'
ask tools/list
like "$(json error.message)" 'coordination service: ' 'and has no tools'
disconnect
afw stop one >/dev/null
refused 1 'afw.ini:.*not one of http' 'a value that is not a service is refused' \
	sh -c "echo 'coordination = ftp://x' >'$ini' && exec afw config"
done_testing
