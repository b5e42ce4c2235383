#!/bin/bash
# afw review: comments on the diff, written in the editor as in a mail, are kept,
# go as one message, and are shown with the turn that answered them.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
make_repo "$T/repo" README
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo-x
onpty=$BUILD/tests/tools/onpty
# review [PROGRAM [ARGS...]]: as a person types it, with that editor, which gets
# the file's name last.
review()
{
	local ed=$1
	shift
	printf '#!/bin/bash\n%s\n' "$ed" >"$T/editor"
	chmod +x "$T/editor"
	timeout 60 env EDITOR="$T/editor" "$onpty" afw review x "$@" </dev/null >"$T/screen" 2>&1
	code=$?
	out=$(tr -d '\r' <"$T/screen")
}
# comments MEMBERS...: of all comments, a line each.
comments()
{
	afw review x --json | perl -MJSON::PP -e '
		for my $c (@{decode_json(join "", <STDIN>)}) {
			print join("|", map { ref $c->{$_} eq "ARRAY" ? join ",", @{$c->{$_}} : $c->{$_} } @ARGV), "\n" }' "$@"
}
# add JSON
add()
{
	afw review x --add <<<"$1"
}

exit_is 0 'a session' afw new x -a demo
exit_is 0 'it is ready' afw wait x --for idle -t 240s
review 'exit 0'
is "$code" 1 'nothing is to be reviewed'
like "$out" 'it has changed nothing yet' 'and that is said'
is "$(afw review x --json)" '[]' 'there are no comments'

printf 'one\ntwo\nthree\n}\n' >"$tree/new file.c"
printf '\0\1\2' >"$tree/picture"
nl=$(printf 'a\nb\033[2J"c')
echo text >"$tree/$nl"

# -- the editor ------------------------------------------------------------------
# shellcheck disable=SC2016 # for the editor
add='cp "$1" '"$T/shown"'
awk '\''{ print } /^> \+two$/ { print "\nUse \033[31mthree.\n\n  And four.\n" }
	/^> Binary/ { print "No pictures" }'\'' "$1" >"$1.new"; mv "$1.new" "$1"'
review "$add"
is "$code" 0 'the editor writes two comments'
like "$out" 'x: comments: 2 added, 0 changed, 0 deleted' 'they are counted'
like "$out" 'afw review x --send. sends 2 comments' 'and the hint sends them'
like "$(cat "$T/shown")" '> \+two' 'each line is quoted'
is "$(comments id state stale file line lines)" "1|unsent|0|new file.c|2|+two
2|unsent|0|picture|0|" 'each has its file, line and text'
unlike "$(comments text)" $'\033' 'without control bytes'
is "$(find /tmp "$T" -maxdepth 1 -name '*.txt' -newer "$T/editor")" '' 'no file is left in /tmp'

review 'exit 0'
like "$out" 'no comment has changed' 'a text that was not changed changes nothing'
review ': >"$1"'
like "$out" 'no comment has changed' 'nor does an empty one'
is "$(comments id | wc -l)" 2 'and none is deleted'
review 'sed -i "s/^\[2\] No/[2] Yes,/; /^> [^+]/d" "$1"'
like "$out" '0 added, 1 changed, 0 deleted' 'a comment is changed, without the quoted lines'
is "$(comments file text | tail -1)" 'picture|Yes, pictures' 'which keeps its place'
review 'echo lost >>"$1"; exit 3'
is "$code" 1 'an editor that fails'
kept=$(grep -o 'your text is in [^ ]*' <<<"$out" | sed 's/.* //')
is "$(tail -n1 "$kept")" lost 'loses no text'
rm -f "$kept"
is "$(comments id | wc -l)" 2 'and stores nothing'

# Two at once: nothing is lost.
review '(afw review x --add <<<"{\"text\":\"in between [[lines 1]]\"}") >/dev/null
	sed -i "s/^\[2\] .*/[2] Pictures are fine/" "$1"'
is "$(comments text | tail -2)" 'Pictures are fine
in between [[lines 1]]' 'a comment that was added meanwhile stays'

refused 2 'the editor needs a terminal.*afw review x --json' 'without a terminal it says what to do' afw review x
like "$(afw diff x --comments | grep -A1 -F '| [2]')" 'not sent' 'the diff shows them below their lines'
like "$(afw diff x --comments)" $'\\+two\n\\| \\[1\\] not sent' 'below the line'

# -- what is refused ---------------------------------------------------------------
refused 2 'it has no comment 9' 'an unknown one' afw review x --resolve 1 --resolve 9
is "$(comments state | head -1)" unsent 'of several, none is changed then'
refused 2 'is not the number of a comment' 'no number' afw review x --delete 1x
for bad in '' 'no' '{"text":""}' '{"text":"\u001b\u0007"}' '{"line":-1,"text":"a"}' '{"id":77,"text":"a"}'; do
	exit_is 2 "refused: $bad" add "$bad"
done
exit_is 0 'a hostile name' add \
	'{"file":"a\n\u001b[2Jb","line":1,"lines":["+x\u0007y"],"text":"look"}'
like "$(comments file lines stale | tail -1)" '^a \?\[2Jb\|\+xy\|1$' 'is made safe, and its line is not there'
exit_is 0 'which is deleted' afw review x --delete 4

# -- sent ----------------------------------------------------------------------------
sed -i 1d "$tree/new file.c"
exit_is 0 'sent' afw review x --send
like "$out" 'x: accepted' 'the receipt says that it arrived'
is "$(sed 1d "$T/log")" 'Review of your changes: 3 comments.

1. new file.c, line 1:
> +two
Use [31mthree.

  And four.

2. picture:
Pictures are fine

3. All of your changes:
in between [[lines 1]]' 'it is one message, and the line has moved'
refused 1 'it has no comments to send' 'nothing more is to be sent' afw review x --send
exit_is 0 'the turn ends' afw wait x -t 240s
turn=$(afw checkpoints x --json | perl -MJSON::PP -e 'print +(grep { $_->{kind} eq "turn-begin" } @{decode_json(join "", <STDIN>)})[-1]{number}')
is "$(comments state turn)" "answered|$turn
answered|$turn
answered|$turn" 'they are answered by that turn'
like "$(afw diff x --comments)" "\\[1\\] answered in turn $turn" 'the diff says so'
exit_is 0 'resolved' afw review x --resolve 1 --resolve 3
unlike "$(afw diff x --comments)" '\[1\]' 'a resolved one is not shown any more'
is "$(comments state)" 'resolved
answered
resolved' 'but is kept'

# A message that is not delivered: its comments are to be sent again.
exit_is 0 'stopped' afw stop x
exit_is 0 'another' add '{"text":"later"}'
exit_is 0 'for the next start' afw review x --send
like "$out" 'delivered when the agent is started' 'is what the receipt says'
is "$(comments state | tail -1)" sent 'it is sent'
exit_is 0 'cancelled' afw send x --cancel all
is "$(comments state | tail -1)" unsent 'and not sent again'

# Its text is changed while it is being sent.
exit_is 0 'started' afw start x
exit_is 0 'it is ready' afw wait x --for idle -t 240s
id=$(comments id | tail -1)
supervisor=$(state_of x supervisor_pid)
kill -STOP "$supervisor"
afw review x --send >"$T/sent" 2>&1 &
sends=$!
file=$(session_dir x)/review.json
waits_for 'grep -q unsure "$file"' 'one that is being sent'
exit_is 0 'gets another text' add "{\"id\":$id,\"text\":\"even later\"}"
kill -CONT "$supervisor"
wait $sends
like "$(cat "$T/sent")" 'x: (accepted|submitted)' 'its old text is sent'
is "$(comments state text | tail -1)" 'unsent|even later' 'its new text is still to be sent'
exit_is 0 'the turn ends' afw wait x -t 240s
exit_is 0 'stopped' afw stop x

# Its lines have changed since.
exit_is 0 'on a line' add '{"file":"new file.c","line":3,"lines":["+}"],"text":"brace"}'
printf 'two\n' >"$tree/new file.c"
is "$(comments stale text | tail -1)" '1|brace' 'a comment whose line is gone is stale'
like "$(afw diff x --comments)" 'its lines have changed since: new file.c' 'and shown as such'

# -- a file that is broken, a message that is too long -------------------------------
file=$(session_dir x)/review.json
cp "$file" "$T/good"
perl -MJSON::PP -e 'my $o = decode_json(join "", <STDIN>);
	$o->{last} = 300; $o->{comments} = [map { {id => 10 + $_, file => "", text => "x" x 8000} } 1 .. 150];
	print encode_json($o)' <"$T/good" >"$file"
refused 5 'as a message, which holds at most 1024' 'a message that is too long' afw review x --send
is "$(comments state | sort -u)" unsent 'nothing is sent'
echo '{"v":1' >"$file"
refused 1 'review.json.*the file is kept' 'a broken file' afw review x --send
refused 1 'review.json.*the file is kept' 'nothing is added to it' add '{"text":"a"}'
is "$(cat "$file")" '{"v":1' 'a broken file stays as it is'
exit_is 0 'and hides no diff' afw diff x --comments
like "$err" 'review.json' 'which says so'
cp "$T/good" "$file"

# -- a session that is removed meanwhile ----------------------------------------------
review 'echo orphan >>"$1"; afw rm --stop x >/dev/null 2>&1'
isnt "$code" 0 'a session that is removed meanwhile'
kept=$(grep -o 'your text is in [^ ]*' <<<"$out" | sed 's/.* //')
is "$(tail -n1 "$kept")" orphan 'loses no text'
rm -f "$kept"
done_testing
