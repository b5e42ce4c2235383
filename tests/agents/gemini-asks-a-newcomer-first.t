#!/bin/bash
# Gemini CLI without a login, in a repository that is not trusted: only the user
# answers both questions and fills in the field for a key.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/gemini.sh"
. "$(dirname "$0")/newcomer.sh"
gemini_env
unset GEMINI_API_KEY
echo '{"general": {"enableAutoUpdate": false}}' >"$HOME/.gemini/settings.json"
make_repo "$T/repo"
cd "$T/repo" || exit 2

newcomer_starts gemini "${ASKS[@]}"
newcomer_asked 'may trust this directory'
refused 9 'afw attach fix. answers it, .afw trust.' \
	'--approve says what answers that' afw send fix --approve
newcomer_presses 'Trust folder' Enter
newcomer_asked 'How would you like to authenticate'
newcomer_moves 2 'Enter Gemini API Key'
newcomer_asked 'Enter Gemini API Key'
newcomer_moves a-key a-key
newcomer_presses 'a-key' Enter
newcomer_goes_on
agent_end
