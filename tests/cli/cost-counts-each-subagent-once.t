#!/bin/bash
# Claude Code writes a file for each agent that it starts: all are counted once in
# a turn, however many and large they are, and the supervisor rests afterwards.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
cat >"$T/agent" <<'END'
#!/bin/bash
line=$(printf '─%.0s' {1..80})
printf '\e[2J\e[H\r\n\r\n%s\r\n❯ \r\n%s\r\n  ? for shortcuts\e[4;3H' "$line" "$line"
printf '\e]2;✳ Claude Code\a'
exec sleep 1000
END
chmod +x "$T/agent"
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '[harness.claude]\ncommand = %s\n' "$T/agent" >"$XDG_CONFIG_HOME/afw/afw.ini"
export CLAUDE_CONFIG_DIR=$T/claude

hook() { echo "{\"hook\":\"$1\",\"payload\":$2}" >"$(session_dir one)/home/door"; }
# row ID: a message of 100 tokens, of now
row()
{
	printf '{"timestamp":"%s","message":{"id":"%s","model":"m","usage":{"input_tokens":100,"output_tokens":0}}}\n' \
		"$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)" "$1"
}
begins()
{
	hook UserPromptSubmit "{\"prompt\":\"do it\",\"session_id\":\"$talk\"}"
	waits_for '[ "$(state_of one activity)" = thinking ] || [ "$(state_of one activity)" = working ]' \
		'a turn begins' 'afw status -v one'
}
tokens() { afw cost one --json 2>"$T/err" >"$T/cost" && json tokens_input "$T/cost"; }

exit_is 0 'a session' afw new one -a claude -e CLAUDE_CONFIG_DIR -o budget_tokens=1000000
waits_for '[ "$(state_of one activity)" = idle ]' 'is idle' 'afw status -v one'
talk=$(state_of one conversation)
dir=$CLAUDE_CONFIG_DIR/projects/x
mkdir -p "$dir/$talk/subagents"
yes "$(printf '%0999d' 0)" | head -n 1100 >"$T/long"

begins
row main >"$dir/$talk.jsonl"
for i in {1..12}; do
	{ row "agent-$i"; cat "$T/long"; } >"$dir/$talk/subagents/$i.jsonl"
done
hook Stop "{\"session_id\":\"$talk\"}"
waits_for '[ "$(tokens)" = 1300 ]' 'each file is counted' 'afw cost'

begins
row more >>"$dir/$talk.jsonl"
hook Stop "{\"session_id\":\"$talk\"}"
waits_for '[ "$(tokens)" -ge 1400 ]' 'the next turn is counted' 'afw cost'
# Whatever was read meanwhile is in a row when the session has ended.
exit_is 0 'its end' afw stop one
is "$(tokens)" 1400 'and nothing is counted again'

# An agent that says another name of its model in each row fills no list.
ledger=$XDG_DATA_HOME/afw/usage.jsonl
for i in {1..200}; do
	sed -n "s/\"model\":\"m\"/\"model\":\"m$i\"/p" "$ledger" | head -n 1
done >"$T/rows"
[ -s "$T/rows" ] || diag "$(<"$ledger")"
cat "$T/rows" >>"$ledger"
exit_is 0 'cost' afw cost one
like "$out" 'one .*other models' 'the rest has one row'
is "$(grep -c '^one ' <<<"$out")" 21 'beside the first twenty'
done_testing
