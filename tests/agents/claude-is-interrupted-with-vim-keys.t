#!/bin/bash
# The real Claude Code with vim's keys: an interrupt ends the turn in INSERT,
# where Escape only leaves that mode, and in NORMAL.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/life.sh"
agent_begins claude
mkdir -p "$HOME/.claude"
echo '{"editorMode": "vim"}' >"$HOME/.claude/settings.json"
life_begins claude "${ASKS[@]}"

# cut MODE: what is typed then in MODE is interrupted.
cut()
{
	exit_is 0 "a turn in $1" afw send fix "$1 [[think=60]]"
	is_state fix running/working
	waits_for 'afw capture fix | grep -q "^❯ '"$1"'"' 'is shown'
	exit_is 0 'is interrupted' afw interrupt fix
	waits_for 'is_idle fix 0' 'and ends'
	is "$(json detail "$T/.state")" interrupted 'as interrupted'
}

waits_for 'afw capture fix | grep -q "^  -- INSERT --"' 'it is in INSERT'
cut INSERT
waits_for '! afw capture fix | grep -q "^  -- INSERT --"' 'it is in NORMAL'
cut NORMAL
exit_is 0 'the next message' afw send --wait -t 240s fix 'then [[text=well]]'
is "$out" well 'is answered'
is "$(last_text)" 'then [[text=well]]' 'and has arrived by itself'
agent_end
