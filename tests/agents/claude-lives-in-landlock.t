#!/bin/bash
# The real Claude Code in sandbox landlock, where its commits come home.
here=$(dirname "$0")
. "$here/../lib.sh"
needs_landlock
export AF_TEST_SANDBOX=landlock
. "$here/claude.sh"
. "$here/life.sh"
. "$here/users.sh"
agent_begins claude
life_in_sandbox claude 'Do you want to proceed' "${ASKS[@]}"
agent_end
