#!/bin/bash
# The tab of a session's turns: what each has changed, undo and redo.
. "$(dirname "$0")/dash.sh"

export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
mkdir -p "$XDG_CONFIG_HOME/afw"
printf 'check = test -e good\nharness = demo\n[harness.demo]\ncommand = %s\n' \
	"$ROOT/share/demo-agent" >"$XDG_CONFIG_HOME/afw/afw.ini"
tree=$T/.af_worktrees/repo-one
exit_is 0 'a session' afw new one -a demo
exit_is 0 'that is never started' afw new never -a demo --no-start
exit_is 0 'the first is ready' afw wait one --for idle -t 240s
exit_is 0 'a turn' afw send one --wait -- '[[write first]] make it good'
waits_for '[ "$(state_of one check)" = failed ]' 'whose check fails'
echo mine >"$tree/mine"
exit_is 0 'another' afw send one --wait -- '[[write good]] [[write second]] tail'
waits_for '[ "$(state_of one check)" = passed ]' 'whose check passes'

dash 80 30
names_are 'one never' 'both are there'
keys G
selected_is never 'the one that has never run'
keys 5
see '[turns]' '5 opens the tab'
see '(it has no checkpoints: ' 'which is empty'
keys Enter u '?'
see 'Choosing one of its turns' 'where Enter and u do nothing'
keys q Escape
see 'q quit' 'Esc moves the keys to the list'

keys g 5
see '>  3  ' 'the last turn is chosen'
screen=$(tmux_screen)
like "$screen" '  NO  TIME +CHANGES  CHECK   MESSAGE' 'below titles'
like "$screen" ' 1 +..:.. +\+1 -0 +failed +\[\[write first\]\] make it good' \
	'a turn with its number, time, lines, check and message'
like "$screen" ' 2 +..:.. +\+1 -0 +- +\(turn-end\)' 'the end of one'
like "$screen" '> +3 +..:.. +\+2 -0 +passed +\[\[write good\]\] ' 'the next'
like "$screen" ' 4 +..:.. +- +- +\(turn-end\)' 'the state at the end'
keys Enter
see 'what changed in one from checkpoint 3 to 4' 'Enter shows its diff'
see '+++ b/second' 'what the turn has made'
unlike "$(tmux_screen)" 'b/first|b/mine' 'and nothing else'
keys q
see '[turns]' 'q goes back'
keys G Enter
see 'nothing has changed' 'nothing has changed since the last'
keys k k
see '>  2  ' 'k goes up'
keys '?'
see 'restore files and branch as they were' 'the help has the keys'
keys q

keys g u
see 'one: back to ' 'u shows what it would do'
see 'remove  second' 'file by file'
see 'Restore this? y/n' 'and asks'
keys j n
see 'not done' 'no'
see '[turns]' 'leads back'
ok_cmd 'and changes nothing' test -e "$tree/first"
keys u
see 'Restore this? y/n' 'u again'
keys y
see 'verified: 4 files are as they were' 'yes restores it'
ok_cmd 'indeed' test ! -e "$tree/first" -a ! -e "$tree/second"
see '(undo)' 'the state before it is listed'
see 'The user has undone work' 'and the turn in which the agent reads that'
see '>  1  ' 'the choice stays'
exit_is 0 'the agent has read it' afw wait one --for completed -t 240s
keys U
see 'restore second' 'U shows what it would do'
keys y
see 'verified: 4 files are as they were' 'and reverses the undo'
ok_cmd 'indeed' test -e "$tree/first" -a -e "$tree/second"
exit_is 0 'the agent has read it' afw wait one --for completed -t 240s
see 'The user has restored work' 'that turn is listed, too'
keys G u
see 'nothing has changed since checkpoint' 'without anything to change it does not ask'

afw send one "[[write more]] [[until $T/go]]" >/dev/null
waits_for '[ -e "$tree/more" ]' 'it works'
see '[[write more]]' 'the turn is listed while it works'
keys G u
see "undo 'one': it is not done (working) (\`afw undo --interrupt one\`" \
	'u is refused, as by the command'
see 'Interrupt it? ' 'but offers to interrupt it'
keys n
see 'not done' 'no'
is "$(state_of one activity)" working 'leaves it at work'
keys u
see 'Interrupt it? ' 'u again'
keys y
see 'remove  more' 'yes interrupts it and shows what would change'
keys y
see 'verified: ' 'before it undoes'
ok_cmd 'the turn' test ! -e "$tree/more"
exit_is 0 'the agent has read it' afw wait one --for completed -t 240s

# Changes that others make.
exit_is 0 'a note' afw checkpoint one -m $'evil\e]0;x\a\xe2\x80\xae note'
exit_is 0 'another turn' afw send one --wait -- '[[write third]] the third'
see 'the third' 'a turn that begins elsewhere is listed'
see ' note' 'and a checkpoint with a hostile note'
unlike "$(tmux_screen -e)" $'\e]0|\xe2\x80\xae' 'which is harmless'
keys G
echo other >"$tree/third"
number=$(afw checkpoints one | awk 'END { print $1 }')
exit_is 0 'an undo elsewhere that changes no count' \
	afw undo one "$number" --yes --no-tell
waits_for 'tmux_screen | grep -q "^  *$((number + 1)) .*(undo)"' 'is listed'
keys Tab Tab Tab
see '[log]' 'Tab goes through the tabs'
see "undo to checkpoint $number: 1 file" 'and the log has it'
keys 5 G
exit_is 0 'it is stopped' afw stop one
exit_is 0 'an undo elsewhere' afw undo one --yes --no-tell
number=$(afw checkpoints one | awk 'END { print $1 }')
waits_for 'tmux_screen | grep -q "^  *$number .*(undo)"' 'is listed'
ok_cmd 'and is done' test ! -e "$tree/third"
keys U
see 'restore third' 'U reverses it'
keys y
see 'verified: ' 'without an agent, too'
ok_cmd 'indeed' test -e "$tree/third"

# A new session from one of them.
keys g j f
see 'new session in repo' 'f opens the form for a new session'
see 'one@2' 'from the chosen checkpoint'
unlike "$(tmux_screen)" '^ +Base ' 'in the place of a base'
tmux_type two
keys Enter
see 'started' 'it starts'
see '>  2 ' 'and the turns are there again'
new=$T/.af_worktrees/repo-two
ok_cmd 'it has the files of that time' test -e "$new/first" -a ! -e "$new/good"
keys Escape
see 'q quit' 'the keys are those of the list again'
exit_is 0 'it is removed' afw rm --stop two

# A window without a preview; and more to undo than it holds.
touch "$tree"/more{1..9}
keys q
dash 40 10
keys G
selected_is one 'the one that has stopped is the last'
keys 5
see '[turns]' 'a narrow window has the tab alone'
waits_for 'tmux_screen | grep -qE "^> +[0-9]+ .*\[\["' 'with the choice in sight'
keys u
see ' 1-7 of 1' 'and the beginning of what would change'
keys G
see 'remove  more9' 'which can be read to its end'
see 'Restore this? y/n' 'above the question'
keys n Escape
see 'NAME' 'Esc leaves it'
keys q
waits_for tmux_dead 'q leaves'
end
