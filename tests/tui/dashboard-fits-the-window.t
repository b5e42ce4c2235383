#!/bin/bash
. "$(dirname "$0")/dash.sh"

for i in 1 2 3 4 5; do fake_session "number-$i" stopped '' '"exit_code":0,'; done
widest()
{
	tmux_screen | awk '{ if (length > n) n = length } END { print n + 0 }'
}

dash 80 24
see '? help  q quit' 'the footer is whole at 80 columns'
is "$(tmux_screen | wc -l)" 24 'it has 24 rows'
row_like 24 '^r resume' 'the footer is the last of them'
row_like 8 '^── number-1 · generic · stopped' 'the preview is below'

tmux_resize 200 50
see 'number-1 · generic · stopped' 'it follows the window to 200x50'
wait_for '[[ "$(row 50)" == "r "* ]]'
row_like 50 '^r resume' 'the footer has moved down'
row_like 8 '^── number-1' 'the preview is below as long as the list is short'
row_like 2 'BRANCH' 'the branch has a column now'
tmux_resize 200 30
row_like 2 '^  NAME.*│── number-1' 'the preview is beside the list if there are few rows'

tmux_resize 50 12
wait_for '[[ "$(row 12)" == "r "* ]]'
row_like 12 '^r resume' 'it follows the window down to 50x12'
wait_for '[ "$(names | wc -w)" = 4 ]'
names_are 'number-1 number-2 number-3 number-4' 'the list is still there'
row_like 2 ' 1-4 of 5 *$' 'and says where in it one is'
tmux_resize 30 8
see '30x8 is too small' 'it shows that the window is too small'
keys j n x
tmux_resize 80 24
see 'NAME' 'and given up when there is room again'
selected_is number-1 'keys did nothing meanwhile'
tmux_resize 30 8
see 'too small' 'small again'
keys q
waits_for tmux_dead 'q leaves even then'

dash 40 10
see 'number-1' '40x10 is enough'
row_like 10 '^r resume .*[?] help  q quit *$' 'help and quit stay in the footer'
tmux_resize 41 10
tmux_resize 300 100
wait_for '[[ "$(row 100)" == "r "* ]]'
row_like 100 '^r resume' '300x100 works'
unlike "$(row 2)" ' of 5' 'all are seen'

repo=$T/a-repository-of-a-long-name
fake_session the-name-is-what-counts stopped
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '[dashboard]\ngroup = none\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
dash 100 24
see ' a-rep…/the-name-is-what-counts ' 'in a long label the repository is shortened'
see ' repo/number-1 ' 'a text that fits is shown whole'
tmux_resize 80 24
see ' the-name-is-what-counts   s' 'and left out where there is no room'
see '── repo/number-1 ·' 'the heading of the preview has all of it'

repo=$T/repo
fake_session checked stopped
mkdir "$dir/groups"
: >"$dir/groups/web"
fake_state checked stopped '' '"check":"failed","check_line":"2 tests failed","check_round":3,"check_rounds":10,'
tmux_resize 150 24
see '(web) check failed in round 3' 'the output of the check is shown'
row_like 9 '/checked .* stopped +✗  ' 'and marked'
tmux_resize 60 24
see '✗  (web) check' 'in a narrow window too'
end
