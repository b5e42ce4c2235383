#!/bin/bash
# Sandbox podman: each agent that afw knows finds its login in the usual place,
# and the user's own file is not changed.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_begins
make_repo "$T/repo" README
cd "$T/repo" || exit 2
mkdir -p "$T/bin"
export PATH="$T/bin:$PATH"
unset CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME

# login NAME FILE WHERE: FILE is below the user's home, WHERE is how the program
# finds it.
login()
{
	local name=$1 file=$HOME/$2 tree=$T/.af_worktrees/repo-$1
	mkdir -p "${file%/*}"
	printf '{"token":"of %s"}\n' "$name" >"$file"
	chmod 600 "$file"
	# A login is renewed in its place.
	cat >"$T/bin/$name" <<-END
	#!/bin/sh
	cat "$3" >login.new 2>&1
	echo renewed >"$3"
	ls -l "$3" >mode
	mv login.new login
	exec sleep 600
	END
	chmod +x "$T/bin/$name"
	exit_is 0 "$name" afw new "$name" -a "$name"
	waits_for "[ -s '$tree/login' ]" "$name has started"
	is "$(<"$tree/login")" "{\"token\":\"of $name\"}" "$name reads its login"
	like "$(<"$tree/mode")" '^-rw-------|^l' 'which is its alone'
	is "$(<"$file")" "{\"token\":\"of $name\"}" 'and the user'"'"'s stays as it is'
	for other in claude codex gemini opencode; do
		[ "$other" = "$name" ] || is "$(afw exec "$name" -- cat \
			"/home/agent/$(path_of $other)" 2>/dev/null)" '' \
			"it has none of $other"
	done
	exit_is 0 'stop' afw stop "$name"
}
path_of()
{
	case $1 in
	claude) echo .claude/.credentials.json ;;
	codex) echo .codex/auth.json ;;
	gemini) echo .gemini/oauth_creds.json ;;
	opencode) echo .local/share/opencode/auth.json ;;
	esac
}
login claude "$(path_of claude)" '${CLAUDE_CONFIG_DIR:-$HOME/.claude}/.credentials.json'
login codex "$(path_of codex)" '${CODEX_HOME:-$HOME/.codex}/auth.json'
login gemini "$(path_of gemini)" '${GEMINI_CLI_HOME:-$HOME}/.gemini/oauth_creds.json'
login opencode "$(path_of opencode)" '${XDG_DATA_HOME:-$HOME/.local/share}/opencode/auth.json'
done_testing
