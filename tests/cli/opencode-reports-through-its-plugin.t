#!/bin/bash
# The plugin that OpenCode loads (share/adapters/opencode-plugin.js): which
# lines it writes to the agent door for OpenCode's events.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'it is no C'
command -v node >/dev/null || skip_all 'node is not installed'
afw_env
cd "$T" || exit 2
cp "$ROOT/share/adapters/opencode-plugin.js" plugin.mjs
mkfifo door
exec 3<>door

# plays EVENT...: each "TYPE JSON"; $heard gets the door's lines, without the
# one of the start.
plays()
{
	local line
	AF_OPENCODE_DOOR=${DOOR-$T/door} node --input-type=module -e '
		const { afw } = await import(`${process.argv[1]}/plugin.mjs`);
		const plugin = await afw();
		for (const line of process.argv.slice(2)) {
			const [, type, json] = /^(\S+) (.*)$/s.exec(line);
			const p = JSON.parse(json);
			if (type === "took")
				await plugin["chat.message"]?.(
					{ sessionID: p.s }, { message: { id: p.id },
					parts: [{ type: "text", text: p.text }] });
			else
				await plugin.event?.({ event: { type, properties: p } });
		}
		console.log(JSON.stringify(process.env.AF_OPENCODE_DOOR ?? null));
		process.exit();' "$T" "$@" >out 2>err
	heard=''
	echo end >&3
	while IFS= read -rt 60 line <&3 && [ "$line" != end ]; do
		[ ${#line} -lt 4096 ] || fail 'a line fits into one write'
		[[ $line == '{"hook":"start"'* ]] || heard+=$line$'\n'
	done
	diag "$(cat err)"
}

took='took {"s":"ses_1","id":"msg_1","text":"do it"}'
busy='session.status {"sessionID":"ses_1","status":{"type":"busy"}}'
idle='session.idle {"sessionID":"ses_1"}'
hook()
{
	printf '{"hook":"%s","payload":{"session":"ses_1",%s}}' "$1" "$2"
}
prompt=$(hook prompt '"prompt":"do it"')
ended()
{
	hook end "\"interrupted\":$1,\"failed\":$2,\"detail\":\"$3\",\"answer\":\"$4\""
}

part='{"part":{"type":"text","sessionID":"ses_1","messageID":"msg_2"'
plays "$took" "$busy" "message.part.updated $part,\"id\":\"a\",\"text\":\"do\"}}" \
	"message.part.updated $part,\"id\":\"a\",\"text\":\"done\"}}" \
	"$busy" "$idle" "$idle"
is "$heard" "$prompt
$(ended false false '' done)
" 'a turn and its answer'
is "$(cat out)" null 'no OpenCode that a tool starts finds the door'
is "$(cat opencode-answer)" 'done' 'the answer is kept for a long one'

cost='message.updated {"info":{"role":"assistant","time":{"created":9e15}'
plays 'message.updated {"info":{"role":"assistant","time":{"created":1},"id":"o","cost":9}}' \
	"$took" "$busy" "$cost,\"id\":\"a\",\"cost\":0}}" \
	"$cost,\"id\":\"a\",\"cost\":0.01,\"modelID\":\"m-1\",
	\"tokens\":{\"input\":5,\"output\":6,\"reasoning\":1,\"cache\":{\"read\":8,\"write\":9}}}}" \
	"$cost,\"id\":\"b\",\"cost\":0.5,\"tokens\":{\"input\":10}}}" \
	'message.updated {"info":{"role":"assistant","time":{"created":1},"id":"o","cost":9}}' \
	"$idle" "$idle"
like "$heard" '"cost_micro":510000,' 'the cost of its messages, not of earlier ones'
like "$heard" '"input":15,"output":7,"cache_read":8,"cache_write":9.,"model":"m-1"' \
	'and their tokens'

plays "$took" "$busy" 'session.error {"sessionID":"ses_1","error":
	{"name":"APIError","data":{"message":"no money"}}}' "$idle"
is "$heard" "$prompt
" 'a turn that fails is not over while it is wound up'
plays "$took" "$busy" 'session.error {"sessionID":"ses_1","error":
	{"name":"APIError","data":{"message":"no money"}}}' "$idle" "$idle"
is "$heard" "$prompt
$(ended false true 'no money' '')
" 'but then'
plays "$took" "$busy" 'session.error {"sessionID":"ses_1","error":
	{"name":"MessageAbortedError"}}' "$idle" "$idle"
is "$heard" "$prompt
$(ended true false '' '')
" 'an aborted turn was interrupted'

plays "$took" "$busy" 'session.created {"info":{"id":"ses_2","parentID":"ses_1"}}' \
	'took {"s":"ses_2","id":"msg_9","text":"of an agent"}' \
	'session.status {"sessionID":"ses_2","status":{"type":"busy"}}' \
	'permission.asked {"id":"per_1","sessionID":"ses_2","metadata":{"command":"rm x"}}' \
	'permission.replied {"sessionID":"ses_2","requestID":"per_1","reply":"once"}' \
	'session.idle {"sessionID":"ses_2"}' "$idle"
is "$heard" "$prompt
$(hook asks '"detail":"rm x"')
$(hook busy '"detail":""')
$(ended false false '' '')
" "what an agent's own conversation asks counts, and its end does not"
plays "$took" "$busy" \
	'question.asked {"id":"q","sessionID":"ses_1","questions":[{"question":"Red?"}]}' \
	'question.rejected {"sessionID":"ses_1","requestID":"q"}' "$idle"
is "$heard" "$prompt
$(hook asks '"detail":"Red?"')
$(hook busy '"detail":""')
$(ended true false '' '')
" 'a question that is refused ends the turn'

long=$(printf '\\u001b%.0s' {1..3000})
plays "$took" "$busy" "message.part.updated $part,\"id\":\"a\",\"text\":\"$long\"}}" \
	"$idle"
like "$heard" '"afw_cut":true' 'a long answer is cut to fit, and says so'
is "$(wc -c <opencode-answer)" 3000 'and kept whole'

DOOR='' plays "$took" "$busy" "$idle"
is "$heard" '' 'without a door it is silent'
done_testing
