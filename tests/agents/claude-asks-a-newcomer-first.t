#!/bin/bash
# Claude Code with a key that the user has not approved, in a repository that is
# not trusted: only the user answers both questions.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/newcomer.sh"
claude_env
echo '{"hasCompletedOnboarding": true}' >"$HOME/.claude.json"
make_repo "$T/repo"
cd "$T/repo" || exit 2

newcomer_starts claude "${ASKS[@]}"
newcomer_asked 'trust'
newcomer_chooses Up '❯ Yes, I trust'
newcomer_asked 'use this API key'
newcomer_chooses Up '❯ Yes'
newcomer_goes_on
agent_end
