# sections.sh - the agents that only a section of share/adapters describes, run
# offline. Sourced after lib.sh:
#
#	section_env pi		skips all without the CLI or node; sets ASKS,
#				what a session is started with
#	section_begins pi	the same, and goes to a repository that is trusted
#	...
#	agent_end		instead of done_testing
#
# A script whose name ends in -in-tmux runs it there.
. "${BASH_SOURCE[0]%/*}/agent.sh"

case $0 in
*-in-tmux.t)
	command -v tmux >/dev/null || skip_all 'no tmux here'
	export AF_TEST_BACKEND=tmux
	;;
esac

# It asks before it runs something; asks_for is what its approval says.
ASKS=()

section_env()
{
	agent_env "$1" "$1"
	# It must not install its newest version while it runs.
	mkdir "$T/npm"
	printf '#!/bin/sh\necho "$*" >>"%s"\nexit 1\n' "$T/npm/called" >"$T/npm/npm"
	chmod +x "$T/npm/npm"
	PATH=$T/npm:$PATH
	"_env_of_$1"
}

section_begins()
{
	section_env "$1"
	make_repo "$T/repo"
	cd "$T/repo" || exit 2
	exit_is 0 'trust' afw trust -y
}

declare -A QUESTION=(
	[copilot]="Do you want to run this command"
	[qwen]='Allow execution of'
	[cline]='Cline needs permission'
	[letta]='Run this command'
	[kilo]='Permission required'
)

_env_of_pi()
{
	mkdir -p "$HOME/.pi/agent"
	cat >"$HOME/.pi/agent/models.json" <<-END
	{"providers": {"local": {"baseUrl": "$MODEL/v1",
	 "api": "openai-completions", "apiKey": "k",
	 "models": [{"id": "model", "name": "model", "reasoning": false,
	  "input": ["text"], "contextWindow": 100000, "maxTokens": 4000,
	  "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}}]}}}
	END
	export PI_OFFLINE=1
	ASKS=(--provider 'local' --model model)
}

_env_of_copilot()
{
	export COPILOT_OFFLINE=true COPILOT_AUTO_UPDATE=false \
		COPILOT_PROVIDER_BASE_URL=$MODEL/v1 COPILOT_MODEL=model \
		COPILOT_PROVIDER_TYPE=openai COPILOT_PROVIDER_API_KEY=k
	mkdir -p "$HOME/.copilot"
	echo "{\"trustedFolders\": [\"$T\"]}" >"$HOME/.copilot/config.json"
}

_env_of_qwen()
{
	export OPENAI_API_KEY=k OPENAI_BASE_URL=$MODEL/v1 OPENAI_MODEL=model
	ASKS=(--auth-type openai)
}

_env_of_cline()
{
	cline auth openai -k k -m model -b "$MODEL/v1" >"$T/cline-auth" 2>&1 \
		</dev/null || diag "$(<"$T/cline-auth")"
	# It would ask how to continue after the third denial.
	ASKS=(--retries 99)
}

_env_of_letta()
{
	export LMSTUDIO_BASE_URL=$MODEL/v1 LMSTUDIO_API_KEY=k \
		LETTA_CODE_TELEM=0 DISABLE_AUTOUPDATER=1
	ASKS=(--backend 'local' -m lmstudio/model --permission-mode standard)
}

_env_of_kilo()
{
	# As in opencode.sh: nothing to wait for offline.
	export KILO_DISABLE_MODELS_FETCH=1
	mkdir -p "$XDG_CONFIG_HOME/kilo/node_modules"
	echo '{"packages": {"": {"dependencies": {"@kilocode/plugin": "*"}}}}' \
		>"$XDG_CONFIG_HOME/kilo/package-lock.json"
	cat >"$T/kilo.json" <<-END
	{"autoupdate": false, "share": "disabled", "model": "local/model",
	 "small_model": "local/model",
	 "permission": {"bash": "ask", "edit": "ask"},
	 "provider": {"local": {"npm": "@ai-sdk/openai-compatible", "name": "Local",
	  "options": {"baseURL": "$MODEL/v1", "apiKey": "k"},
	  "models": {"model": {"name": "model",
	   "limit": {"context": 200000, "output": 8000}}}}}}
	END
	export KILO_CONFIG=$T/kilo.json
	# Escape opens a dialog over its question, and closes it.
	interrupted()
	{
		state "$1" >/dev/null
		answers --deny "$(json question_id "$T/.state")"
		waits_for "is_idle $1 0" 'it is idle'
	}
}

# section_asks: it asks before it runs something.
section_asks()
{
	[ "$agent" != pi ]
}

# section_opens NAME: it shows something before its composer, which a person
# closes.
section_opens()
{
	:
}

# section_is_busy NAME: its screen shows that it works, and hears its keys.
section_is_busy()
{
	afw status "$1" --explain | grep -q 'screen  *working'
}
