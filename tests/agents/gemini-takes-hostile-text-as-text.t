#!/bin/bash
# Messages that would be commands, keys or the end of a paste reach the model
# through Gemini CLI as it was promised.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'Claude and Codex share the table'
. "$(dirname "$0")/gemini.sh"
. "$(dirname "$0")/hostile.sh"
gemini_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'trust' afw trust -y
exit_is 0 'new' afw new fix -a gemini -- "${ASKS[@]}"
waits_for '[ "$(state fix)" = running/idle ]' 'it is ready'
hostile gemini
is "$(afw ls --json | grep -c '"phase":"running"')" 1 'it still runs'
agent_end
