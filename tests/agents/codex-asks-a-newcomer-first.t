#!/bin/bash
# Codex without a login, in a repository that is not trusted: only the user
# answers its picker, the field for a key and the question for trust.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/codex.sh"
. "$(dirname "$0")/newcomer.sh"
codex_env
unset LOCAL_KEY
sed -i 's/^env_key.*/requires_openai_auth = true/' "$HOME/.codex/config.toml"
make_repo "$T/repo"
cd "$T/repo" || exit 2

newcomer_starts codex "${ASKS[@]}"
newcomer_asked 'Sign in'
newcomer_presses '3. Sign in another way' 3
newcomer_presses 'Pay for what you use' Enter
newcomer_asked 'your own OpenAI API key'
newcomer_moves sk-a-key sk-a-key
newcomer_presses 'sk-a-key' Enter
newcomer_asked 'may trust this directory'
refused 9 'afw attach fix. answers it, .afw trust.' \
	'--approve says what answers that' afw send fix --approve
newcomer_presses 'Trust this folder' Enter
newcomer_goes_on
agent_end
