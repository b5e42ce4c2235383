#!/bin/bash
. "$(dirname "$0")/dash.sh"

fake_session alpha running waiting_for_input
fake_session beta running working
fake_session gamma stopped
hold alpha beta
# What it would run, made visible.
mkdir "$T/bin"
cp "$BUILD/afw-dashboard" "$T/bin/"
cat >"$T/bin/afw" <<'END'
#!/bin/bash
printf '%s|' "$@" >>"$AF_TEST_ID/calls"
case $1 in
send | new) cat >>"$AF_TEST_ID/calls" ;;
esac
echo >>"$AF_TEST_ID/calls"
case $1 in
send) echo "alpha: accepted" ;;
stop) echo "alpha: stopped" ;;
rm) printf 'afw: remove alpha: 3 files are not committed\nhint: commit or drop them\n' >&2; exit 9 ;;
diff) printf 'diff --git a/x b/x\n@@ -1 +1 @@\n-old\n+new \033]0;evil\007\n' ;;
attach) echo "ATTACHED $2"; read -r line; [ "$line" != fail ] ;;
new) printf 'afw: new: the branch is taken\n' >&2; exit 4 ;;
esac
END
chmod +x "$T/bin/afw"
tmux_start 80 24 "$T/bin/afw-dashboard" -
stop
tmux_start 80 24 env X=1 "$T/bin/afw-dashboard"
tmux_wait_for alpha
A=$(session_dir alpha) A=${A##*/}
calls() { cat "$T/calls" 2>/dev/null; }

keys ?
see 'open the agent' '? is the help'
keys q
gone 'open the agent' 'q closes it, and not the dashboard'
nok_cmd 'which is still there' tmux_dead

keys / b e t
wait_for 5 '[ "$(names)" = beta ]'
is "$(names)" beta 'the filter works while one types'
keys Escape
wait_for 5 '[[ "$(names)" == alpha* ]]'
is "$(selected)" beta 'Esc shows all again; the selection stays'
keys g

keys x
see 'Stop alpha?' 'x asks'
keys j Enter n
see 'nothing was done' 'and only y is a yes'
is "$(calls)" '' 'nothing was run'
keys x y
see 'alpha: stopped' 'y stops it'
is "$(calls)" "stop|$A|" 'by its id'
rm -f "$T/calls"

keys r y
see '3 files are not committed (commit or drop them)' 'a refusal is shown with its reason'
rm -f "$T/calls"

keys d
see '+new' 'd shows the diff'
see 'what alpha has changed' 'under a heading'
unlike "$(tmux_screen -e | tr -d '\033')" 'evil' 'harmlessly'
keys q
gone '+new' 'q closes it'
rm -f "$T/calls"

tmux_paste 'xynq'
keys s
see 'message to alpha' 'a paste into the list is no command'
is "$(calls)" '' 'nothing was run by it'
tmux_type 'hello '
tmux_paste $'two\nlines -- 日本'
see 'lines -- 日本' 'a paste into a message is text'
keys Escape
gone 'message to' 'Esc leaves the message'
keys s
see 'lines -- 日本' 'and keeps the text'
keys BSpace C-j z Enter
see 'alpha: accepted' 'Enter sends; the receipt is shown'
is "$(calls)" "send|$A|-F|-|hello two
lines -- 日
z" 'the text went over standard input, as it was'
rm -f "$T/calls"
keys s
see 'message to alpha' 'once more'
gone 'lines --' 'a message that was sent is gone'
keys Enter
see 'the message is empty' 'an empty one is refused'
keys Escape

keys Enter
see "ATTACHED $A" 'Enter hands over the terminal'
keys Enter
see 'NAME' 'and takes it back'
keys Enter
see "ATTACHED $A" 'again'
tmux_type fail
keys Enter
see 'ended with code 1' 'an attach that failed is said'
rm -f "$T/calls"

keys n
see 'new session in repo' 'n is the form'
keys - x Enter
see "it starts with '-'" 'a bad name is refused at once'
keys C-u
tmux_type 'fix-it'
keys Tab Tab
tmux_type 'cat "a b"'
keys Tab
tmux_type main
keys Tab
tmux_type 'do it'
keys C-j
tmux_type 'well'
keys Enter
see 'the branch is taken (n: try again)' 'what afw new says is shown'
is "$(calls)" 'new|fix-it|--json|-b|main|-F|-|--|cat|a b|do it
well' 'and it was asked for what was typed'
keys n
see 'fix-it' 'what was typed is kept'
keys Escape
rm -f "$T/calls"

keys s
tmux_type 'half a'
let_go
see 'message to alpha · error' 'a session that ends meanwhile: it is said'
keys Enter
see 'alpha does not run' 'the message is not sent'
see 'half a' 'and kept'
is "$(calls)" '' 'nothing was run'
keys Escape
keys q
waits_for 5 tmux_dead 'q leaves'
end
