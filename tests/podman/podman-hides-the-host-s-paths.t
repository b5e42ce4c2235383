#!/bin/bash
# Sandbox podman: inside, the worktree is /workspace and the home /home/agent,
# and each agent is given those paths. Programs in place of the four agents
# record their arguments; a path that they cannot open is a path of the host.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_needed
afw_env
mkdir "$T/stand-ins"
cat >"$T/stand-ins/claude" <<'END'
#!/bin/bash
name=${0##*/} id=''
printf '%s\n' "$@" >"/workspace/$name.args"
env >"/workspace/$name.env"
hook() { /run/afw/ld.so --library-path /run/afw/lib \
	/run/afw/afw-supervisor hook "$1" <<<"$2"; }
for arg; do
	case $before in --session-id | --resume) id=$arg ;; --settings) settings=$arg ;; esac
	before=$arg
	case $arg in --mcp-config=*) mcp=${arg#*=} ;; --policy=*) policy=$arg ;; esac
done
case $name in
claude)
	[ -r "$settings" ] && [ -r "$mcp" ] && echo opened
	at=~/.claude/projects/-workspace
	mkdir -p "$at" && echo '{"type":"user","message":{}}' >>"$at/$id.jsonl" &&
		echo kept
	;;
codex)
	id=${CODEX_SAYS-0199a213-81c0-7800-8aa1-bbab2a035a53}
	at=~/.codex/sessions/2026/01/02
	mkdir -p "$at"
	printf '{"timestamp":"2099-01-01T00:00:00Z","payload":{"id":"%s","cwd":"%s"}}\n' \
		"$id" "$PWD" >"$at/rollout-1-$id.jsonl" && echo kept
	hook SessionStart '{"session_id":"0199a213-0000-7000-8000-000000000000",
		"transcript_path":"x"}' && echo opened
	;;
gemini)
	cat "$GEMINI_CLI_HOME/.gemini/settings.json" &&
		cat "$GEMINI_CLI_HOME"/.gemini/extensions/*/gemini-extension.json &&
		echo opened
	;;
opencode)
	plugin=${OPENCODE_CONFIG_CONTENT#*file://} plugin=${plugin%%\"*}
	[ -r "$plugin" ] && [ -p "$AF_OPENCODE_DOOR" ] && echo opened
	;;
esac
exec cat
END
chmod 755 "$T/stand-ins/claude"
for name in codex gemini opencode; do
	ln "$T/stand-ins/claude" "$T/stand-ins/$name"
done
PODMAN_PROGRAMS="$(echo "$T"/stand-ins/*) readlink"
podman_prepared
podman_config $'bridge = yes\nissues_list_command = true'
make_repo "$T/repo" README .af/plan hooks/pre-commit
git -C "$T/repo" config core.hooksPath hooks
cd "$T/repo" || exit 2
exit_is 0 'trust' afw trust --yes
exit_is 0 'a session beside it' afw new beside -- sleep 600

# -- what there is
exit_is 0 'a session' afw new x -- sleep 600
inside() { LC_ALL=C afw exec x -- bash -c "$1" 2>&1; }
places=$(inside 'while read -r _ _ _ _ to _; do echo "$to"; done </proc/self/mountinfo')
like "$places" /workspace 'its worktree is mounted'
unlike "$places" "$T|$ROOT|\.af_worktrees" 'nothing is at a path of the host'
is "$(inside "ls -d '$T' '$PWD' '$ROOT'" | grep -c 'No such file')" 3 \
	'and not by another path'
is "$(inside 'cat /workspace/.git')" 'gitdir: /run/afw/git' 'git is beside it'
is "$(inside 'ls -A /workspace/.af; ls -A /workspace')" \
	$'.af\n.git\nREADME\nhooks' '.af is empty'
is "$(inside 'echo "$PWD $AF_WORKTREE $HOME $AF_REPOSITORY"')" \
	'/workspace /workspace /home/agent ' 'and so says its environment'
is "$(inside 'git rev-parse --show-toplevel --git-dir')" \
	$'/workspace\n/run/afw/git' 'and git'
variables() { grep -Ev '^(PATH|AF_TEST_[A-Z]*)=' | grep -F "$T"; }
is "$(inside env | variables)" '' 'no variable has another'
printf '#!/bin/sh\necho "$0 in $PWD"\n' >"$T/.af_worktrees/repo-x/hooks/pre-commit"
chmod +x "$T/.af_worktrees/repo-x/hooks/pre-commit"
exit_is 0 'a hook of the worktree runs' afw commit x -m hook
like "$err" '/workspace/hooks/pre-commit in /workspace' 'by its path inside'

# -- what each agent is given
mkdir -p "$HOME/.gemini"
echo '{"mine":1}' >"$HOME/.gemini/settings.json"
for agent in claude codex gemini opencode; do
	exit_is 0 "$agent" afw new "$agent" -a "$agent"
	waits_for "afw logs $agent | grep -q '^opened'" 'opens what it is given'
	tree=$T/.af_worktrees/repo-$agent
	is "$(grep -F "$T" "$tree/$agent.args")" '' 'no argument has a path of the host'
	is "$(variables <"$tree/$agent.env")" '' 'and no variable'
done
like "$(afw logs gemini)" '"mine":1' "gemini has the user's settings"
unlike "$(afw logs gemini)" "$T" 'at its own paths'
like "$(<"$T/.af_worktrees/repo-codex/codex.args")" \
	'"/workspace"=\{trust_level="trusted"\}' 'codex trusts its worktree'

# -- what they kept is found again
for agent in claude codex; do
	exit_is 0 "stop $agent" afw stop "$agent"
	exit_is 0 'resume' afw resume "$agent"
done
waits_for 'grep -qx -- --resume "$T/.af_worktrees/repo-claude/claude.args"' \
	'claude continues'
waits_for 'grep -qx 0199a213-81c0-7800-8aa1-bbab2a035a53 \
	"$T/.af_worktrees/repo-codex/codex.args"' \
	'codex with the newest in its worktree'
exit_is 0 'stop' afw stop --all
done_testing
