#!/bin/bash
# Gemini CLI with the user's own settings, memory and login, none of which is
# changed; activity comes from hooks, its MCP server is called, its own queue is
# waited for until that server has started, and a suspended session continues
# its own conversation, not the latest of its directory.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'its life does that, too'
. "$(dirname "$0")/agent.sh"
export TOLD='the server says kiwi, terces-yrev'
agent_env gemini 'Gemini CLI'
user=$HOME/.gemini
mkdir -p "$user/commands" "$user/extensions/mine"
cat >"$user/settings.json" <<-END
// mine
{"security": {"auth": {"selectedType": "gemini-api-key"}},
 "general": {"enableAutoUpdate": false}}
END
echo 'always be kind' >"$user/GEMINI.md"
echo '{"access_token": "secret"}' >"$user/oauth_creds.json"
echo '{}' >"$user/trustedFolders.json"
echo 'prompt = "x"' >"$user/commands/x.toml"
echo '{"name": "mine", "version": "1.0.0"}' \
	>"$user/extensions/mine/gemini-extension.json"
hashes()
{
	(cd "$user" && sha256sum settings.json GEMINI.md oauth_creds.json \
		trustedFolders.json commands/* extensions/*/*)
}
before=$(hashes)
export GEMINI_API_KEY=k GOOGLE_GEMINI_BASE_URL=$MODEL
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'trust' afw trust -y

mcp_file
: >"$T/hold"
exit_is 0 'new' afw new fix -a gemini -m 'first task [[text=one]]' \
	--mcp "$T/mcp.json" -e TOKEN=very-secret -- --approval-mode=default
waits_for 'afw capture fix | grep -q "Queued (press"' \
	'it queues its task while its MCP server starts'
exit_is 7 'another waits longer than a hook may take' \
	afw send --wait -t 9s fix 'behind it [[text=also]]'
unlike "$(afw capture fix)" 'behind it' 'and is not put into that queue'
unlike "$(afw status fix)" unconfirmed 'the first is still waited for'
rm "$T/hold"
waits_for 'all_texts | grep -q "behind it"' 'both arrive'
like "$(all_texts)" '^\["first task[^"]*","behind it[^"]*"\]' 'each for itself'
is_state fix running/completed
unlike "$(afw status fix)" unconfirmed 'and both are confirmed'
is "$(json activity_source "$T/.state")" hook 'a hook reports that'
knows_conversation fix
conversation=$(json conversation "$T/.state")
exit_is 0 'a tool' afw send fix '[[tool=bash:touch made]]'
is_state fix running/waiting_for_input
waits_for 'state fix; [[ $(json detail "$T/.state") =~ touch\ made ]]' \
	'the question is reported'
interrupted fix 'interrupt'
exit_is 0 'another message' afw send fix 'second task [[text=two]]'
is_state fix running/completed

asks_mcp fix
exit_is 0 'suspend' afw suspend fix
(cd "$T/.af_worktrees/repo-fix" && CI=false gemini --skip-trust \
	-p 'another one [[text=no]]' >"$T/other" 2>&1 </dev/null)
ok_cmd 'another conversation of the same directory' grep -q no "$T/other"
exit_is 0 'resume' afw resume fix
is "$out" 'fix: resumed its conversation' 'says that it did'
waits_for 'is_idle fix 0' 'it is ready again'
is "$(json conversation "$T/.state")" "$conversation" 'the same conversation'
exit_is 0 'a message' afw send fix 'third task [[text=three]]'
is_state fix running/completed
like "$(all_texts)" 'second task.*third task' 'with what was said in it'
unlike "$(all_texts)" 'another one' 'and not the other one'
exit_is 0 'stop' afw stop fix
is "$(hashes)" "$before" "the user's files are as they were"
agent_end
