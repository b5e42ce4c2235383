#!/bin/bash
# A FIFO, a directory or a link in place of a session's file: no command waits
# for it, other sessions are not affected, and the message of a failure names
# the file.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new one -- cat
exit_is 0 'a stopped session' afw new two -- cat
exit_is 0 'is' afw stop two
exit_is 0 'another' afw new other -- cat
one=$(session_dir one) two=$(session_dir two)

# in_time CMD...: whatever it says, it ends.
in_time()
{
	run timeout 30 "$@"
	[ "$code" -ne 124 ]
	ok $? "$what: '$*' ends" || diag "$out $err"
}

# each_command NAME
each_command()
{
	in_time afw ls
	[[ $out == *other* && $out == *"$1"* ]]
	ok $? "$what: all are listed" || diag "$out $err"
	in_time afw status "$1"
	in_time afw top -n 1
	in_time afw events "$1"
	in_time afw logs "$1"
	in_time afw capture "$1"
	in_time afw send "$1" -- hello
	in_time afw send --list
	in_time afw reconcile
	[ "$1" = one ] || in_time afw start "$1"
	[ "$1" = one ] || in_time afw stop "$1"
	exit_is 0 "$what: the other one is not touched" timeout 30 afw status other
}

for file in events.jsonl transcript supervisor.log lock; do
	for dir in "$one" "$two"; do
		what="a FIFO for $file of $(json name "$dir/spec.json")"
		mv "$dir/$file" "$T/aside"
		mkfifo "$dir/$file"
		each_command "$(json name "$dir/spec.json")"
		rm "$dir/$file"
		mv "$T/aside" "$dir/$file"
	done
done
what='a directory for a lock'
mv "$two/lock" "$T/aside"
mkdir "$two/lock"
refused 1 'lock: it is not a regular file' "$what: start says so" \
	timeout 30 afw start two
rmdir "$two/lock"
mv "$T/aside" "$two/lock"
what='a link for events.jsonl'
mv "$two/events.jsonl" "$T/aside"
ln -s "$T/elsewhere" "$two/events.jsonl"
in_time afw start two
nok_cmd "$what: nothing is written through it" test -e "$T/elsewhere"
in_time afw stop two
rm "$two/events.jsonl"
mv "$T/aside" "$two/events.jsonl"

board=$DATA/sessions.board
for make in mkfifo mkdir 'ln -s /dev/zero'; do
	what="the board, by $make"
	rm -f "$board"
	$make "$board"
	each_command two
	rm -r "$board"
done
what='a board that is cut off all the time'
exit_is 0 'a board again' afw new three -- cat
size=$(stat -c %s "$board")
{ while [ -e "$T/repo" ]; do
	truncate -s 0 "$board"
	truncate -s "$size" "$board"
done; } 2>/dev/null &
cutting=$!
bad=0
for i in {1..40}; do
	run timeout 30 afw ls
	[ "$code" = 0 ] && [ "$(wc -l <<<"$out")" = 5 ] ||
		{ bad=$((bad + 1)); diag "$code: $out $err"; }
done
is "$bad" 0 "$what kills no reader"
exit_is 0 "$what: nor a writer" timeout 30 afw send three --keys -- hello Enter
kill "$cutting"
wait "$cutting" 2>/dev/null
waits_for 'afw capture three | grep -q hello' "$what: it goes on"
exit_is 0 'all stop' afw stop one other three
done_testing
