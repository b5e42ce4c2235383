#!/bin/bash
# SIGKILL of afw-worktree right before a write of new, or of what undoes a new
# that failed: git finds nothing wrong with the repository, and `afw new` of
# another session removes what is left.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
afw_env
kill_world README a b
EVERY=${AF_TEST_EVERY:-3}
phase()
{
	[ "$(afw status "$1" --json 2>/dev/null |
		"$BUILD/tests/tools/jsonget" phase)" = "$2" ]
}
# What there is of a session one, in the repository and beside it.
trace()
{
	git branch --list af/one
	ls -d "$W/repo-one" "$R/repo/.git/worktrees/repo-one" 2>/dev/null
}
export -f trace
kept() { git fsck >"$T/fsck" 2>&1 || sed 's/^/git fsck: /' "$T/fsck"; }

AGAIN='afw new two -- cat && [ -z "$(trace)" ] && afw rm -s two'
kill_each afw-worktree 'afw new one -- cat' \
	'phase one running || [ -z "$(trace)" ]' '! afw ls -q | grep -q . ||
	afw rm --stop one'
fails='mkdir -p "$XDG_CONFIG_HOME/afw" && cat "$T/../ini" >"$XDG_CONFIG_HOME/afw/afw.ini"'
echo "setup = sh -c '[ \${PWD##*-} = two ]'" >"$T/ini"
kill_each afw-worktree '! afw new one -- cat' '[ -z "$(trace)" ]' true "$fails"
done_testing
