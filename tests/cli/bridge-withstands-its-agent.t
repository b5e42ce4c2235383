#!/bin/bash
# A hostile agent at its bridge: none of the user's files is opened, no process
# outlives its session, and every call ends.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
. "$ROOT/tests/cli/bridge.sh"
mkdir -p "$XDG_CONFIG_HOME/afw" .af/context
printf 'bridge = yes\nissues_list_command = %s\n' "$T/tracker" \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
# It has children, and so have they.
printf '#!/bin/bash\nsleep 600 & echo $! >"%s"; wait\n' "$T/sleeps" \
	>"$T/tracker"
chmod +x "$T/tracker"
perl -e 'print qq("id": $_, ) for 1 .. 60000' >.af/context/one-line.json
agent one
home=$(session_dir one)/home
helpers() { pgrep -fc "afw-tools $(session_dir one)"; }

# -- other files in the FIFOs' place -----------------------------------------

# knock: with what lies there as the two FIFOs of a bridge. It is heard in the
# round of the first question, if not before: the second has its answer later.
knock()
{
	echo '{"bridge":"0123456789abcdef"}' >"$home/door"
	afw status one >/dev/null
	afw status one >/dev/null
}

ask=$home/0123456789abcdef.ask answer=$home/0123456789abcdef.answer
mkfifo "$T/ask" "$T/answer"
echo precious >"$T/precious"
exec {held}<>"$T/answer"
ln -s "$T/ask" "$ask"
ln -s "$T/answer" "$answer"
knock
is "$(helpers)" 1 'no link is followed to a FIFO'
rm "$ask" "$answer"
ln "$T/precious" "$answer"
mkfifo "$ask"
knock
rm "$ask" "$answer"
mkdir "$ask" "$answer"
knock
rmdir "$ask" "$answer"
for name in ../../../x 0123456789abcde 0123456789ABCDEF door; do
	echo "{\"bridge\":\"$name\"}" >"$home/door"
done
knock
is "$(helpers) $(<"$T/precious")" '1 precious' 'and nothing else is taken for one'
exec {held}>&-

# Held open by who neither writes nor reads: only its own bridges are used up.
for i in 1 2 3 4; do
	n=000000000000000$i
	mkfifo "$home/$n.ask" "$home/$n.answer"
	exec {fd}<>"$home/$n.ask" {fd}<>"$home/$n.answer"
	echo "{\"bridge\":\"$n\"}" >"$home/door"
done
IFS= read -r -t "$DEADLINE" out <&"$fd"
is "$out" '-4 bridges are open already' 'a fifth bridge is refused'
is "$(helpers)" 4 'with four helpers'
ask ping
is "$(json id)" "$_id" 'and the first is answered'

# -- what a checkout puts in the place of the user's texts -------------------

mkdir -p "$T/other/context"
echo 'of another project' >"$T/other/context/theirs.md"
mv .af kept
ln -s "$T/other" .af
use af_context_get '{"name":"theirs.md"}'
is "$bad" true 'a link in place of .af is not followed'
rm .af
mv kept .af

# -- calls that take long ----------------------------------------------------

words() { printf "$1 %.0s" $(seq 8000); }
begin=$(now_ms)
use af_memory_note "{\"text\":\"$(words a)\"}"
use af_memory_recall "{\"query\":\"$(words a)\"}"
is "$(field notes.0.number)" 1 'a query of many words finds a note of many'
use af_context_search '{"query":"id 59999"}'
is "$(field found.0.name)" one-line.json 'a text of one long line is searched'
ok_cmd 'all within seconds' \
	test $(($(now_ms) - begin)) -lt $((10000 * AFW_SLOW))
ask tools/call "{\"name\":\"$(words x)\"}"
like "$(json error.message)" 'name is over 128' 'a name that is too long is refused'

begin=$(now_ms)
for ((i = 0; i < 80; i++)); do
	printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"af_spec_read"}}\n'
done >&"$to"
for ((i = 0; i < 80; i++)); do IFS= read -r -t "$DEADLINE" out <&"$from"; done
ok_cmd 'an agent that calls without end must wait' test $(($(now_ms) - begin)) -gt 2000
like "$out" '"isError":false' 'and is answered'

# -- the end ------------------------------------------------------------------

printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"af_issues","arguments":{"action":"list"}}}\n' >&"$to"
waits_for '[ -s "$T/sleeps" ]' 'a command of the user'"'"'s runs'
exit_is 0 'stop' afw stop one
waits_for '[ "$(helpers)" = 0 ]' 'ends the helpers'
waits_for 'has_ended "$(cat "$T/sleeps")"' \
	'and what they run, with all that this has started'
disconnect
done_testing
