#!/bin/bash
# The real Claude Code in sandbox landlock, where its commits come home.
here=$(dirname "$0")
. "$here/../lib.sh"
[[ $(AF_DATA_DIR=/nonexistent "$BUILD/afw" doctor 2>&1) == *ok*'sandbox landlock'* ]] ||
	skip_all 'no landlock here'
export AF_TEST_SANDBOX=landlock
. "$here/claude.sh"
. "$here/life.sh"
. "$here/users.sh"
agent_begins claude
life_in_landlock claude 'Do you want to proceed' "${ASKS[@]}"
agent_end
