#!/bin/bash
# While afw land runs, no other command takes its worktree for one that was left;
# a signal ends it in order, and says what has landed.
. "$(dirname "$0")/../lib.sh"
afw_env
export T
mkdir -p "$XDG_CONFIG_HOME/afw"
make_repo "$T/repo" README
cd "$T/repo" || exit 2
# shellcheck disable=SC2016 # for the check
echo 'check = sh -c "test ! -e two || { touch $T/runs; until test -e $T/go; do sleep 0.1; done; }"' \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
for name in one two three; do
	run afw new $name --no-start -- cat
	(cd "$T/.af_worktrees/repo-$name" && touch $name && git add $name && git commit -qm "work of $name")
done
base=$(git rev-parse main)
# land: starts it, and waits until one has landed and two is checked.
land()
{
	rm -f "$T/runs"
	tmux_start 110 30 sh -c "trap : INT; afw land -y $* one two three; echo ended: \$?; read -r _"
	waits_for "test -e $T/runs" 'a check runs'
}
nothing_is_left()
{
	waits_for '! git worktree list | grep -q _land' "$1"
	is "$(git branch --list '*_land'; find "$T/.af_worktrees" -name '*_land*')" '' 'no branch and no file'
	is "$(afw reconcile)" "$order" 'reconcile finds nothing'
}
order=$(afw reconcile)

land
is "$(afw reconcile)" "$order" 'reconcile says nothing about its worktree and branch'
is "$(afw doctor | grep _land)" '' 'doctor neither'
exit_is 4 'a second one' afw land -y three
like "$err" 'land: another landing runs in this repository.hint: .*try again when it has ended' 'is refused, and told what to do'
is "$(git log --format=%s main | head -1)" 'work of one' 'one has landed'
tmux_keys C-c
tmux_wait_for 'ended: 130'
like "$(tmux_screen)" 'two: left out: interrupted.*main: [0-9a-f]{7}\.\.[0-9a-f]{7}, 1 session, .*Left out: two, three' \
	'Ctrl-C: it says what has landed'
like "$(tmux_screen)" 'reset --keep.*takes all of it back.*land: interrupted' 'and how to take it back'
tmux_stop
nothing_is_left 'and nothing is left'
is "$(git log --format=%s main | head -1)" 'work of one' 'what has landed stays'

git reset -q --keep "$base"
rm -f "$T/runs"
afw land -y --batch one two three >"$T/out" 2>"$T/err" &
waits_for "test -e $T/runs" 'a batch is checked'
kill "$!"
ends_with 1 "$!" 'SIGTERM: it ends'
like "$(<"$T/out")" 'main is where it was\. Left out: one, two, three' 'nothing of the batch has landed'
nothing_is_left 'and nothing is left'
is "$(git rev-parse main)" "$base" 'the branch is where it was'

rm -f "$T/runs"
afw land -y one two three >"$T/out" 2>"$T/err" &
waits_for "test -e $T/runs" 'it runs again'
kill -KILL "$!"
waits_for '! git worktree list | grep -q _land' 'SIGKILL: the worktree is removed'
like "$(afw reconcile)" '1 `afw new` or `afw land` was interrupted; the next one deletes what it has left' \
	'reconcile knows what it was'
touch "$T/go"
exit_is 0 'the next one' afw land -y two three
nothing_is_left 'lands, and cleans up'
done_testing
