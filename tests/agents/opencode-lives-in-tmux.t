#!/bin/bash
# The real OpenCode with its terminal in tmux: the checks whose results differ
# there.
here=$(dirname "$0")
. "$here/../lib.sh"
command -v tmux >/dev/null || skip_all 'no tmux here'
without_sanitizers "Claude's life in tmux does"
export AF_TEST_BACKEND=tmux
. "$here/opencode.sh"
. "$here/life.sh"
. "$here/users.sh"
opencode_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
users_files
tree=$T/.af_worktrees/repo-fix

life_begins opencode
life_asks "$tree"
life_is_interrupted
life_is_approved "$tree" 'Permission required'
life_queues
life_fails
life_goes_on
life_ends "$tree"
users_files_are_kept
agent_end
