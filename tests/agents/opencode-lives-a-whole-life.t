#!/bin/bash
# The real OpenCode through a whole life. It asks nobody for trust.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/agent.sh"
. "$(dirname "$0")/life.sh"
agent_env opencode OpenCode
cat >"$T/opencode.json" <<END
{"autoupdate": false, "share": "disabled",
 "model": "local/model", "small_model": "local/model",
 "permission": {"bash": "ask", "edit": "ask"},
 "provider": {"local": {"npm": "@ai-sdk/openai-compatible", "name": "Local",
  "options": {"baseURL": "$MODEL/v1", "apiKey": "k"},
  "models": {"model": {"name": "model",
   "limit": {"context": 200000, "output": 8000}}}}}}
END
export OPENCODE_CONFIG=$T/opencode.json
make_repo "$T/repo"
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo-fix

life_begins opencode
life_asks "$tree"
life_is_interrupted
life_is_approved "$tree" 'Permission required'
life_takes_text
life_goes_on
life_ends "$tree"
agent_end
