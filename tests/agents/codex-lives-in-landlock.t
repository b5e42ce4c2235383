#!/bin/bash
# The real Codex in sandbox landlock; its commits are imported.
here=$(dirname "$0")
. "$here/../lib.sh"
needs_landlock
without_sanitizers "Claude's life in landlock does"
export AF_TEST_SANDBOX=landlock
. "$here/codex.sh"
. "$here/life.sh"
. "$here/users.sh"
agent_begins codex
life_in_sandbox codex 'Would you like to run' "${ASKS[@]}"
agent_end
