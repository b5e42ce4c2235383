#!/bin/bash
# send to several sessions: each has a receipt, none waits for another, and
# nothing is typed blindly.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
make_repo "$T/other"
cd "$T/repo" || exit 2
for name in a b c; do
	DEMO_LOG=$T/log.$name exit_is 0 "session $name" afw new "$name" -a demo
done
(cd "$T/other" && DEMO_LOG=$T/log.d afw new d -a demo >/dev/null)

# got NAME: how many messages have reached it.
got()
{
	grep -c '^---' "$T/log.$1" 2>/dev/null || :
}

refused 3 "no session 'nobody'" 'a missing one' \
	afw send a nobody b -- '[[lines 1]]'
refused 2 'named twice' 'a name given twice' afw send a a -- '[[lines 1]]'
refused 2 'to which session' 'nobody' afw send -- '[[lines 1]]'
refused 2 'which session\? This repository has 3.*: a, b, c' 'any' \
	afw send -m '[[lines 1]]'
is "$(got a)$(got b)" '' 'nothing was sent to the others'

exit_is 0 'two' afw send a b -- '[[lines 1]]'
is "$(sort <<<"$out" | cut -d: -f1)" $'a\nb' \
	'have a receipt each'
is "$(got a)-$(got b)-$(got c)" 1-1- 'each has the message once'
printf '[[lines 2]]\n' >"$T/text"
exit_is 0 'all of the repository' afw send --all -w -F "$T/text" --json
is "$(wc -l <<<"$out")" 3 'one object a line'
is "$(while read -r out; do json name; done <<<"$out" | sort | tr '\n' ' ')" \
	'a b c ' 'with their names'
is "$(got a)-$(got b)-$(got c)-$(got d)" 2-2-1- 'those of others are left alone'
afw status a --json >"$T/a"
AF_SESSION_ID=$(json id "$T/a")
export AF_SESSION_ID
exit_is 0 'all, from within one of them' afw send --all --json -- '[[lines 1]]'
unset AF_SESSION_ID
is "$(wc -l <<<"$out")" 2 'goes to the others'

# Groups.
exit_is 0 'no group' afw group
like "$err" 'no session is in a group' 'which is reported'
exit_is 0 'sessions join groups' afw group b c -a web -a slow
is "$out" $'b: slow web\nc: slow web' 'and their groups are told'
(cd "$T/other" && afw group d --add web >/dev/null)
exit_is 0 'and leave them' afw group c -r slow -r other --json
is "$(json name) $(json groups)" 'c ["web"]' 'as JSON'
exit_is 0 'all groups' afw group
like "$out" 'slow +repo/b'$'\n''web +other/d repo/b repo/c' 'with their sessions'
exit_is 0 'their names' afw group -q
is "$out" $'slow\nweb' 'for completion'
exit_is 0 'as JSON' afw group --json
is "$(json 1.group) $(json 1.sessions)" 'web ["other/d","repo/b","repo/c"]' \
	'an array'
exit_is 0 'ls takes one' afw ls --group web --here --json
is "$(json 1.name) $(json 1.groups)" 'c ["web"]' 'and has them'
nok_cmd 'and no more' json_has 2
exit_is 0 'of no session' afw ls -g nosuch
like "$err" "no sessions in group 'nosuch'" 'it says so'
exit_is 0 'all of a group' afw send --group web --wait -- '[[lines 1]]'
is "$(got a)-$(got b)-$(got c)-$(got d)" 2-4-3- 'and of this repository'
refused 3 "in group 'nosuch'" 'one without sessions' \
	afw send -g nosuch -- '[[lines 1]]'
refused 2 'either --all or --group' 'two ways to say it' \
	afw send -g web --all -- '[[lines 1]]'
for to in --all '-g web'; do
	refused 2 "either names \('a'\) or --" "a name beside $to" \
		afw send a $to -- '[[lines 1]]'
	refused 2 "either names \('a'\) or --" "and with keys" \
		afw send a $to --keys -- y
done
# An option in the text is not obeyed.
refused 2 "either names \('a'\) or --all" 'its last word is --all' \
	afw send a run cargo clippy --all
refused 2 "either names \('hello'\) or --group" 'a text without --' \
	afw send -g web hello
refused 2 "either names \('hello'\) or --all" 'beside -m, too' \
	afw send --all -m text hello
refused 2 '^afw: send: --now is in the middle of the text' 'an option in it' \
	afw send a do it --now please
refused 2 '^afw: send: --timeout is in' 'by its letter, with a value' \
	afw send --raw a sleep -t 5s and go on
is "$(got a)-$(got b)-$(got c)-$(got d)" 2-4-3- 'nothing was sent'
exit_is 0 'options before and after the text' \
	afw send --json a -t 240s '[[lines' '1]]' --now
like "$out" '"receipt":"accepted"' 'are obeyed'
exit_is 0 'after --' afw send a -w -- '[[lines 1]]' --all
is "$(got a)-$(got b)-$(got c)" 4-4-3 'nothing is an option'
for command in 'send -F README -g' 'ls -g' 'group a -a' 'new x -g'; do
	refused 2 "name '../x'" "$command: what is no name" afw $command ../x
done
nok_cmd 'and nothing is made of it' test -e "$DATA/sessions/x"
exit_is 0 'keys go to a group, too' afw send -g slow --keys Escape
is "$out" 'b: keys pressed' 'to each of it'
exit_is 0 'a new one with groups' afw new e -g web -g new -- cat
exit_is 0 'has them' afw status e --json
is "$(json groups)" '["new","web"]' 'at once'
exit_is 0 'removed' afw rm -s -t e
exit_is 0 'and brought back' afw trash restore e
exit_is 0 'it has them still' afw group e
is "$out" 'e: new web' 'all'
exit_is 6 'one of a group is stopped' afw send -g web -- '[[lines 1]]'
like "$err" "afw: send to 'e': session 'e' is not running" 'is reported'
is "$(sort <<<"$out" | cut -d: -f1)" $'b\nc' 'the others have it'
exit_is 0 'or is kept for it' afw send -g web --when-idle -- '[[lines 1]]'
like "$out" 'e: queued: it is delivered when the agent is started again' 'by name'
exit_is 0 'the list of a group' afw send -g web --list --json
like "$out" '"name":"e",[^}]*next start' 'has it'
run afw rm e
exit_is 0 'all have it' afw send b c -w -- '[[lines 1]]'

exit_is 9 'one comes to ask' afw send b --wait -- '[[ask]]'
wait_for '[ "$(state_of b question_id)" != null ]' # it may be told before it is shown
before=$(got b)
exit_is 9 'a session that asks' afw send a b c -- '[[lines 1]]'
like "$err" "afw: send to 'b': it asks something first" 'is refused'
like "$err" 'hint: .*--approve.*--deny' 'and the hint says how to continue'
is "$(sort <<<"$out" | cut -d: -f1)" $'a\nc' \
	'the others are not'
is "$(got b)" "$before" 'nothing was typed into it'

# A supervisor that does not answer delays no other session.
stuck=$(json supervisor_pid "$T/a")
for try in 1 2 3 4 5; do # its greeting has five seconds
	kill -STOP "$stuck"
	: >"$T/out"
	afw send a c -- '[[lines 1]]' >"$T/out" 2>"$T/err" &
	pid=$!
	within 4 'grep -q "^c: " "$T/out"'
	seen=$?
	kill -CONT "$stuck"
	code=0
	wait "$pid" || code=$?
	[ "$code" = 7 ] || break
done
ok $seen 'one that hangs delays no other'
is "$code" 0 'and answers when it can'

# One that was handed a message, and says no more of it.
waits_for 'afw status a --json | grep -q "\"activity\":\"completed\""' 'rest'
afw send a --json -w -t 8s -- "[[until $T/over]]" >"$T/out" 2>"$T/err" &
pid=$!
waits_for 'afw status a --json | grep -q "\"activity\":\"working\""' 'a turn'
kill -STOP "$stuck"
code=0
wait "$pid" || code=$?
kill -CONT "$stuck"
touch "$T/over"
is "$code" 8 'a supervisor that ends without an answer may have done it'
like "$(<"$T/out")" '"receipt":"unconfirmed"' 'which its receipt says'
waits_for 'afw status a --json | grep -q "\"activity\":\"completed\""' \
	'as it has'
run afw stop a
exit_is 6 'a stopped session' afw send a c -- '[[lines 1]]'
like "$err" "afw: send to 'a': session 'a' is not running" 'is reported'
like "$out" '^c: ' 'the other has its message'
done_testing
