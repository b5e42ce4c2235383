#!/bin/bash
# Messages that would be commands, keys or the end of a paste reach the model
# through Claude Code as it was promised.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/hostile.sh"
claude_env
make_repo "$T/repo"
claude_trusts "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'new' afw new fix -a claude -- "${ASKS[@]}"
waits_for '[ "$(state fix)" = running/idle ]' 'it is ready'
hostile claude
is "$(afw ls --json | grep -c '"phase":"running"')" 1 'it still runs'
agent_end
