#!/bin/bash
# The real Codex from start to exit.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/codex.sh"
. "$(dirname "$0")/life.sh"
. "$(dirname "$0")/users.sh"
agent_begins codex
users_files
tree=$T/.af_worktrees/repo-fix

life_begins codex "${ASKS[@]}"
knows_conversation fix
life_asks "$tree"
life_is_interrupted
life_queues
life_sends_now
life_fails
life_is_approved "$tree" 'Would you like to run'
life_is_answered "$tree"
life_takes_text
life_goes_on
life_ends "$tree"
users_files_are_kept
agent_end
