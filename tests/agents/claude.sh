# claude.sh - the real Claude Code CLI. Sourced after lib.sh:
#
#	claude_env		skips all where the CLI or node is not there
#	make_repo "$T/repo"; claude_trusts "$T/repo"
#	...
#	agent_end		instead of done_testing
. "$(dirname "${BASH_SOURCE[0]}")/agent.sh"

# What every session is started with: permissions are asked for.
ASKS=(--permission-mode manual)

claude_env()
{
	agent_env claude 'Claude Code'
	export ANTHROPIC_BASE_URL=$MODEL
	export ANTHROPIC_API_KEY=sk-ant-test-0123456789abcdefghij
	export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
	claude_config '{}'
}

# claude_config PROJECTS: a user who has been through the first-run screens.
claude_config()
{
	cat >"$HOME/.claude.json" <<-END
	{"hasCompletedOnboarding": true, "projects": $1,
	 "customApiKeyResponses":
	  {"approved": ["${ANTHROPIC_API_KEY: -20}"], "rejected": []}}
	END
}

# claude_subscriber: with a key, Claude Code knows no limit of a subscription.
claude_subscriber()
{
	unset ANTHROPIC_API_KEY
	mkdir -p "$HOME/.claude"
	cat >"$HOME/.claude/.credentials.json" <<-END
	{"claudeAiOauth": {"accessToken": "sk-ant-oat01-test",
	 "refreshToken": "sk-ant-ort01-test", "expiresAt": 4102444800000,
	 "scopes": ["user:inference", "user:profile"],
	 "subscriptionType": "max"}}
	END
}

# claude_trusts DIR: as that user has said to Claude Code itself.
claude_trusts()
{
	claude_config "{\"$1\": {\"hasTrustDialogAccepted\": true}}"
}
