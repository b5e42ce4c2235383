#!/bin/bash
# undo: no message is typed while it runs, so the agent stays idle; and the
# history says what was undone.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/undo.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
make_repo "$T/repo"
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo-one

# begins_undo [ARGS...]: an undo that waits for the lock of the checkpoints.
begins_undo()
{
	coproc lock { exec flock "$(git -C "$tree" rev-parse --git-dir)" sh -c 'echo; cat'; }
	read -r <&"${lock[0]}"
	afw undo one --yes "$@" >"$T/undo" 2>&1 &
	undo=$!
	waits_for '[ -n "$(cat /proc/$undo/task/$undo/children)" ]' 'an undo that runs'
}
goes_on()
{
	exec {lock[1]}>&-
	wait "$lock_PID"
}

exit_is 0 'a session' afw new one -a demo
exit_is 0 'is ready' afw wait one --for idle -t 240s
exit_is 0 'a turn' afw send one --wait -- '[[write one]]'
waits_for '[ "$(number_of turn-end)" ]' 'that is stored'
begins_undo
exit_is 0 'a message meanwhile' afw send one -- '[[write two]]'
like "$out" 'queued.*its work is being undone' 'is queued'
nok_cmd 'it is not typed' test -e "$tree/two"
goes_on
ends_with 0 "$undo" 'the undo ends'
waits_for '[ -e "$tree/two" ]' 'then it is typed'
is "$(grep -o 'write .*]]\|The user has undone' "$T/log")" $'write one]]\nThe user has undone\nwrite two]]' \
	'but not before the agent knows of the undo'
nok_cmd 'what was undone is not there' test -e "$tree/one"
exit_is 0 'its turn ends' afw wait one --for completed -t 240s

run afw send one -- "[[write three]] [[until $T/go]]"
waits_for '[ -e "$tree/three" ]' 'a turn that lasts'
exit_is 0 'a message during it' afw send one -- '[[write four]]'
like "$out" 'queued' 'is queued'
begins_undo --interrupt
goes_on
ends_with 0 "$undo" 'the interrupted turn is undone'
like "$(<"$T/undo")" 'message to the agent: queued: before message [0-9]' \
	'the agent is told before that message'
nok_cmd 'as it was' test -e "$tree/three"
waits_for '[ -e "$tree/four" ]' 'the next turn is not undone'
exit_is 0 'it ends' afw wait one --for completed -t 240s

exit_is 0 'redo' afw undo one --yes --no-tell --redo
exit_is 0 'stopped' afw stop one
exit_is 0 'undo of a stopped session' afw undo one --yes
is "$(afw events one | grep -oE '(un|re)do to .*' | sed 's/[0-9]*:.*//')" \
	'undo to checkpoint 
undo to checkpoint 
redo to checkpoint 
undo to checkpoint ' 'all is in the history'
like "$(afw since 1h)" '2 undos' 'and on the page of afw since'
done_testing
