#!/bin/bash
# The real Codex through a whole life.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/agent.sh"
. "$(dirname "$0")/life.sh"
agent_env codex Codex
mkdir "$HOME/.codex"
cat >"$HOME/.codex/config.toml" <<END
model = "gpt-5.2-codex"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "$MODEL/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
END
export LOCAL_KEY=k
make_repo "$T/repo"
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo-fix

life_asks_for_trust codex 'Trust this folder'
life_begins codex -a on-request -s workspace-write
nok_cmd "Codex's configuration does not say so" \
	grep -q trust_level "$HOME/.codex/config.toml"
life_asks "$tree"
life_is_interrupted
life_is_approved "$tree" 'Would you like to run'
life_takes_text
life_goes_on
life_ends "$tree"
agent_end
