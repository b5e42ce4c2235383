# agent.sh - runs the real agents offline, with model_server.js instead of a
# model, each test with a home of its own. Source it after lib.sh:
#
#	agent_env codex Codex	skips the script without the CLI or node
#	...
#	agent_end		instead of done_testing
#
# It searches the CLI in AF_TEST_AGENTS (~/.cache/afw-agents, one npm prefix
# for each agent: share/setup agents; with AFW_AGENTS=newest it is
# ~/.cache/afw-agents-newest), then in the PATH.

# agent_env PROGRAM TITLE: afw_env, the CLI in the PATH, MODEL (the server's
# address).
agent_env()
{
	local agents=$HOME/.cache/afw-agents${AFW_AGENTS:+-$AFW_AGENTS}
	agents=${AF_TEST_AGENTS:-$agents}
	local bin=$agents/$1/node_modules/.bin
	# Kilo's package has no .bin.
	[ "$1" != kilo ] || bin=$agents/kilo/node_modules/@kilocode/cli-linux-x64/bin
	if [ ! -x "$bin/$1" ]; then
		bin=$(command -v "$1") ||
			skip_all "$2 is not installed ($agents/$1)"
		bin=${bin%/*}
	fi
	command -v node >/dev/null || skip_all 'node is not installed'
	afw_env
	export PATH="$PATH:$bin"
	if [ -n "${AF_TEST_BACKEND-}" ]; then
		mkdir -p "$XDG_CONFIG_HOME/afw"
		# And with no more of the environment than it says that it needs;
		# LOCAL_KEY is named in the configuration that Codex gets.
		printf 'backend = %s\nenv_pass = LOCAL_KEY\n' \
			"$AF_TEST_BACKEND" >"$XDG_CONFIG_HOME/afw/afw.ini"
	fi
	if [ -n "${AF_TEST_SANDBOX-}" ]; then
		mkdir -p "$XDG_CONFIG_HOME/afw"
		printf 'sandbox = %s\nenv_pass = LOCAL_KEY ENABLE_TOOL_SEARCH\nsandbox_read = %s\n' \
			"$AF_TEST_SANDBOX" "$ROOT/tests/agents $T/word" \
			>"$XDG_CONFIG_HOME/afw/afw.ini"
	fi

	REQUESTS=$T/requests EVENTS=${EVENTS:-$T/events}
	export EVENTS
	: >"$REQUESTS"
	node "$ROOT/tests/agents/model_server.js" "$REQUESTS" \
		>"$T/server" 2>&1 &
	SERVER=$!
	wait_for 'grep -q ^READY "$T/server"' 'cat "$T/server"'
	MODEL=http://127.0.0.1:$(sed 's/READY //' "$T/server")
}

# agent_begins HARNESS: its environment, in a repository that is trusted.
agent_begins()
{
	"$1_env"
	make_repo "$T/repo"
	cd "$T/repo" || exit 2
	exit_is 0 'trust' afw trust -y
	[ "$1" != claude ] || claude_trusts "$T/repo"
}

# mcp_file: writes $T/mcp.json with mcp_server.js as "own", which needs the
# variable TOKEN, and does not finish starting while the file $T/hold exists.
# Export before agent_env:
#	TOLD='the server says kiwi, <value of TOKEN, reversed>'
mcp_file()
{
	echo kiwi >"$T/word"
	cat >"$T/mcp.json" <<-END
	{"mcpServers": {"own": {"command": "node",
	 "args": ["$ROOT/tests/agents/mcp_server.js", "$T/word", "$T/hold"],
	 "env": {"TOKEN": "\${TOKEN}"}}}}
	END
}

# asks_mcp NAME: the model calls that server's tool, the user allows it if the
# agent asks, and the model gets the server's answer.
asks_mcp()
{
	exit_is 0 'a message that leads to its MCP server' afw send "$1" \
		'ask the server [[tool=*ask:{"question":"which?"}]]'
	waits_for "grep -q '\"told\":true' \"\$REQUESTS\" || {
		[ \"\$(state $1)\" != running/waiting_for_input ] ||
			afw send --keys $1 Enter; within 1 false; }" \
		'whose answer reaches the model' "afw capture '$1'"
	is_state "$1" running/completed
}

agent_end()
{
	local pid
	for pid in $(own_pids); do
		case $(readlink "/proc/$pid/exe") in
		*/afw-supervisor*) kill -TERM "$pid" 2>/dev/null ;;
		esac
	done
	kill "$SERVER" 2>/dev/null
	wait "$SERVER" 2>/dev/null
	done_testing
}

# turns: prints how many requests had a message of the user so far.
turns()
{
	_whole_requests ',"after":false' -c
}

# last_text: prints the text of the newest of them.
last_text()
{
	_whole_requests '' | tail -n 1 | _json text /dev/stdin
}

# all_texts: prints all texts of the user in the newest of them, as JSON.
all_texts()
{
	_requests 'console.log(JSON.stringify(main[main.length-1].texts))'
}

# arrived FILE: that text is FILE's, except blanks at the ends (the guard's),
# tabs, which Claude Code turns into spaces, and the joiner by which Gemini CLI
# and OpenCode do not take it as a command.
arrived()
{
	_requests 'const want = fs.readFileSync(process.argv[2], "utf8");
		const plain = (s) => s.replace(/\t/g, "    ")
			.replace(/^[\u2060\u00ad]|\u2060$/, "").trim();
		const got = main[main.length - 1].text;
		if (plain(got) !== plain(want)) {
			console.error("# got:  " + JSON.stringify(got.slice(0, 300)));
			console.error("# sent: " + JSON.stringify(want.slice(0, 300)));
			process.exit(1);
		}' "$1"
}

# own_agents: prints the running processes of this test, except the model server.
own_agents()
{
	local pid line
	for pid in $(_alive); do
		[ "$pid" != "$SERVER" ] && [ "$pid" != $$ ] || continue
		line=$(tr '\0' ' ' <"/proc/$pid/cmdline")
		# podman's own, for all containers.
		[ "$line" = 'catatonit -P ' ] || echo "$line"
	done
}

# message NAME TEXT: sends TEXT to fix and checks what arrives; it may have
# escapes of printf's %b, as \n.
message()
{
	local before
	before=$(turns)
	printf '%b' "$2" >"$T/message"
	exit_is 0 "$1: send" afw send fix -F "$T/message" || return
	wait_for "[ \$(turns) -gt $before ]" 'afw capture fix'
	ok_cmd "$1: arrives as it is" arrived "$T/message"
	is_state fix running/completed
}

# _whole_requests MORE [-c]: prints the lines of the requests with tools. For
# repeated checks: node takes twenty times as long as grep.
_whole_requests()
{
	local begin='^\{"n":[0-9]+,"tools":[1-9][0-9]*'
	LC_ALL=C grep ${2-} -E "$begin$1"',.*"told":(true|false)\}$' "$REQUESTS"
}

# _requests JAVASCRIPT [ARG]: main has the requests with tools.
_requests()
{
	node -e 'const fs = require("fs");
		const main = fs.readFileSync(process.argv[1], "utf8")
			.split("\n").slice(0, -1).map((l) => JSON.parse(l))
			.filter((r) => r.tools > 0);'"$1" "$REQUESTS" "${2-}"
}

# state NAME: prints phase and activity, as "running/completed".
state()
{
	afw status "$1" --json >"$T/.state" &&
		echo "$(json phase "$T/.state")/$(json activity "$T/.state")"
}

# is_state NAME STATE: a result: the session reaches STATE.
is_state()
{
	waits_for "[ \"\$(state $1)\" = $2 ]" "$1 is $2" \
		"afw status '$1'; afw capture '$1'"
}

# knows_conversation NAME: a hook has reported the id of its conversation, which
# is in $T/.state.
knows_conversation()
{
	waits_for "state $1 &&
		[[ \$(json conversation '$T/.state') =~ ^[0-9a-f-]{36}\$ ]]" \
		'the id of its conversation is known'
}

# interrupted NAME SAYING: its question disappears, and it is idle. Some agents
# ignore keys for a moment after a dialog has appeared.
interrupted()
{
	exit_is 0 "$2" afw interrupt "$1"
	waits_for "within 20 'is_idle $1 0' || {
		[ \"\$(state $1)\" != running/waiting_for_input ] ||
			afw interrupt $1; false; }" 'it is idle'
}

# opens NAME KEY: the user opens a dialog by that key right after a start, and
# closes it; nothing can be sent in between. Keys that come too early are lost.
opens()
{
	_opened="[ \"\$(state $1)\" = running/waiting_for_input ]"
	waits_for "$_opened || { afw send --keys $1 $2; within 5 '$_opened'; }" \
		'the user opens something after the start'
	refused 9 "open in place of its input field" 'which refuses a message' \
		afw send "$1" 'not now'
	waits_for "is_idle $1 0 || { afw send --keys $1 Escape
		within 5 'is_idle $1 0'; }" 'until it is closed'
}

# is_idle NAME SECONDS: it becomes idle or completed; with 0, it is so now.
is_idle()
{
	within "$2" "case \$(state $1) in
		running/idle|running/completed) ;; *) false; esac"
}
