#!/bin/bash
# Claude Code whose token is refused: its queued messages wait until its login file
# is changed, and are delivered once.
. "$(dirname "$0")/../lib.sh"
without_sanitizers "an agent's login does not depend on them"
. "$(dirname "$0")/claude.sh"
agent_begins claude
claude_subscriber
login_of() { state "$1" >/dev/null && json limited "$T/.state"; }

for name in one two; do
	exit_is 0 'a session' afw new $name -a claude -m 'begin [[text=ready]]'
done
for name in one two; do
	is_state $name running/completed
	exit_is 0 'a message that is refused' afw send $name "work $name [[limit=3600,login]]"
	exit_is 0 'and one behind it' afw send $name "next [[text=later $name]]"
done
for name in one two; do
	exit_is 0 'it needs a login' afw wait $name --for limited -t 100s
	is "$(login_of $name)" 'login needed' 'and says so'
	waits_for "afw send --list $name | grep -q 'needs a login'" 'the queue waits'
done
before=$(turns)
# Nothing but the file says that it is over.
mv "$HOME/.claude/.credentials.json" "$T/kept"
sed 's/oat01-test/oat01-again/' "$T/kept" >"$HOME/.claude/.new"
mv "$HOME/.claude/.new" "$HOME/.claude/.credentials.json"
for name in one two; do
	waits_for "afw capture $name | grep -q '^● later $name'" 'after a login it is delivered' \
		"afw events $name | tail; afw send --list $name"
	is_state $name running/completed
	is "$(login_of $name)" null 'the limit is over'
done
is $(($(turns) - before)) 2 'each once, and nothing is tried again'
agent_end
