#!/bin/bash
# The tabs beside the list: the screen and its history, the diff, the events,
# the status.
. "$(dirname "$0")/dash.sh"

mkfifo "$T/more"
afw new talker -- bash -c 'stty -echo; for i in {1..200}; do echo "line $i"; done
	printf "a\tb\nc\n" >made.txt; read -r _ <"$0"; echo late; exec cat' \
	"$T/more" >/dev/null || exit 2
created=$(date -u -d '+100 seconds' +%FT%T.000Z)
fake_session other stopped
dash 80 24
see 'line 200' 'the screen is shown first'
see '[screen] diff  log  info' 'the tabs are named in the title line'

keys PPage
see 'Esc back' 'PgUp reads what the screen showed before'
gone 'line 199' 'the end is out of sight'
see ' of 200' 'all of it is read'
keys g
see ' 1-1' 'g goes to the beginning'
keys / 1 5 0 Enter
see 'line 150' '/ looks for a text'
keys G
gone 'line 150' 'G goes to the end'
keys / i n e Space 1 7
gone 'line 199' 'while one types'
keys Enter
for i in {1..10}; do keys n; done
see ' 12-28 of' 'n continues to the older'
keys / x y z Enter
see "there is no 'xyz'" 'a missing text is reported'
echo >"$T/more"
keys End
see 'late' 'End returns to the live screen'
gone 'Esc back' 'and to the list'

keys Tab
see '[diff]' 'Tab shows the diff'
see '+2 ' 'with the files and their lines'
see '+a      b' 'and the lines; a tab is blanks'
keys 2
see "no checkpoint of its last turn's start" '2 again: what its last turn has changed'
keys 2
see '[uncommitted]' '2 again: only what is not committed'
see '+a      b' 'is the same here'
keys 2
see '(nothing is staged)' 'and only what is staged'
keys 2
see '[diff]' 'round to all'
keys BTab
see '[screen]' 'Shift-Tab goes back'
keys 3
see 'agent started, pid' '3 shows what happened'
keys PPage k g
see 'created' 'from the beginning'
keys 4
see 'worktree' '4 in the reader shows what is known'
see 'branch' 'the branch of its worktree, too'
keys Escape
gone 'Esc back' 'Esc gives the keys back to the list'
keys j
wait_for '[ "$(selected)" = other ]'
see 'supervisor   none' 'the tab follows the selection'
keys 2
see 'diff of' 'a tab that cannot be had says why'

# What is shown is removed.
keys g 4
see 'talker: idle' 'the first again'
afw rm -s talker >/dev/null 2>&1
names_are other 'it is removed while its tab is shown'
see 'other: stopped' 'and the next one is shown'
gone 'talker: idle' 'with nothing of the first'

# A hostile one, in a small window.
afw new bad -- bash -c 'stty -echo; printf "\e]2;\xe2\x80\xaetitle\e]0;evil\a\e[31mred\e[m\n"; printf "\e]0;evil\a\e[2Jx\n" >"$(printf "n\ea")"
	exec cat' >/dev/null || exit 2
dash 40 10
tmux_wait_for bad
keys g
selected_is bad 'a narrow window has no preview'
keys 2
see 'new file mode' 'a tab has it all there'
keys G
see '0;evil' 'the diff of a hostile file is shown'
unlike "$(tmux_screen -e)" $'\e]0' 'its sequences are not obeyed'
keys 1
see 'red' 'the screen has it, too'
keys 3
see '[log]' 'and the log'
keys Escape
see 'NAME' 'Esc leaves it'
unlike "$(tm display-message -p -t =t: '#{pane_title}')" evil 'the title is ours'
keys q
waits_for tmux_dead 'q leaves'
end
