#!/bin/bash
# send: bad input is refused and nothing is typed, all other messages have a
# receipt.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
run afw new one -- sh -c 'while read -r l; do echo "got <$l>"; done'
waits_for 'afw status one --json | grep -q running' 'a session'

refused 2 'message is missing' 'nothing' afw send one
refused 2 'message is empty' 'empty' afw send one ''
refused 2 'message is empty' 'blank' afw send one $' \n '
head -c 1048577 /dev/zero | tr '\0' a >"$T/mega"
refused 2 'longer than 1024 KiB' 'more than a mebibyte' afw send one -F "$T/mega"
refused 2 'No such file' 'no such file' afw send one -F "$T/nothing"
printf 'a\0b' >"$T/nul"
refused 2 'NUL' 'a NUL byte' afw send one -F "$T/nul"
printf '\377\376' >"$T/bad"
refused 2 'UTF-8' 'no text at all' afw send one -F "$T/bad"
refused 2 'not both' 'twice' afw send one -F "$T/bad" -- text
refused 3 'no session' 'to no session' afw send nobody text
unlike "$(afw logs one)" got 'nothing was typed'

exit_is 8 'a harness that confirms nothing' afw send one hello
like "$err" 'one: submitted' 'says so'
waits_for 'afw logs one | grep -q "got <hello>"' 'it arrived'
printf 'in\377valid and \033[31mesc' >"$T/esc"
exit_is 8 'bytes that are no text' afw send one -F "$T/esc"
like "$err" '2 bytes are left out: a terminal.*UTF-8' 'are reported, and why'
waits_for 'afw logs one | grep -q "got <invalid and \[31mesc>"' \
	'the rest arrived'
exit_is 8 'words after --' afw send one -- --not -an option
waits_for 'afw logs one | grep -q "got <--not -an option>"' 'are text'
exit_is 8 'JSON' afw send one json --json
is "$(json receipt)" submitted 'receipt'
is "$(json name)" one 'name'
is "$(afw logs one | grep -c 'got <hello>')" 1 'once'
# As JSON it is twice, or six times as long.
head -c 1048576 /dev/zero | tr '\0' '"' >"$T/mega"
exit_is 2 'the longest message goes over' afw send one -F "$T/mega"
like "$err" 'a line of the message has 1048576 bytes' 'whole'
{ printf long; head -c 1048572 /dev/zero | tr '\0' '\33'; } >"$T/mega"
exit_is 8 'a message of control bytes, too' afw send one -F "$T/mega"
like "$err" '1048572 bytes are left out' 'all but'
for how in 'one -F -' 'one -' - '-F -'; do
	printf 'piped\33 by %s\n' "$how" >"$T/pipe"
	code=0
	# shellcheck disable=SC2086
	afw send $how <"$T/pipe" >"$T/out" 2>"$T/err" || code=$?
	is "$code" 8 "send $how takes standard input"
	like "$(<"$T/err")" '1 byte is left out' 'as it would a file'
	waits_for "afw logs one | grep -q 'got <piped by $how>'" 'all of it'
done
exit_is 8 'after -- it is a hyphen' afw send one -- -
waits_for 'afw logs one | grep -q "got <->"' 'as any text'
exit_is 8 'the only session needs no name' afw send -m 'to you'
waits_for 'afw logs one | grep -q "got <to you>"' 'as it is the only one'
refused 2 'not both' 'and a name is not a text' afw send one -m a -- b
refused 2 'given twice' 'and only one text may be given' afw send one -m a -F "$T/pipe"
refused 2 'message is empty' 'and an empty text is refused' afw send -
run afw stop one
refused 6 'not running \(stopped\)' 'to a stopped one' afw send one hello
done_testing
