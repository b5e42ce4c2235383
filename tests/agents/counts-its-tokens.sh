#!/bin/bash
# A real agent's tokens: AGENT-counts-its-tokens.t is a link to this. What `afw
# cost` says is what the model has counted, also after a restart of afw's part, and
# of a conversation that is continued.
here=$(dirname "$0") agent=${0##*/}
agent=${agent%%-*}
. "$here/../lib.sh"
without_sanitizers "an agent's files do not depend on them"
case $agent in
pi | copilot)
	. "$here/sections.sh"
	section_begins "$agent"
	;;
*)
	. "$here/$agent.sh"
	agent_begins "$agent"
	;;
esac
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >"$XDG_CONFIG_HOME/afw/prices.ini" <<-'END'
[claude-*]
input = 1
output = 2
cache_read = 3
cache_write = 4
[gpt-*]
input = 1
output = 2
cache_read = 3
[gemini-*]
input = 1
output = 2
cache_read = 3
END

# counted: prints what the model has answered with, added up.
counted()
{
	node -e 'let sum = { input: 0, output: 0, read: 0, write: 0 };
		for (const l of require("fs").readFileSync(process.argv[1], "utf8").split("\n")) {
			const m = / server answer (.*)/.exec(l);
			const u = m && JSON.parse(m[1]).usage;
			for (const k in u || {})
				sum[k] += u[k];
		}
		console.log(Object.values(sum).join(" "));' "$EVENTS"
}

# reported: the same by afw.
reported()
{
	afw cost fix --json >"$T/cost" || return
	node -e 'const c = JSON.parse(require("fs").readFileSync(process.argv[1]));
		console.log(["input", "output", "cache_read", "cache_write"]
			.map((k) => c["tokens_" + k]).join(" "));' "$T/cost"
}

# Only Anthropic's service says what is written to the cache.
writes=0
[ "$agent" != claude ] || writes=20
exit_is 0 'a session' afw new fix -a "$agent" \
	-m "begin [[usage=1000,50,300,$writes]][[text=ready]]" -- "${ASKS[@]}"
waits_for 'afw status fix --json >"$T/.s"; [ "$(json activity "$T/.s")" = completed ]' \
	'its turn ends' 'afw capture fix'
waits_for '[ "$(reported)" = "$(counted)" ]' 'its tokens are those that the model counted' \
	'reported; counted; cat "$T/cost"'
exit_is 0 'another turn' afw send -w -t 120s fix \
	"more [[usage=2000,70,5000,$((writes * 2))]][[text=second]]"
waits_for '[ "$(reported)" = "$(counted)" ]' 'is added' 'reported; counted; cat "$T/cost"'
afw status fix --json >"$T/.state"
is "$(json tokens_output "$T/.state")" 120 'the session says the same'
like "$(json model "$T/.state")" '^[a-z]' 'and which model it was'
is "$(json turns "$T/cost")" 2 'in two turns'

case $agent in
claude) cost=0.01938 ;; # 3000 + 2 * 120 + 3 * 5300 + 4 * 60 millionths
codex | gemini) cost=0.01914 ;;
opencode) cost=3.12 ;; # its own price, of $1000 for input and output
*) cost=null ;;
esac
is "$(json cost_usd "$T/cost")" "$cost" 'they cost what the prices say'

exit_is 0 'suspended' afw suspend fix
exit_is 0 'and resumed' afw resume fix
exit_is 0 'it continues' afw send -w -t 120s fix \
	"again [[usage=500,30,600,0]][[text=third]]"
waits_for '[ "$(reported)" = "$(counted)" ]' 'and nothing is counted twice' \
	'reported; counted; cat "$T/cost"'
exit_is 0 'removed' afw rm -y fix
waits_for '[ "$(reported)" = "$(counted)" ]' 'it stays in the sum'

# Who has subscribed pays for no token.
if [ "$agent" = claude ]; then
	unset ANTHROPIC_API_KEY
	mkdir -p "$HOME/.claude"
	cat >"$HOME/.claude/.credentials.json" <<-END
	{"claudeAiOauth": {"accessToken": "sk-ant-oat01-test",
	 "refreshToken": "sk-ant-ort01-test", "expiresAt": 4102444800000,
	 "scopes": ["user:inference", "user:profile"],
	 "subscriptionType": "max"}}
	END
	exit_is 0 'a subscriber' afw new sub -a claude \
		-m 'begin [[usage=1000,50,300,20]][[text=ready]]' -- "${ASKS[@]}"
	waits_for 'afw cost sub --json >"$T/cost" 2>"$T/null"' 'ends a turn'
	is "$(json tokens_input "$T/cost") $(json cost_usd "$T/cost")" '1000 null' \
		'which has tokens and no price'
fi
agent_end
