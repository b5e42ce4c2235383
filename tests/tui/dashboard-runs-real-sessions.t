#!/bin/bash
. "$(dirname "$0")/dash.sh"

dash 100 30 "PATH=$PATH" "EDITOR=$T/ed" "TMPDIR=$T"
see 'There are no sessions yet' 'it starts empty'
# An agent that says what it gets, in a colour of its own.
keys n
see 'new session in repo' 'n is the form'
keys Tab
tmux_type hello
keys Tab
for i in 1 2 3 4 5 6; do
	! tmux_screen | grep -qF '[a command]' || break
	before=$(tmux_screen)
	keys Right
	within 5 '[ "$(tmux_screen)" != "$before" ]'
done
keys Tab
tmux_type "sh -c 'printf \"\\033[32mgreen\\033[m here\\n\"; echo x >new-file; exec cat'"
keys Enter
see 'green here' 'the form starts a session; its screen is shown'
wait_for '[ "$(selected)" = hello ]'
selected_is hello 'and it is selected'
wait_for 'tmux_screen | grep -q "^green here"'
like "$(tmux_screen -e | grep 'here' | tail -n 1)" $'\e\\[[0-9;]*32m' 'in its colours'
is "$(afw ls --json | tr -d '\n' | grep -c hello)" 1 'afw ls has it too'

keys s
see 'message to hello' 's writes a message'
tmux_type 'how are you'
keys Enter
tmux_wait_gone 'message to hello'
see 'how are you' 'it arrives on the screen'
waits_for 'tmux_screen | tail -n 4 | grep -q submitted' \
	'the receipt is shown'
cat >"$T/ed" <<'END2'
#!/bin/sh
printf 'from the editor\n' >>"$1"
END2
chmod +x "$T/ed"
keys s C-p
see 'how are you' 'Ctrl-P brings the last message back'
keys C-u C-n
gone 'how are you ' 'and Ctrl-N what was typed'
tmux_type 'some words '
keys C-g
see 'some words from the editor' 'Ctrl-G continues in the editor'
ok_cmd 'whose file is gone' [ -z "$(ls "$T"/afw-*.txt 2>/dev/null)" ]
echo 'kill -9 $$' >>"$T/ed"
keys C-g
see 'from the editorfrom the editor' 'an editor that is killed has not lost what it saved'
printf '#!/bin/sh\nhead -c 5000000 /dev/zero | tr "\\0" x >"$1"\n' >"$T/ed"
keys C-g
see 'does not fit whole; it stays in' 'a text that is too long is not lost, either'
is "$(cat "$T"/afw-*.txt | wc -c)" 5000000 'it is there'
rm "$T"/afw-*.txt
keys C-u Escape
tmux_wait_gone 'message to hello'
keys j

keys Enter
# Before the agent's screen is there, the keys are the terminal's.
wait_for '! tmux_screen | grep -q NAME && tmux_screen | grep -q "green here"'
tmux_type 'typed myself'
keys Enter
see 'typed myself' 'Enter attaches'
keys 'C-\'
see 'NAME' 'the detach key returns to the list'
see 'Enter attach  s send' 'and it is not shown any more'
see 'typed myself' 'to a preview that has it'

keys i
see 'typing into hello' 'i types into the preview'
tmux_type 'q, x and D are letters: ü€ab'
see 'letters: ü€ab' 'all keys are the agent'"'"'s'
keys BSpace BSpace Enter
waits_for '[ "$(tmux_screen | grep -c "D are letters: ü€ *$")" = 2 ]' \
	'those without a character, too'
keys C-Left M-Up
see '^[[1;5D^[[1;3A' 'and those with Ctrl or Alt'
keys BSpace Enter
tmux_paste 'one
two'
see 'not pasted' 'but for a paste, whose lines would go one by one'
keys 'C-\'
see 'Enter attach  s send' 'the detach key returns to the list'

keys d
see 'what hello has changed' 'd shows the diff'
see 'new-file' 'with the new file'
keys q
gone 'what hello has changed' 'q leaves it'
keys x y
see '· stopped ─' 'x stops it'
see 'typed myself' 'its last screen is still there'
keys D y
see 'afw trash restore hello' 'rm prints how to restore unsaved work'
ok_cmd 'and it does' afw trash restore hello
wait_for '[ "$(names)" = hello ]'
names_are hello 'the session is there again'
afw ls >/dev/null
rm -f "$(json worktree "$(session_dir hello)/spec.json")/new-file"
keys j D y
see 'There are no sessions yet' 'after that rm removes it'
# While rm is still at work q asks.
see 'all of its work is in commits' 'and is done'

# A new session is in the list while it is being made.
mkfifo "$T/go"
mkdir -p "$XDG_CONFIG_HOME/afw"
printf 'setup = sh -c "read -r code <%s; exit $code"\n' "$T/go" \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
afw new other --no-start -o setup= -a demo >/dev/null || exit 2
keys n
tmux_wait_for 'new session in repo'
tmux_type 'make the login test pass'
keys Enter
row_like 3 '^> make-login-test .* starting ' 'and selected'
see 'its worktree is being set up' 'the preview says what happens'
keys G
selected_is other 'the list has the keys'
echo 0 >"$T/go"
see 'started' 'it is made'
selected_is other 'and the selection stays'
keys n
tmux_wait_for 'new session in repo'
tmux_type 'it fails'
keys Enter
see '> fails ' 'another one'
echo 1 >"$T/go"
see 'the text is kept' 'which fails'
gone '  fails ' 'and is not in the list any more'
keys n
see 'it fails' 'but the form has its task'
keys C-u Escape
tmux_wait_gone 'new session in'
keys q
waits_for tmux_dead 'q leaves'
rm "$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'the others are removed' afw rm --stop make-login-test other

# Their sockets are deleted, and the first one's supervisor is stopped.
declare -A other=([one]=two [two]=one) supervisor=()
for name in one two; do
	afw new $name -- sh -c "echo this is $name; echo; echo ready; exec cat" >/dev/null
	run afw status $name --json
	supervisor[$name]=$(json supervisor_pid)
done
rm -rf "$RUN"
kill -STOP "${supervisor[@]}"
dash 100 30
see 'its supervisor does not answer' 'a session that cannot be reached is reported'
first=$(selected)
# Before it goes on: a working session moves up.
keys j
wait_for '[ "$(selected)" = "${other[$first]}" ]'
kill -CONT "${supervisor[${other[$first]}]}"
see "this is ${other[$first]}" 'the next one is called back all the same'
kill -CONT "${supervisor[@]}"
keys q
wait_for tmux_dead
exit_is 0 'both are removed' afw rm --stop one two

# Without a worktree of its own.
exit_is 0 'new --here' afw new mine --here --no-start -a demo
exit_is 0 'new --scratch' afw new empty --scratch --no-start -a demo
dash 100 30 SHELL=/bin/sh
wait_for '[[ $(names) == *mine*empty* ]]'
keys g
[ "$(selected)" = mine ] || keys j
wait_for '[ "$(selected)" = mine ]'
keys D
see 'mine? The files in its worktree stay as they are' 'D says what stays'
keys y
waits_for '[[ $(names) != *mine* ]]' 'y removes the session'
keys G
wait_for '[ "$(selected)" = empty ]'
keys !
see 'leaves, it' '! is a shell in the directory without git'
tmux_type 'echo work >note; exit'
keys Enter
see 'NAME' 'and returns'
keys D
see 'with worktree? Unsaved work goes to the trash' 'D moves its files'
keys y
waits_for 'afw trash ls -q | grep -qx empty' 'to the trash'
keys q
wait_for tmux_dead
ok_cmd 'the other files are there' test -f README
end
