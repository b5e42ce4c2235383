# users.sh - the user's own configuration of all four agents, and whether it
# is as it was. Sourced after agent.sh:
#
#	users_files	after the agent's own *_env: makes what is missing
#	...
#	users_files_are_kept
#
# An agent keeps conversations, caches and counters beside these files. In
# ~/.claude.json they are mixed: there, what a user decides is compared.

users_files()
{
	_users_file "$HOME/.claude/settings.json" '{"permissions": {}}'
	_users_file "$HOME/.claude/settings.local.json" '{}'
	_users_file "$HOME/.claude/CLAUDE.md" 'Be kind.'
	_users_file "$HOME/.claude/commands/mine.md" 'Say hello.'
	_users_file "$HOME/.codex/config.toml" ''
	_users_file "$HOME/.codex/AGENTS.md" 'Be kind.'
	_users_file "$HOME/.gemini/settings.json" '{}'
	_users_file "$HOME/.gemini/GEMINI.md" 'Be kind.'
	_users_file "$HOME/.gemini/trustedFolders.json" '{}'
	_users_file "$HOME/.gemini/oauth_creds.json" '{"access_token": "x"}'
	_users_file "$HOME/.gemini/commands/mine.toml" 'prompt = "x"'
	# Without $schema OpenCode itself puts it in.
	_users_file "$XDG_CONFIG_HOME/opencode/opencode.json" \
		'{"$schema": "https://opencode.ai/config.json"}'
	_users_file "$XDG_CONFIG_HOME/opencode/AGENTS.md" 'Be kind.'
	USERS_BEFORE=$(_users_sums) USERS_DECIDED=$(_users_decided)
}

users_files_are_kept()
{
	is "$(_users_sums)" "$USERS_BEFORE" \
		"the user's own configuration is as it was"
	is "$(_users_decided)" "$USERS_DECIDED" \
		'and what the user decided in ~/.claude.json'
}

_users_file()
{
	[ ! -e "$1" ] || return 0
	mkdir -p "${1%/*}"
	printf '%s\n' "$2" >"$1"
}

# Of all that is configuration by its name: new ones count, too.
_users_sums()
{
	local files=("$HOME/.claude" "$HOME/.codex" "$HOME/.gemini"
		"$XDG_CONFIG_HOME/opencode")
	[ -z "${OPENCODE_CONFIG-}" ] || files+=("$OPENCODE_CONFIG")
	find "${files[@]}" -type f \( -name 'settings*.json' \
		-o -name '*.toml' -o -name '[A-Z]*.md' -o -name mine.md \
		-o -name '*creds*.json' -o -name 'trusted*.json' \
		-o -name 'hooks*.json' -o -name '*mcp*.json' \
		-o -name 'opencode.json*' \) -not -path '*/skills/*' \
		-not -path '*/node_modules/*' \
		-exec sha256sum {} + | sort -k2
}

# Trust, servers, tools and keys in ~/.claude.json, of all projects.
_users_decided()
{
	node -e 'const fs = require("fs"), file = process.argv[1];
		const all = fs.existsSync(file) ?
			JSON.parse(fs.readFileSync(file, "utf8")) : {};
		const of = (o, keys) => keys.map((k) => o[k] || null);
		console.log(JSON.stringify([of(all, ["mcpServers",
			"customApiKeyResponses", "hasCompletedOnboarding"]),
		Object.entries(all.projects || {}).filter(([, p]) =>
			p.hasTrustDialogAccepted ||
			Object.keys(p.mcpServers || {}).length ||
			(p.allowedTools || []).length).map(([name, p]) =>
			[name, of(p, ["hasTrustDialogAccepted", "mcpServers",
				"allowedTools"])])]));' "$HOME/.claude.json"
}
