# gemini.sh - the real Gemini CLI. Sourced after lib.sh:
#
#	gemini_env	skips all where the CLI or node is not there
#	...
#	agent_end	instead of done_testing
. "$(dirname "$0")/agent.sh"

# What a session is started with so that it asks before it runs something.
ASKS=(--approval-mode=default)

gemini_env()
{
	agent_env gemini 'Gemini CLI'
	mkdir "$HOME/.gemini"
	cat >"$HOME/.gemini/settings.json" <<-END
	{"security": {"auth": {"selectedType": "gemini-api-key"}},
	 "general": {"enableAutoUpdate": false},
	 "privacy": {"usageStatisticsEnabled": false}}
	END
	export GEMINI_API_KEY=k GOOGLE_GEMINI_BASE_URL=$MODEL
}
