#!/bin/bash
# The real Gemini CLI in sandbox landlock; its commits are imported.
here=$(dirname "$0")
. "$here/../lib.sh"
needs_landlock
without_sanitizers "Claude's life in landlock does"
export AF_TEST_SANDBOX=landlock
. "$here/gemini.sh"
. "$here/life.sh"
. "$here/users.sh"
agent_begins gemini
life_in_sandbox gemini 'Allow execution of' "${ASKS[@]}"
agent_end
