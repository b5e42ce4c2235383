#!/bin/bash
# Marks, actions on all marked sessions, opening the worktree, the queue and the
# trash.
. "$(dirname "$0")/dash.sh"

for name in one two three; do
	created=$(date -u -d "-$((90 - ${#name} * 10)) seconds" +%FT%T.000Z)
	fake_session $name running idle
done
fake_session last stopped
hold one two three
mkdir -p "$T/bin" "$T/.af_worktrees/repo-one"
spec=$(session_dir one)/spec.json
sed -i "s/\"worktree_ino\":\"0\"/\"worktree_ino\":\"$(stat -c %i "$T/.af_worktrees/repo-one")\"/" "$spec"
cp "$BUILD/afw-dashboard" "$T/bin/"
cat >"$T/bin/afw" <<'END'
#!/bin/bash
case $* in
'send --list --json') exec cat "$AF_TEST_ID/queue" ;;
'trash ls --holds --json') exec cat "$AF_TEST_ID/trash" ;;
esac
# Its whole line at once: what reads it does not wait for the end.
line=$(printf '%s|' "$@"; [ "$1" != send ] || cat)
echo "$line" >>"$AF_TEST_ID/calls"
case $line in
*'hello half')
	printf '{"name":"one","id":"%s","code":0}\n' "$3"
	printf '{"name":"two","id":"%s","code":9,"detail":"it asks"}\n' "$4"
	exit 9 ;;
esac
[ "$*" != "resume $LOST" ] || { echo 'afw: resume it: it is gone' >&2; exit 4; }
END
cat >"$T/bin/edit" <<'END'
#!/bin/bash
stty -echo -icanon
printf '\e[?1049h\e[2J\e[HEDITS %s in %s' "$*" "$PWD"
read -r line
[ -z "$line" ]
END
chmod +x "$T/bin/"{afw,edit}
calls() { cat "$T/calls" 2>/dev/null; }
id_of() { basename "$(session_dir "$1")"; }
one=$(id_of one) two=$(id_of two)

tmux_stop
mkdir -p "$XDG_CONFIG_HOME/afw"
echo "editor = $T/bin/edit two" >"$XDG_CONFIG_HOME/afw/afw.ini"
tmux_start 80 24 env LOST="$(id_of last)" VISUAL="$T/bin/edit three" \
	"$T/bin/afw-dashboard"
tmux_wait_for three
keys g Space
see '1 marked' 'Space marks'
row_like 3 '^ \+one' 'which is seen in the row'
selected_is two 'and goes to the next'
keys Space
see '2 marked' 'another'
keys x
see 'Stop 2 marked sessions (one, two)? Worktree' 'one question for both names them'
keys n
is "$(calls)" '' 'only y is a yes'
keys z y
see 'done: suspending 2 sessions' 'z suspends them'
is "$(calls)" "suspend|$one|$two|" 'by one command'
gone '2 marked' 'and the marks are gone'
rm -f "$T/calls"

keys g Space Space k k Space Space
see ' idle' 'Space takes a mark away again'
gone 'marked' 'all of them'
keys g Space Space s
see 'message to 2 marked sessions (one, two)' 's writes to the marked'
tmux_type 'hello both'
keys Enter
see 'Send it to 2 marked sessions (one, two)?' 'it asks, once'
keys n
tmux_wait_gone 'Send it to'
is "$(calls)" '' 'n sends nothing'
keys s
see 'hello both' 'and keeps the text'
keys Enter y
see 'done: sending to 2 sessions' 'y sends it'
is "$(calls)" "send|--json|$one|$two|-F|-|hello both" 'over standard input'
rm -f "$T/calls"

see '2 marked' 'they stay marked'
keys s
tmux_type 'hello half'
keys Enter y
see 'not sent to two: it asks; the text is kept' 'who did not get it is named'
see '1 marked' 'and stays marked'
keys s
see 'message to 1 marked session (two)' 'only that one'
see 'hello half' 'has the text'
keys C-u
gone 'hello half' 'the text can be dropped'
keys Escape
gone 'message to' 'and the prompt closed'
rm -f "$T/calls"
keys Escape
tmux_wait_gone '1 marked'
keys g Space Space
see '2 marked' 'both again'
keys D
see 'Stop and remove 2 marked sessions (one, two), with worktree?' \
	'D asks for both at once'
keys y
waits_for '[ -s "$T/calls" ]' 'y removes them'
is "$(calls)" "rm|--stop|$one|$two|" 'by one command'
keys G k k Space Escape
gone 'marked' 'Esc forgets the marks'
rm -f "$T/calls"

keys '*'
see '4 marked' '* marks all'
keys s
see 'message to 3 marked sessions (' 's writes to those that run'
keys Escape
gone 'message to' 'Esc returns'
keys z
see 'Suspend 3 marked sessions (' 'and z suspends these'
keys n
keys r
see 'Restart 4 marked sessions (' 'r restarts them, where one of them runs'
keys n
keys '*'
gone '4 marked' '* again marks none'
keys g r
see 'Restart one? The conversation continues, if the agent can do that.' 'and the selected running session'
keys y
waits_for '[ -s "$T/calls" ]' 'with y'
is "$(calls)" "restart|--resume|$one|" 'with its conversation'
rm -f "$T/calls"
keys G Space r
see 'Resume 1 marked session (last)?' 'r resumes sessions if none of them is running'
keys n Escape
gone 'marked' 'no marks'
keys r
see 'it is gone. Begin a new conversation?' 'a session that cannot continue: it asks'
keys y
waits_for 'calls | grep -q fresh' 'and y lets it begin a new one'
is "$(calls)" "resume|$(id_of last)|
resume|--fresh|$(id_of last)|" 'by afw resume --fresh'
rm -f "$T/calls"
keys g ,
see 'rename one to: one' ', asks for another name'
tmux_type '-b'
keys Enter
waits_for '[ -s "$T/calls" ]' 'Enter'
is "$(calls)" "rename|--|$one|one-b|" 'renames it'
rm -f "$T/calls"

keys g e
see "EDITS two . in $T/.af_worktrees/repo-one" 'e opens the editor there'
keys Enter
see 'NAME' 'its end returns to the dashboard'
keys e
see 'EDITS two .' 'again'
keys x Enter
see 'the editor ended with code 1' 'a failure is shown'
rm -f "$T/calls"
keys !
waits_for '[ -s "$T/calls" ]' '! opens a shell'
is "$(calls)" "exec|--attach|$one|" 'beside the selected session'
rm -f "$T/calls"
keys G e
see 'last has no worktree' 'a session without a worktree is reported'

# waiting ID MESSAGE TEXT...: as afw send --list prints it
waiting()
{
	while [ $# -gt 0 ]; do
		printf '{"id":"%s","name":"x","message":%s,"waited_ms":61000,"bytes":9,"state":"waiting","waits_for":"it is working","first_line":"%s","text":"%s"}' \
			"$1" "$2" "${3%%\\n*}" "$3"
		shift 3
		[ $# = 0 ] || echo ,
	done
}
{ echo '['; waiting "$one" 3 a3 "$one" 7 a7 "$two" 1 'b1\u001b]0;evil\nto the end'; echo ']'; } >"$T/queue"
keys Q
see 'message 3 to one, 9 bytes: it is working' 'Q shows what waits'
row_like 3 '^  NAME +WAITS FOR +FOR +MESSAGE' 'in columns with titles'
row_like 4 '^> one +it is working +1m +a3' 'in whose queue, how long, and why'
row_like 6 'b1\?\]0;evil' 'made harmless'
{ echo '['; waiting "$one" 7 'a7\nto the end' "$one" 3 a3 "$two" 1 b1; echo ']'; } >"$T/queue"
keys j J K
waits_for '[ -s "$T/calls" ]' 'K moves it up'
is "$(calls)" "send|$one|--move|7|--before|3|" 'by its number; J not into another queue'
see 'message 7 to one' 'the list is read again'
row_like 4 '^> .*a7' 'and what was chosen stays so'
rm -f "$T/calls"
keys J
waits_for '[ -s "$T/calls" ]' 'J moves it down'
is "$(calls)" "send|$one|--move|3|--before|7|" 'the message after it moves before it'
rm -f "$T/calls"
keys v
see 'to the end' 'v shows all of it'
row_like 4 '^to the end' 'alone'
keys q x
see 'Cancel message 7 to one: a7' 'x asks'
echo '[]' >"$T/queue"
keys y
see 'No message is queued.' 'y cancels it'
is "$(calls)" "send|$one|--cancel|7|" 'that one'
keys q
rm -f "$T/calls"

gone_id=0123456789abcdef0123456789abcdef
printf '[{"id":"%s","name":"old","repository":"/src/web","removed_at":"%s","goes_at":null,"bytes":41000000,"files":3,"queued":0,"holds":"notes.txt is in no commit"}]' \
	$gone_id "$(ago 7200)" >"$T/trash"
keys T
see 'old of /src/web, kept until purged' 'T shows the trash'
row_like 4 '^> old +40M +web +2h +holds unsaved work: notes.txt is in no commit' 'its size and what it holds'
keys D
see 'Delete old for good? It holds unsaved work: notes.txt is in no commit.' 'D says what is lost'
keys n u
waits_for '[ -s "$T/calls" ]' 'u brings it back'
is "$(calls)" "trash|restore|$gone_id|" 'by its id'
rm -f "$T/calls"
keys D
see 'Delete old for good?' 'D asks again'
echo '[]' >"$T/trash"
keys y
waits_for '[ -s "$T/calls" ]' 'D and y delete it'
see 'The trash is empty.' 'the list says so'
row_like 24 '^q back *$' 'the last row has no key that needs a session'
is "$(calls)" "trash|purge|--yes|$gone_id|" 'that one'
keys q
see 'NAME' 'q returns'
keys q
waits_for tmux_dead 'q leaves'
tmux_stop
echo 'editor = no-such-editor' >"$XDG_CONFIG_HOME/afw/afw.ini"
dash 80 24
keys g e
see 'start no-such-editor: No such file' 'a missing editor is reported'
end
