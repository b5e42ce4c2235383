#!/bin/bash
# The real Claude Code in sandbox landlock; its commits are imported.
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
