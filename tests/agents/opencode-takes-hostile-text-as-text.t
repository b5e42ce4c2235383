#!/bin/bash
# Messages that would be commands, keys or the end of a paste reach the model
# through OpenCode as it was promised: by its server as they are, and typed,
# where its server is not to be used.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'Claude and Codex share the table'
. "$(dirname "$0")/opencode.sh"
. "$(dirname "$0")/hostile.sh"
opencode_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
# One after the other: of two OpenCodes that are the first in a home one may
# hang before it has printed anything (1.18, 1 of 8 times on a busy machine).
exit_is 0 'new' afw new fix -a opencode
waits_for 120 '[ "$(state fix)" = running/idle ]' 'it is ready'
exit_is 0 'one whose server is left to the user' \
	afw new typed -a opencode -- --port 0
hostile opencode

waits_for 60 'rests typed 0' 'the other is ready'
like "$(afw status typed)" 'messages are typed' 'its status says how'
for text in '/help' 'exit' 'look at @README' '!touch owned' 'path C:\'; do
	before=$(turns)
	printf %s "$text" >"$T/message"
	exit_is 0 "typed: $text" afw send --wait -t 240s typed -F "$T/message" || {
		diag "$(afw capture typed)"
		diag "$(afw status typed --explain)"
		break
	}
	ok_cmd 'arrives as it is' arrived "$T/message"
	is "$(turns)" $((before + 1)) 'as one message'
done
is "$(find "$T" -name owned)" '' 'nothing was run'
is "$(afw ls --json | grep -o '"phase":"running"' | wc -l)" 2 'they still run'
agent_end
