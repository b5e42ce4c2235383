#!/bin/bash
# afw's own tools, by MCP: calls are answered outside of the sandbox, recorded
# in the events, and never return what the agent may not have.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw" .af/context/deep
ini=$XDG_CONFIG_HOME/afw/afw.ini
printf 'The database\nis Postgres 16.\n' >.af/context/deep/db.md
printf 'Nothing of this: \377\n' >.af/context/binary
printf 'secret of the user\n' >"$T/private"
ln -s "$T/private" .af/context/link

. "$ROOT/tests/cli/bridge.sh"

# -- not asked for -----------------------------------------------------------

agent plain
waits_for 'grep -q gone "$tree/why"' 'without bridge = yes there are no tools'
like "$(<"$tree/why")" 'no tools: this session has none .bridge' 'which it says'
disconnect

# -- the protocol ------------------------------------------------------------

cat >"$ini" <<END
bridge = yes
issues_list_command = true
END
agent one -e TOKEN=abc
ask initialize '{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}'
is "$(json result.protocolVersion)" 2025-03-26 'a version that it knows is spoken'
is "$(json id)" 1 'to the id that asked'
ask initialize '{"protocolVersion":"1999-01-01"}'
is "$(json result.protocolVersion)" 2025-11-25 'for other versions the newest is offered'
printf '{"jsonrpc":"2.0","method":"notifications/initialized"}\n\n' >&"$to"
ask ping
is "$(json id)" 3 'notifications and blank lines have no answer'
ask tools/list
like "$out" 'af_spec_read.*af_context_search.*af_issues' 'tools are listed'
unlike "$out" 'af_ci_status|af_message' 'but not one without a command'
while read -r line code what; do
	send_line "${line//_/ }"
	is "$(json error.code)" "$code" "$what"
done <<'END'
garbage -32700 no JSON
[{"jsonrpc":"2.0","id":1,"method":"ping"}] -32700 a batch
{"jsonrpc":"2.0","id":9,"id":9,"method":"ping"} -32700 a key twice
{"jsonrpc":"1.0","id":9,"method":"ping"} -32600 another JSON-RPC
{"jsonrpc":"2.0","id":9} -32600 no method
{"jsonrpc":"2.0","id":9,"Result":{}} -32600 what is no result
{"jsonrpc":"2.0","id":{},"method":"ping"} -32600 an id that is an object
{"jsonrpc":"2.0","id":1e999,"method":"ping"} -32600 an id that cannot be written
{"jsonrpc":"2.0","id":9,"method":"tools/rm"} -32601 an unknown method
{"jsonrpc":"2.0","id":9,"method":"ping","params":[]} -32602 params as a list
{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{}} -32602 no tool
END
send_line "$(head -c 1200000 /dev/zero | tr '\0' x)"
is "$(json error.message)" 'a line is over 1 MiB' 'a line that is too long is refused'
ask ping
is "$(json result)" '{}' 'and the next request is answered'
printf '{"jsonrpc":"2.0","id":7,' >&"$to"
send_line '"method":"ping"}'
is "$(json id)" 7 'a request in two halves is one request'
send_line '{"jsonrpc":"2.0","id":7,"method":"ping"}'
is "$(json id)" 7 'the same id again is answered again'

# -- the tools ---------------------------------------------------------------

use af_spec_read
is "$(field workspace) $(field branch)" 'one af/one' 'af_spec_read describes itself'
echo 'Build a wall.' >"$tree/PLAN.md"
use af_spec_read
is "$(field plan)" $'Build a wall.' 'with PLAN.md of its worktree'
ln -sf "$T/private" "$tree/PLAN.md"
use af_spec_read
is "$bad" true 'which is no link'
unlike "$out" 'secret of the user' 'to where it cannot look'
rm "$tree/PLAN.md"

use af_context_search '{"query":"databases \" OR *"}'
is "$(field found.0.name)" deep/db.md 'af_context_search finds a text'
use af_context_get '{"name":"deep/db.md","line":2}'
is "$said" 'is Postgres 16.' 'af_context_get gives it, from a line on'
use af_context_search '{"query":"secret nothing"}'
is "$(field found)" "[]" 'links and what is no text are not read'
for name in link ../afw.ini /etc/passwd deep/../../../private; do
	use af_context_get "{\"name\":\"$name\"}"
	is "$bad" true "nor is $name given"
done
echo 'Now it is SQLite.' >.af/context/deep/db.md
use af_context_search '{"query":"sqlite"}'
is "$(field found.0.name)" deep/db.md 'changed texts are found'
{
	printf 'fox €%.0s' {1..3000}
	printf '\n%s' {2..44} zebra
} >.af/context/long
use af_context_search '{"query":"zebra"}'
is "$(field found.0.name) $(field found.0.line)" 'long 41' \
	'a long line is several places, and counts as one'
use af_context_search "{\"query\":\"$(printf 'x%s ' {1..32}) sqlite\"}"
is "$(field found)" "[]" 'a 33rd word is not looked for'

use af_memory_note '{"text":"The tests need a running server."}'
like "$said" 'number 1' 'af_memory_note keeps a note'
use af_memory_recall '{"query":"servers testing"}'
is "$(field notes.0.text)" 'The tests need a running server.' 'which af_memory_recall finds'
is "$(field notes.0.session) $(field notes.0.author)" 'one generic' 'with its author'
use af_memory_note '{"text":" "}'
is "$bad" true 'an empty one is refused'
use af_memory_note '{}'
like "$said" 'text is missing' 'and none'
use af_memory_note '{"text":"x","repository":"/"}'
like "$said" "no argument 'repository'" 'and what it cannot say'

use af_sessions
is "$(field sessions.1.name)" one 'af_sessions lists its repository'
use af_wait '{"seconds":0}'
is "$(field changed)" '[]' 'af_wait: nothing has changed'
afw new waited -- cat >"$T/log" 2>&1
use af_wait '{"name":"waited"}'
is "$(field changed.0.name)" waited 'af_wait returns what has changed since'
afw rm --stop waited >"$T/log" 2>&1
use af_wait '{"name":"waited"}'
is "$(field changed.0.state)" removed 'also what was removed'
use af_wait '{"seconds":101}'
is "$bad" true 'it does not wait for longer than the bridge'
use af_message '{"to":"plain","text":"hi"}'
is "$(json error.code)" -32602 'af_message is not there unless it is allowed'

use af_subtask_state '{"state":"working","detail":"step 1\u001b[31m"}'
waits_for '[ "$(state_of one subtask)" = working ]' 'af_subtask_state is in the state'
is "$(state_of one subtask_detail)" 'step 1?[31m' 'and harmless'
like "$(afw status one)" 'subtask +working: step 1\?\[31m' 'afw status says it in words'
use af_subtask_state '{"state":"sleeping"}'
is "$bad" true 'it has few words'
use af_subtask_state '{"state":"blocked","detail":"which port?"}'
waits_for '[ "$(state_of one activity)" = waiting_for_input ]' \
	'blocked and idle, it waits for the user'
like "$(afw ls)" 'which port' 'which ls shows'
like "$(afw status -v one)" 'af_subtask_state' 'and status, by which signal'
exit_is 0 'events' afw events one --json
like "$out" '"event":"tool".*af_memory_note.*running server' 'have each call'
like "$out" '"event":"subtask","state":"blocked"' 'and what it said of itself'
exit_is 0 'keys' afw send one --keys Enter
waits_for '[ "$(state_of one activity)" != waiting_for_input ]' \
	'a session with an answer no longer waits'
is "$(state_of one subtask)$(state_of one subtask_detail)" nullnull \
	'and it does not report that'
exit_is 0 'memory' afw memory
like "$out" '1 +one +generic +The tests need' 'shows the user the notes'
exit_is 0 'forget' afw memory --forget 1
refused 1 'no note 1' 'once' afw memory --forget 1

disconnect
waits_for 'grep -q gone "$tree/why"' 'the bridge ends with its client'
is "$(<"$tree/why")" gone 'without a word'
is "$(ls "$(session_dir one)/home")" door 'and leaves nothing'
unset AF_DOOR
refused 6 'not started by an agent' 'mcp by hand' afw mcp

# -- messages ----------------------------------------------------------------

export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
echo 'agent_messages = yes' >>"$ini"
exit_is 0 'another agent' afw new other -a demo
agent two
use af_message '{"to":"other","text":"[[lines 1]]"}'
is "$said" 'It is accepted.' 'af_message sends, where the user allows it'
like "$(<"$T/log")" 'Message from the agent of session two, not from the user' \
	'marked as an agent'"'"'s'
use af_message '{"to":"two","text":"me"}'
is "$bad" true 'not to itself'
use af_message '{"to":"nobody","text":"x"}'
like "$said" "no session 'nobody'" 'and not to a missing session'
use af_message '{"to":"plain","text":"x"}'
like "$said" 'plain command' 'and not to a session that may be a shell'
# In the database, so that it holds for the next bridge, too.
exit_is 0 'stop' afw stop other
for ((i = 0; i < 19; i++)); do
	use af_message '{"to":"other","text":"x"}'
done
use af_message '{"to":"other","text":"x"}'
like "$said" '20 messages were sent within an hour' 'at most twenty an hour'
afw stop two plain >/dev/null
disconnect
is "$(pgrep -f "afw-tools $DATA")" '' 'no helper outlives its session'
done_testing
