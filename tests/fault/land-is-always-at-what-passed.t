#!/bin/bash
# SIGKILL, or an error, at every call of afw land that changes a file: the branch
# is at a commit that has passed its check, or where it was; the next run
# finishes, and no worktree is left.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
afw_env
# One run has hundreds of such calls.
[ "$EVERY" = 1 ] || EVERY=31
kill_world README a b
# Each session changes files of its own.
cat >"$T/work" <<'END'
for n in one two; do
	afw new $n --no-start -- cat || exit
	cd "$W/repo-$n" || exit
	echo $n >$n && mkdir -p d && echo $n >d/$n && git add -A && git commit -qm $n
	cd "$R/repo" || exit
done
mkdir -p "$XDG_CONFIG_HOME/afw"
echo "check = sh -c 'echo junk >a; echo >new; git rev-parse HEAD >>$T/checked'" >"$XDG_CONFIG_HOME/afw/afw.ini"
git tag before
END
export W
landed()
{
	local n
	for n in one two; do
		[ "$(cat "$n" "d/$n")" = "$n"$'\n'"$n" ] || return
	done
	[ -z "$(git status --short -uno)" ]
}
# Asked after each kill, before the next run.
kept()
{
	local now
	now=$(git rev-parse main)
	[ "$now" = "$(git rev-parse before)" ] || grep -q "$now" "$T/checked" ||
		echo "main is at $now, which was not checked"
	for now in one two; do
		git rev-parse -q --verify "af/$now" >/dev/null || echo "the branch of $now"
	done
}
failed() { :; }
# What is left if all of it is killed while it removes its worktree.
AGAIN='afw land -y && afw reconcile --apply'
back='rm -rf .git/afw-merge; git reset -q --hard before; git clean -fdq'
for program in afw afw-worktree; do
	FAULT=''
	kill_each $program 'afw land -y --no-resolve' landed "$back" 'bash "$T/../work"'
done
FAULT='-e ENOSPC'
kill_each afw-worktree 'afw land -y --no-resolve' landed "$back" 'bash "$T/../work"'
FAULT=''
kill_each 'afw -x afw-worktree' 'afw land -y --batch --squash' landed "$back" 'bash "$T/../work"'
done_testing
