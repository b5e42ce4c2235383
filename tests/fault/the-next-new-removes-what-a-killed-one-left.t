#!/bin/bash
# SIGKILL of afw-worktree right before a write of new, or of the rollback of a
# new that failed: git finds nothing wrong with the repository, and `afw new` of
# another session removes the rest. A session that starts after another one
# (--after) can be retried.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
afw_env
kill_world README a b
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

# Not removed before _clean has checked: rm deletes in the background.
AGAIN='afw new two -- cat && [ -z "$(trace)" ]'
back='afw ls -q | xargs -r afw rm --stop'
kill_each afw-worktree 'afw new one -- cat' \
	'phase one running || [ -z "$(trace)" ]' "$back"
fails='mkdir -p "$XDG_CONFIG_HOME/afw" && cat "$T/../ini" >"$XDG_CONFIG_HOME/afw/afw.ini"'
echo "setup = sh -c '[ \${PWD##*-} = two ]'" >"$T/ini"
kill_each afw-worktree '! afw new one -- cat' '[ -z "$(trace)" ]' "$back" "$fails"

# The waiting one is an afw of its own, which continues after the first ended.
settled()
{
	local i status
	for i in {1..200}; do
		status=$(afw status one --json 2>&1) || return
		[[ $status != *'"phase":"'@(running|error)'"'* ]] || return
		read -r -t 0.05 <> <(:) || :
	done
}
new_after()
{
	afw new one --after first -- cat
	settled
	phase one running || { echo "afw: $(afw ls)"; false; }
}
export -f phase settled new_after
# Killed right before the mark is removed, it stays in git's entry of a worktree
# that is complete, until the next new or reconcile.
AGAIN='afw retry one || afw new one --after first -- cat; settled; afw reconcile'
first='afw new first -- sh -c '\''printf "\033]7501;state=done\033\\"; cat'\'' &&
	afw wait first --for completed --timeout 20s'
kill_each 'afw -x afw-worktree' new_after 'phase one running' \
	'afw rm --stop one' "$first"
# Its record may be there although that is an error.
FAULT='-e EIO -a -c fsync' EVERY=1
kill_each afw new_after 'phase one running' 'afw rm --stop one' "$first"
done_testing
