#!/bin/bash
. "$(dirname "$0")/dash.sh"

fake_session alpha running working
fake_session beta running working
fake_session gamma stopped
hold alpha beta
mkdir -p "$T/bin" "$XDG_CONFIG_HOME/afw"
cp "$BUILD/afw-dashboard" "$T/bin/"
cat >"$T/bin/afw" <<'END'
#!/bin/bash
case $1 in
logs) printf 'what it showed, line %d\n' {1..60} ;;
attach) echo "ATTACHED $2"; read -r line ;;
checkpoints) printf '[%s{"number":60,"kind":"turn-begin"}]' \
	"$(printf '{"number":%d,"kind":"user","files":1},' {1..59})" ;;
diff) printf '+changed, line %d\n' {1..60} ;;
esac
END
chmod +x "$T/bin/afw"
start()
{
	tmux_stop
	tmux_start 80 24 env X=1 "$T/bin/afw-dashboard"
	tmux_wait_for alpha
}
flags() { tm display-message -p -t =t: '#{mouse_button_flag}'; }
start
is "$(flags)" 1 'it asks for the mouse'
click 5 20
selected_is gamma 'a click selects'
row_like 6 '── gamma ' 'the preview follows'
click 2 20
click 20 20
selected_is gamma 'elsewhere it does not'
mouse '64;20;4M' '64;20;4M'
selected_is alpha 'the wheel goes through the list'
mouse '65;20;4M'
selected_is beta 'both ways'

click 6 58
see '+changed, line 1' 'a click on a tab shows it'
mouse '65;20;12M'
row_like 7 'changed, line 4' 'the wheel scrolls it'
keys j
selected_is gamma 'and the keys are still those of the list'
keys k
click 6 49
mouse '64;20;12M'
see 'what it showed, line 54' 'the wheel goes back in what the screen showed'
see 'Esc back' 'in the hands of the reader'
mouse '65;20;12M' '65;20;12M' '65;20;12M'
gone 'what it showed' 'and at its end returns to the live screen'
mouse '64;20;12M'
tmux_wait_for 'what it showed'
click 3 20
selected_is alpha 'a click on the list leaves the reader'
gone 'Esc back' 'whose footer goes'

click 6 75
see ' 60 ' 'a click on the tab of turns shows them'
click 10 20
see 'Esc back' 'one in it moves the keys there'
row_like 10 '^> ' 'and chooses one'
keys j
row_like 11 '^> ' 'the next'
mouse '65;20;12M' '65;20;12M'
row_like 17 '^> ' 'the wheel moves the choice'
click 6 49
click 3 20
gone 'Esc back' 'a click on the list takes the keys back'

mouse '0;20;6M' '32;20;8M' '32;20;12M' '0;20;12m'
row_like 12 '^── alpha' 'the border between list and preview follows'
click 3 20
row_like 12 '^── alpha' 'and stays'
mouse '0;20;12M' '32;20;1M' '0;20;1m'
row_like 4 '^── alpha' 'up to the first row of the list'
mouse '0;20;4M' '32;20;24M' '0;20;24m'
row_like 21 '^── alpha' 'and the last of the preview'

click 4 20
selected_is beta 'one click'
click 5 20
selected_is gamma 'and one on another are no two'
double_click 4 20
see "ATTACHED $(basename "$(session_dir beta)")" 'two attach'
is "$(flags)" 0 'to whose screen the mouse belongs'
keys Enter
tmux_wait_for NAME
is "$(flags)" 1 'until it returns'
tmux_paste $'\e[<0;20;3M\e[<0;20;3m\eOB\e[B'
mouse '2;20;3M' '16;20;3M' '35;20;3M' '0;;M' 'x'
keys ?
see 'open the agent' 'help'
mouse '65;20;12M'
row_like 3 'allow what' 'is scrolled by the wheel'
keys q
selected_is beta 'a paste, other buttons and nonsense do nothing'

fake_session one running waiting_for_input
fake_session two running waiting_for_input
release_locks
hold alpha beta one two
start
keys I
row_like 4 '^[*] (one|two)' 'in the inbox'
click 4 20
row_like 4 '^> ' 'a click selects'
mouse '64;20;3M'
row_like 3 '^> ' 'and so does the wheel'
double_click 3 20
see 'ATTACHED' 'two clicks attach'
keys Enter
tmux_wait_for inbox
keys q

printf '%s\n' '[dashboard]' 'mouse = no' >"$XDG_CONFIG_HOME/afw/afw.ini"
start
is "$(flags)" 0 'mouse = no: the mouse is left to the terminal'
keys g
click 6 20
keys j
selected_is "$(names | cut -d' ' -f2)" 'whose reports would do nothing'
end
