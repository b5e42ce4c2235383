#!/bin/bash
# The real Gemini CLI from start to exit.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/gemini.sh"
. "$(dirname "$0")/life.sh"
. "$(dirname "$0")/users.sh"
agent_begins gemini
users_files
tree=$T/.af_worktrees/repo-fix

life_begins gemini "${ASKS[@]}"
life_asks "$tree"
life_is_interrupted
[ "${AF_TEST_BACKEND-}" != tmux ] || life_is_cut
life_queues
life_sends_now
life_fails
life_is_approved "$tree" 'Allow execution of'
life_is_answered "$tree"
life_takes_text
life_goes_on
life_ends "$tree"
users_files_are_kept
agent_end
