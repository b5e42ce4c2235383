#!/bin/bash
# The real Claude Code without a terminal: two turns by chat, as an
# orchestrator would drive it (afw-supervisor --stdio).
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
claude_env
cd "$T" || exit 2
mkfifo in
"$BUILD/afw-supervisor" --stdio <in >ev &
pid=$!
exec {in}>in
# user TEXT: a chat whose line is itself JSON.
user()
{
	printf '{"cmd":"chat","text":"{\\"type\\":\\"user\\",\\"message\\":{\\"role\\":\\"user\\",\\"content\\":\\"%s\\"}}"}\n' "$1" >&"$in"
}
results()
{
	grep agent:stdout ev | grep -oF '\"result\":\"got ' | wc -l
}
key=$ANTHROPIC_API_KEY
unset ANTHROPIC_API_KEY
printf '{"cmd":"start","argv":["claude","-p","--verbose","--input-format","stream-json","--output-format","stream-json"],"secrets":["ANTHROPIC_API_KEY=%s"]}\n' \
	"$key" >&"$in"
user 'a first word'
waits_for '[ "$(results)" = 1 ]' 'a turn ends'
is "$(turns)" 1 'the model was asked once'
user 'a second one'
waits_for '[ "$(results)" = 2 ]' 'the next one, too'
like "$(all_texts)" 'a first word.*a second one' 'in the same conversation'
echo '{"cmd":"chat","eof":true}' >&"$in"
ends_with 0 "$pid" 'with its input it ends'
is "$(tail -n 1 ev)" '{"ev":"agent:exit","code":0,"signal":null}' \
	'by itself'
run grep -aF "$key" ev
is "$out" '' 'its key is in no event'
exec {in}>&-
agent_end
