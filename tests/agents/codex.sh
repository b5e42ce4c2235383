# codex.sh - the real Codex CLI. Sourced after lib.sh:
#
#	codex_env	skips all where the CLI or node is not there
#	...
#	agent_end	instead of done_testing
. "$(dirname "${BASH_SOURCE[0]}")/agent.sh"

# What a session is started with so that it asks before it runs something.
ASKS=(-a on-request -s workspace-write)

# codex_local: agent_env, and a user whose model is that server's.
codex_local()
{
	agent_env codex Codex
	mkdir "$HOME/.codex"
	cat >"$HOME/.codex/config.toml" <<-END
	model = "gpt-5.2-codex"
	model_provider = "local"
	[model_providers.local]
	name = "local"
	base_url = "$MODEL/v1"
	wire_api = "responses"
	env_key = "LOCAL_KEY"
	END
	export LOCAL_KEY=k
}

codex_env()
{
	codex_local
	cat >>"$HOME/.codex/config.toml" <<-END
	[tui]
	screen_reader_detection_done = true
	END
	CODEX_SUM=$(codex_config_sum)
}

# Its first start ever writes the line under [tui], whoever starts it; this
# user has been through that.
codex_config_sum()
{
	sha256sum <"$HOME/.codex/config.toml"
}
