#!/bin/bash
# The real OpenCode in sandbox landlock; its commits are imported.
here=$(dirname "$0")
. "$here/../lib.sh"
needs_landlock
without_sanitizers "Claude's life in landlock does"
export AF_TEST_SANDBOX=landlock
. "$here/opencode.sh"
. "$here/life.sh"
. "$here/users.sh"
agent_begins opencode
life_in_sandbox opencode 'Permission required' "${ASKS[@]}"
agent_end
