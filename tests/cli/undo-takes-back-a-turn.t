#!/bin/bash
# undo: files, index and branch are as they were when the turn began, whatever
# the agent did, and redo brings its work back.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/undo.sh"
afw_env
make_repo "$T/repo" README src/a src/b
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo-one

# turn COMMANDS: a turn of the agent.
turn()
{
	run afw send one --wait -- "$1"
	[ "$code" = 0 ] || fail "turn: $1: $err"
}

# undone NAME WANTED [ARGS...]: undo makes all_of the worktree WANTED.
undone()
{
	local name=$1 wanted=$2
	shift 2
	exit_is 0 "$name" afw undo one --yes --no-tell "$@"
	like "$out" 'verified: [0-9]+ files? (are|is) as (they were|it was) at ..:..' 'is verified'
	is "$(all_of "$tree")" "$wanted" 'all is as it was'
}

exit_is 0 'a session' afw new one -- bash -c "$undo_agent"
exit_is 0 'is ready' afw wait one --for idle -t 240s
echo mine >"$tree/mine"
echo staged >"$tree/staged"
git -C "$tree" add staged
before=$(all_of "$tree")
turn 'echo more >>README; rm src/a; mkdir new; echo x >new/x; chmod +x src/b; git add -A; git commit -qm work; echo y >y; ln -s y link'
after=$(all_of "$tree")
run afw undo one --dry-run
is "$code" 0 'a dry run'
like "$out" 'restore README' 'names what would be restored'
like "$out" 'remove  y' 'and what removed'
like "$out" 'remove from af/one: [0-9a-f]{10} work' 'and the commit'
is "$(all_of "$tree")" "$after" 'and changes nothing'
undone 'undo' "$before"
undone 'redo' "$after" --redo
undone 'undo again' "$before"
undone 'and redo' "$after" --redo

# One turn after the other.
turn 'echo second >second'
undone 'the last turn' "$after"
undone 'then the one before it' "$before"
undone 'the number of a checkpoint' "$after" "$(number_of turn-begin second)"

# Parts.
turn 'echo p >p; echo q >q; git add p q; git commit -qm parts'
head=$(git -C "$tree" rev-parse HEAD)
exit_is 0 'these files only' afw undo one -y --no-tell --files p
ok_cmd 'p is gone' test ! -e "$tree/p"
ok_cmd 'q is not' test -e "$tree/q"
is "$(git -C "$tree" rev-parse HEAD)" "$head" 'nor is the commit'
exit_is 0 'redo' afw undo one -y --no-tell --redo
ok_cmd 'p is there again' test -e "$tree/p"
exit_is 0 'the commits stay' afw undo one -y --no-tell --keep-commits
ok_cmd 'the files do not' test ! -e "$tree/q"
is "$(git -C "$tree" rev-parse HEAD)" "$head" 'HEAD has not moved'
exit_is 0 'redo' afw undo one -y --no-tell --redo

# What was pushed.
git remote add origin "$T/no.git"
git update-ref refs/remotes/origin/af/one "$head"
refused 4 '1 of the 1 commits that would leave' 'a commit that was pushed' afw undo one -y "$(number_of turn-begin parts)"
like "$err" 'keep-commits' 'the hint'
git update-ref -d refs/remotes/origin/af/one

# A stopped session.
turn 'echo last >last'
exit_is 0 'stopped' afw stop one
exit_is 0 'undo of a stopped session' afw undo one -y --no-tell "$(number_of turn-begin last)"
ok_cmd 'is done' test ! -e "$tree/last"
exit_is 0 'and redo' afw undo one -y --redo
ok_cmd 'too' test -e "$tree/last"
like "$(afw send one --list)" 'restored work of yours' \
	'the agent will be told at its next start'
exit_is 0 'not here, where that would be a turn' afw send one --cancel all

# Turns whose checkpoints could not be taken in time, here because another
# process has their lock: the turn before them is not undone in their place. The
# second one begins while the end of the first is not stored.
exit_is 0 'started again' afw start one
exit_is 0 'is ready' afw wait one --for idle,completed -t 240s
coproc lock { exec flock "$(git -C "$tree" rev-parse --git-dir)" sh -c 'echo; cat'; }
read -r <&"${lock[0]}"
turn 'echo unkept >unkept'
turn 'echo neither >neither'
exec {lock[1]}>&-
wait "$lock_PID"
refused 1 "no checkpoint of its last turn's start" 'a turn without a checkpoint' \
	afw undo one -y
like "$err" '`afw checkpoints one`' 'the hint'
ok_cmd 'nothing is undone' test -e "$tree/neither" -a -e "$tree/unkept" -a -e "$tree/last"
turn 'echo kept >kept'
exit_is 0 'the next turn' afw undo one -y --no-tell
ok_cmd 'is undone alone' test -e "$tree/unkept" -a ! -e "$tree/kept"
refused 1 'no checkpoint of the start of the turn before' 'the one before it' \
	afw undo one -y
like "$err" 'name an older checkpoint' 'the hint'
ok_cmd 'is not undone together with an older one' test -e "$tree/unkept" -a -e "$tree/last"
exit_is 0 'stopped again' afw stop one

# Bad input.
refused 1 'no checkpoint 999' 'a number that is not there' afw undo one -y 999
refused 2 "'x' is not a checkpoint's number" 'no number' afw undo one x
refused 2 "'0' is not a checkpoint's number" 'zero' afw undo one 0
refused 2 'not both' 'redo of a number' afw undo one --redo 3
refused 2 'cannot be combined' 'redo of files' afw undo one --redo --files README
refused 1 'none-of-these' 'a file that is not there' afw undo one -y 1 --files none-of-these
refused 2 'is not UTF-8' 'a name in another encoding' afw undo one -y --files $'x\xff'
refused 3 "no session 'two'" 'no such session' afw undo two
rm -rf "$tree"
refused 1 "undo 'one'" 'no worktree' afw undo one -y
make_repo "$T/other"
cd "$T/other" || exit 2
exit_is 0 'one that was never started' afw new two --no-start -a demo
refused 1 "undo 'two'" 'has nothing to undo' afw undo two -y
done_testing
