#!/bin/bash
# A message was typed into the busy Claude Code, and Enter was not pressed,
# because an approval appeared first: the next message clears it, and is
# delivered.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/life.sh"
. "$(dirname "$0")/races.sh"
agent_begins claude

overtaken claude "${ASKS[@]}"
is_state fix running/completed
exit_is 0 'the next message' afw send --wait -t 240s fix 'three [[text=three]]'
is "$out" three 'is answered'
is "$(last_text)" 'three [[text=three]]' 'and arrived alone'
agent_end
