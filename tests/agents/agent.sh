# agent.sh - the real agents, offline: against model_server.js, each test with
# a home of its own. Sourced after lib.sh:
#
#	agent_env codex Codex	skips all where the CLI or node is not there
#	...
#	agent_end		instead of done_testing
#
# A CLI is looked for in AF_TEST_AGENTS (~/.cache/afw-agents, one npm prefix
# for each agent: share/setup agents; with AFW_AGENTS=newest it is
# ~/.cache/afw-agents-newest), then in the PATH.

# agent_env PROGRAM TITLE: afw_env, the CLI in the PATH, MODEL (the server's
# address).
agent_env()
{
	local agents=$HOME/.cache/afw-agents${AFW_AGENTS:+-$AFW_AGENTS}
	agents=${AF_TEST_AGENTS:-$agents}
	local bin=$agents/$1/node_modules/.bin
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

	REQUESTS=$T/requests
	: >"$REQUESTS"
	node "$ROOT/tests/agents/model_server.js" "$REQUESTS" \
		>"$T/server" 2>&1 &
	SERVER=$!
	wait_for 'grep -q ^READY "$T/server"' ||
		{ diag "$(cat "$T/server")"; exit 2; }
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

# mcp_file: writes $T/mcp.json with mcp_server.js as "own", which wants the
# variable TOKEN, and does not finish starting while there is a file $T/hold.
# To be exported before agent_env:
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

# asks_mcp NAME: its model calls that server's tool, the user says yes where
# that is asked, and what the server answers comes back to the model.
asks_mcp()
{
	exit_is 0 'a message that leads to its MCP server' afw send "$1" \
		'ask the server [[tool=*ask:{"question":"which?"}]]'
	wait_for "grep -q '\"told\":true' \"\$REQUESTS\" || {
		[ \"\$(state $1)\" != running/waiting_for_input ] ||
			afw send --keys $1 Enter; within 1 false; }"
	ok $? 'whose answer reaches the model' || diag "$(afw capture "$1")"
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

# turns: how many requests with a message of the user's came in so far.
turns()
{
	_whole_requests ',"after":false' -c
}

# last_text: the text of the newest of them.
last_text()
{
	_whole_requests '' | tail -n 1 | "$BUILD/tests/tools/jsonget" text
}

# all_texts: all of the user's in the newest of them, as JSON.
all_texts()
{
	_requests 'console.log(JSON.stringify(main[main.length-1].texts))'
}

# arrived FILE: that text is FILE's, but for blanks at the ends (the guard's)
# and tabs, which Claude Code turns into spaces, and the joiner that keeps
# Gemini CLI and OpenCode from taking a command.
arrived()
{
	_requests 'const want = fs.readFileSync(process.argv[2], "utf8");
		const plain = (s) => s.replace(/\t/g, "    ")
			.replace(/^\u2060|\u2060$/, "").trim();
		const got = main[main.length - 1].text;
		if (plain(got) !== plain(want)) {
			console.log("# got:  " + JSON.stringify(got.slice(0, 300)));
			console.log("# sent: " + JSON.stringify(want.slice(0, 300)));
			process.exit(1);
		}' "$1"
}

# own_agents: what still lives of this test but for the model server.
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

# message NAME TEXT: sends it to fix and looks what arrives; \n and other
# escapes of printf's %b are made.
message()
{
	local before
	before=$(turns)
	printf '%b' "$2" >"$T/message"
	exit_is 0 "$1: send" afw send fix -F "$T/message" || {
		diag "$(afw capture fix)"
		return
	}
	wait_for "[ \$(turns) -gt $before ]"
	ok_cmd "$1: arrives as it is" arrived "$T/message"
	wait_for '[ "$(state fix)" = running/completed ]' ||
		fail "$1: the turn ends"
}

# _whole_requests MORE [-c]: the lines of the requests with tools. For what is
# looked at again and again: a node takes twenty times a grep's time.
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

# state NAME: phase and activity, as in "running/completed".
state()
{
	afw status "$1" --json >"$T/.state" &&
		echo "$(json phase "$T/.state")/$(json activity "$T/.state")"
}

# is_state NAME STATE: it gets there.
is_state()
{
	if wait_for "[ \"\$(state $1)\" = $2 ]"; then
		pass "$1 is $2"
	else
		fail "$1 is $2 (it is $(state "$1"))"
		diag "$(afw status "$1")"
		diag "$(afw capture "$1")"
		return 1
	fi
}

# knows_conversation NAME: the id of its conversation, which a hook tells, has
# come to be in $T/.state.
knows_conversation()
{
	waits_for "state $1 &&
		[[ \$(json conversation '$T/.state') =~ ^[0-9a-f-]{36}\$ ]]" \
		'the id of its conversation is known'
}

# interrupted NAME SAYING: its question goes, it rests. For a moment after a
# dialog has come up some ignore keys.
interrupted()
{
	exit_is 0 "$2" afw interrupt "$1"
	waits_for "within 20 'rests $1 0' || {
		[ \"\$(state $1)\" != running/waiting_for_input ] ||
			afw interrupt $1; false; }" 'it rests'
}

# opens NAME KEY: the user opens something by that key right after a start, and
# closes it; in between nothing can be sent. Keys that come too early are lost.
opens()
{
	_opened="[ \"\$(state $1)\" = running/waiting_for_input ]"
	waits_for "$_opened || { afw send --keys $1 $2; within 5 '$_opened'; }" \
		'the user opens something after the start'
	refused 9 "open in its composer's place" 'which refuses a message' \
		afw send "$1" 'not now'
	waits_for "rests $1 0 || { afw send --keys $1 Escape
		within 5 'rests $1 0'; }" 'until it is closed'
}

# rests NAME SECONDS: it gets idle or completed; with 0, it is so now.
rests()
{
	within "$2" "case \$(state $1) in
		running/idle|running/completed) ;; *) false; esac"
}
