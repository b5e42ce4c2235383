# claude.sh - the real Claude Code CLI, offline: against model_server.js, with
# a home of its own. Sourced after lib.sh:
#
#	claude_env		skips all where the CLI or node is not there
#	make_repo "$T/repo"; claude_trusts "$T/repo"
#	...
#	claude_end		instead of done_testing
#
# The CLI is looked for in AF_TEST_AGENTS (~/.cache/afw-agents, one npm prefix
# for each agent: share/setup agents), then in the PATH.

# What every session is started with: permissions are asked for.
ASKS=(--permission-mode manual)

claude_env()
{
	local agents=${AF_TEST_AGENTS:-$HOME/.cache/afw-agents}
	local bin=$agents/claude/node_modules/.bin
	if [ ! -x "$bin/claude" ]; then
		bin=$(command -v claude) ||
			skip_all "Claude Code is not installed ($agents/claude)"
		bin=${bin%/*}
	fi
	command -v node >/dev/null || skip_all 'node is not installed'
	afw_env
	export PATH="$PATH:$bin"
	if [ -n "${AF_TEST_BACKEND-}" ]; then
		mkdir -p "$XDG_CONFIG_HOME/afw"
		echo "backend = $AF_TEST_BACKEND" >"$XDG_CONFIG_HOME/afw/afw.ini"
	fi

	REQUESTS=$T/requests
	: >"$REQUESTS"
	node "$ROOT/tests/agents/model_server.js" "$REQUESTS" \
		>"$T/server" 2>&1 &
	SERVER=$!
	wait_for 20 'grep -q ^READY "$T/server"' ||
		{ diag "$(cat "$T/server")"; exit 2; }
	export ANTHROPIC_BASE_URL=http://127.0.0.1:$(sed 's/READY //' "$T/server")
	export ANTHROPIC_API_KEY=sk-ant-test-0123456789abcdefghij
	export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
	claude_config '{}'
}

# claude_config PROJECTS: a user who has been through the first-run screens.
claude_config()
{
	cat >"$HOME/.claude.json" <<-END
	{"hasCompletedOnboarding": true, "projects": $1,
	 "customApiKeyResponses":
	  {"approved": ["${ANTHROPIC_API_KEY: -20}"], "rejected": []}}
	END
}

# claude_trusts DIR: as that user has said to Claude Code itself.
claude_trusts()
{
	claude_config "{\"$1\": {\"hasTrustDialogAccepted\": true}}"
}

claude_end()
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
	_requests 'console.log(main.filter((r) => !r.after).length)'
}

# last_text: the text of the newest of them.
last_text()
{
	_requests 'process.stdout.write((main.pop() || { text: "" }).text)'
}

# arrived FILE: that text is FILE's, but for blanks at the ends (the guard's)
# and tabs, which Claude Code turns into spaces.
arrived()
{
	_requests 'const want = fs.readFileSync(process.argv[2], "utf8");
		const plain = (s) => s.replace(/\t/g, "    ").trim();
		const got = main[main.length - 1].text;
		if (plain(got) !== plain(want)) {
			console.log("# got:  " + JSON.stringify(got.slice(0, 300)));
			console.log("# sent: " + JSON.stringify(want.slice(0, 300)));
			process.exit(1);
		}' "$1"
}

# _requests JAVASCRIPT [ARG]: main has the requests with tools.
_requests()
{
	node -e 'const fs = require("fs");
		const main = fs.readFileSync(process.argv[1], "utf8")
			.split("\n").filter((l) => l).map((l) => JSON.parse(l))
			.filter((r) => r.tools > 0);'"$1" "$REQUESTS" "${2-}"
}

# state NAME: phase and activity, as in "running/completed".
state()
{
	afw status "$1" --json >"$T/.state" &&
		echo "$(json phase "$T/.state")/$(json activity "$T/.state")"
}

# is_state NAME STATE [SECONDS]: it gets there.
is_state()
{
	if wait_for "${3:-15}" "[ \"\$(state $1)\" = $2 ]"; then
		pass "$1 is $2"
	else
		fail "$1 is $2"
		diag "$(afw status "$1")"
		diag "$(afw capture "$1")"
		return 1
	fi
}
