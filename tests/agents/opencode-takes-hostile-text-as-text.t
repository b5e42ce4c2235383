#!/bin/bash
# Messages that would be commands, keys or the end of a paste reach the model
# through OpenCode as it was promised.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'Claude and Codex share the table'
. "$(dirname "$0")/opencode.sh"
. "$(dirname "$0")/hostile.sh"
opencode_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'new' afw new fix -a opencode
waits_for '[ "$(state fix)" = running/idle ]' 'it is ready'
hostile opencode
agent_end
