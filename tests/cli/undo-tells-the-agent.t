#!/bin/bash
# undo: not under an agent that works, unless it is interrupted first; the agent
# is told; and on a terminal the user sees what would change, and is asked.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/undo.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
make_repo "$T/repo"
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo-one

exit_is 0 'a session' afw new one -a demo
exit_is 0 'is ready' afw wait one --for idle -t 240s
exit_is 0 'a turn' afw send one --wait -- '[[write made]]'
exit_is 0 'undo' afw undo one --yes
ok_cmd 'is done' test ! -e "$tree/made"
like "$err" '`afw undo --redo --interrupt one` reverses it' 'how to reverse it'
like "$out" 'one: message to the agent: ' 'what the receipt is about'
waits_for 'grep -q "The user has undone work of yours" "$T/log"' \
	'the agent is told'
waits_for 'afw capture one | grep -q "I will read the files again"' \
	'and has a turn'
exit_is 0 'that ends' afw wait one --for completed -t 240s
exit_is 0 'redo' afw undo --redo --interrupt one --yes --no-tell
ok_cmd 'although it had a turn since' test -e "$tree/made"
is "$(grep -c 'The user has' "$T/log")" 1 '--no-tell: it is not told'

run afw send one "[[write more]] [[until $T/go]]"
waits_for '[ -e "$tree/more" ]' 'it works'
refused 9 'it is not done .working.' 'not while it works' afw undo one --yes
like "$err" '`afw undo --interrupt one`' 'the hint'
ok_cmd 'nothing is changed' test -e "$tree/more"
exit_is 0 'interrupted first' afw undo --interrupt one --yes --no-tell
ok_cmd 'it is undone' test ! -e "$tree/more"
touch "$T/go"

exit_is 0 'another turn' afw send one --wait -- '[[write asked]]'
tmux_start 100 24 sh -c 'afw undo one --no-tell; echo ended: $?; read -r _'
tmux_wait_for 'Restore this? [y/N]' 'on a terminal it asks'
like "$(tmux_screen)" 'remove  asked' 'and shows what would change'
tmux_keys n Enter
tmux_wait_for 'ended: 1' 'no'
ok_cmd 'changes nothing' test -e "$tree/asked"
tmux_stop
tmux_start 100 24 sh -c 'afw undo one --no-tell; echo ended: $?; read -r _'
tmux_wait_for 'Restore this?'
echo mine >"$tree/mine"
tmux_keys y Enter
tmux_wait_for 'have changed since you were asked' 'it does only what was shown'
tmux_wait_for 'remove  mine' 'and asks again'
ok_cmd 'before it changes anything' test -e "$tree/mine" -a -e "$tree/asked"
tmux_keys y Enter
tmux_wait_for 'ended: 0' 'yes'
like "$(tmux_screen)" 'verified: [0-9]+ files? ' 'restores it'
ok_cmd 'indeed' test ! -e "$tree/asked"
tmux_stop
last=$(number_of turn-begin asked)
nothing="^one: nothing has changed since checkpoint $last\$"
exit_is 0 'it is as at that checkpoint' afw undo one "$last" --dry-run
like "$out" "$nothing" 'a dry run says so'
exit_is 0 'nor is anything undone' afw undo one "$last" --yes
like "$out" "$nothing" 'which it says, too'
tmux_start 100 24 sh -c "afw undo one $last; echo ended: \$?; read -r _"
tmux_wait_for 'ended: 0' 'on a terminal it does not ask either'
tmux_stop

exit_is 0 'stopped' afw stop one
echo mine >"$tree/asked"
tmux_start 100 24 sh -c "afw undo one $last; echo ended: \$?; read -r _"
tmux_wait_for 'Restore this?' 'a stopped one is asked about'
echo mine >"$tree/mine"
tmux_keys y Enter
tmux_wait_for 'remove  mine' 'twice, if more has changed'
tmux_keys y Enter
tmux_wait_for 'ended: 0' 'although afw itself has locked it by then'
nok_cmd 'and undone' test -e "$tree/mine" -o -e "$tree/asked"

exit_is 0 'a session' afw new two -a demo
exit_is 0 'is ready' afw wait two --for idle -t 240s
for i in 1 2; do
	exit_is 0 'a turn' afw send two --wait -- "[[write two-$i]]"
done
exit_is 0 'a draft in the input field' afw send two --keys x
for i in 1 2; do
	exit_is 0 'undo' afw undo two --yes
	like "$out" 'message to the agent: queued' 'whose message has to wait'
done
is "$(afw send --list two --json | grep -o '"message":[0-9]*' | sort -ct: -k2n; echo $?)" 0 \
	'the messages are in the order of the undos'
done_testing
