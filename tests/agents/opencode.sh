# opencode.sh - the real OpenCode. Sourced after lib.sh:
#
#	opencode_env	skips all where the CLI or node is not there
#	...
#	agent_end	instead of done_testing
. "$(dirname "$0")/agent.sh"

# git_that_stalls: a git for it that stops while $T/stall is there, and makes
# $T/stalled then, where it looks for what a turn has changed.
git_that_stalls()
{
	local git
	git=$(command -v git)
	mkdir -p "$T/git"
	cat >"$T/git/git" <<-END
	#!/bin/bash
	case \$* in
	*/snapshot/*)
		n=0
		while [ -e "$T/stall" ] && [ \$((n += 1)) -lt 1200 ]; do
			touch "$T/stalled"
			read -rt 0.1 <>"$T/git/never"
		done ;;
	esac
	exec "$git" "\$@"
	END
	mkfifo "$T/git/never"
	chmod +x "$T/git/git"
	PATH=$T/git:$PATH
}

# Its configuration makes it ask.
ASKS=()

opencode_env()
{
	agent_env opencode OpenCode
	cat >"$T/opencode.json" <<-END
	{"\$schema": "https://opencode.ai/config.json",
	 "autoupdate": false, "share": "disabled",
	 "model": "local/model", "small_model": "local/model",
	 "permission": {"bash": "ask", "edit": "ask"},
	 "provider": {"local": {"npm": "@ai-sdk/openai-compatible", "name": "Local",
	  "options": {"baseURL": "$MODEL/v1", "apiKey": "k"},
	  "models": {"model": {"name": "model",
	   "cost": {"input": 1000, "output": 1000},
	   "limit": {"context": 200000, "output": 8000}}}}}}
	END
	# Offline: not to be waited for. And it takes its plugins' library for
	# installed: in a new home it would get that from npm's registry behind
	# its first session, with 10 s of processor.
	export OPENCODE_DISABLE_MODELS_FETCH=1
	mkdir -p "$XDG_CONFIG_HOME/opencode/node_modules"
	echo '{"packages": {"": {"dependencies": {"@opencode-ai/plugin": "*"}}}}' \
		>"$XDG_CONFIG_HOME/opencode/package-lock.json"
	export OPENCODE_CONFIG=$T/opencode.json
}
