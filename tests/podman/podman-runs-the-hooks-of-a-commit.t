#!/bin/bash
# Sandbox podman: the hooks of afw commit run in the session's container.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_begins
make_repo "$T/repo" README
cd "$T/repo" || exit 2
mkdir -p .git/hooks
podman_config ''
exit_is 0 'a session' afw new x -- sleep 600
tree=$T/.af_worktrees/repo-x
hook() { { echo '#!/bin/sh'; cat; } >".git/hooks/$1"; chmod +x ".git/hooks/$1"; }
hook pre-commit <<'END'
[ -e /run/afw/git ] || exit 1
echo fixed >fixed; git add fixed; git rm -q --cached left; echo "in $PWD"
[ ! -e refuse ]
END
hook commit-msg <<<'echo "by $0" >>"$1"'
echo left >"$tree/left"; touch "$tree/refuse"
run afw commit x -m no
is "$code|$out" '1|' 'a hook refuses'
like "$err" $'in /workspace\nafw: commit .x.: git has failed' 'in the container'
rm "$tree/refuse"
exit_is 0 'hooks that agree' afw commit x -m 'with hooks'
is "$(git log -1 --format=%B af/x)|$(git show af/x:fixed)" \
	"with hooks
by /run/afw/hooks/commit-msg|fixed" 'and what they did is committed'
is "$(afw exec x -- git status -s)|$(git -C "$tree" status -s)" '?? left|?? left' 'inside, too'
exit_is 0 'stop' afw stop x
refused 6 'git runs in its container.*afw start x' 'it needs the container' afw commit x -m no
exit_is 0 'rm' afw rm -s x
done_testing
