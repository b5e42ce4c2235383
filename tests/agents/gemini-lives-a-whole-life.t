#!/bin/bash
# The real Gemini CLI through a whole life.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/agent.sh"
. "$(dirname "$0")/life.sh"
agent_env gemini 'Gemini CLI'
mkdir "$HOME/.gemini"
cat >"$HOME/.gemini/settings.json" <<-END
{"security": {"auth": {"selectedType": "gemini-api-key"}},
 "general": {"enableAutoUpdate": false}}
END
export GEMINI_API_KEY=k GOOGLE_GEMINI_BASE_URL=$MODEL
make_repo "$T/repo"
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo-fix

life_asks_for_trust gemini 'trust the files in this folder'
life_begins gemini --approval-mode=default
nok_cmd "Gemini's files do not say that it may trust" \
	test -e "$HOME/.gemini/trustedFolders.json"
life_asks "$tree"
life_is_interrupted
life_is_approved "$tree" 'Allow execution of'
life_takes_text
life_goes_on
life_ends "$tree"
agent_end
