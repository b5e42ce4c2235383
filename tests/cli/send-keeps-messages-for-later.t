#!/bin/bash
# Queued messages can be listed and cancelled; for a session that is not running
# they are stored, and delivered after its next start, in order and once.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
make_repo "$T/repo"
cd "$T/repo" || exit 2
# order: the messages that have arrived, by their numbers.
order() { grep -o 'lines [0-9]*' "$T/log" | tr -dc '0-9\n' | tr '\n' ' '; }

exit_is 0 'a session' afw new one -a demo
dir=$(session_dir one)
exit_is 0 'nothing waits' afw send --list one
like "$err" 'no message is queued' 'which is reported'
exit_is 0 'it is ready' afw wait one --for idle -t 240s
exit_is 0 'a long turn' afw send one -- '[[sleep 900]]'
like "$out" 'accepted' 'has begun'
exit_is 0 'one' afw send one -- $'[[lines 1]]\e[2J'
printf 'two\n[[lines 2]]' >"$T/two"
exit_is 0 'two' afw send one -F "$T/two"
exit_is 0 'three' afw send one -- '[[lines 3]]'
exit_is 0 'they are listed' afw send --list
is "$(wc -l <<<"$out")" 4 'a line each'
like "$out" 'one +1?[0-9] +.*it is working.*\[\[lines 1\]\]\[2J' 'with why they wait'
like "$out" 'after 1 other +two'$'\n' 'of a longer one the first line'
unlike "$out" $'\e' 'and nothing that a terminal obeys'
exit_is 0 'as JSON' afw send --list one --json
is "$(json 0.state) $(json 0.first_line) $(json 1.bytes) $(json 2.name)" \
	'waiting [[lines 1]][2J 15 one' 'an array of objects'
first=$(json 0.message) second=$(json 1.message)
exit_is 0 'one is cancelled' afw send one --cancel "$second"
like "$out" "^one: message $second is cancelled" 'and reported'
is "$(ls "$dir/queue" | wc -l)" 2 'on disk, too'
refused 4 'is not queued.*--list' 'not twice' afw send one --cancel "$second"
refused 2 "not the number of a message" 'and not if it is not a number' \
	afw send one --cancel 1x
refused 2 'cannot be combined with --raw' 'and not with options of a message' \
	afw send one --cancel 1 --raw
refused 2 'cannot be combined with --file' 'which --list does not take either' \
	afw send --list -F "$T/two"
afw send one -w -- '[[lines 9]]' >"$T/waits" 2>&1 &
pid=$!
waits_for '[ "$(ls "$dir/queue" | wc -l)" = 3 ]' 'a client waits for one'
exit_is 0 'that is cancelled' afw send one --cancel $((second + 2))
ends_with 1 "$pid" 'and is told'
like "$(<"$T/waits")" 'cancelled' 'in words'

exit_is 0 'two more' afw send one -- $'[[lines 4]]\nto the end'
exit_is 0 'are there' afw send one -- '[[lines 5]]'
afw send --list one --json >"$T/out"
like "$(<"$T/out")" '"text":"\[\[lines 4]]\\nto the end"' 'all of one can be read'
exit_is 0 'the last goes to the front' \
	afw send one --move $((second + 4)) --before "$first"
like "$out" "is delivered before $first" 'which is reported'
exit_is 0 'one goes back' afw send one --move $((second + 1)) --before $((second + 3))
ids() { afw send --list one --json | grep -oE '"message":[0-9]+' | tr -dc '0-9\n' | paste -sd' '; }
is "$(ids)" "$((second + 4)) $first $((second + 1)) $((second + 3))" 'in that order'
refused 4 'is not queued' 'not a delivered one' \
	afw send one --move "$first" --before "$second"
refused 2 "not the number of a message" 'and not without --before' afw send one --move "$first"
refused 2 'before is only for --move' 'and not without --move' afw send one --before "$first"
exit_is 0 'stop' afw stop one
is "$(ids)" "$((second + 4)) $first $((second + 1)) $((second + 3))" 'it is kept'
exit_is 0 'for a stopped session' \
	afw send one --move $((second + 3)) --before "$first" --json
is "$(json message) $(json before)" "$((second + 3)) $first" 'as JSON'
is "$(ids)" "$((second + 4)) $((second + 3)) $first $((second + 1))" 'the order can be changed, too'
exit_is 0 'start' afw start one
waits_for '[ -z "$(ls "$dir/queue")" ]' 'they go in'
waits_for '[ "$(order)" = "5 4 1 3 " ]' 'in the order that was given'
is "$(order)" '5 4 1 3 ' 'all of them'
: >"$DEMO_LOG"
exit_is 0 'stop' afw stop one
exit_is 0 'for later' afw send one --when-idle -- '[[lines 1]]'
exit_is 0 'for later' afw send one --when-idle -- '[[lines 3]]'
first=$((second + 5))
exit_is 0 'stop' afw stop one
like "$out" 'stopped.*; 2 messages wait for its next start' 'mentions them'
exit_is 0 'the same list' afw send --list one --json
is "$(json 0.message)-$(json 1.first_line)" "$first-[[lines 3]]" 'for a stopped session'
like "$(json 0.waits_for)" 'next start' 'and what it waits for'
refused 6 'is not running' 'a message is for a running session' \
	afw send one -- '[[lines 4]]'
refused 6 'is not running' 'and so is waiting for its turn' \
	afw send one --when-idle --wait -- '[[lines 4]]'
exit_is 0 'but --when-idle' afw send one --when-idle -- $'[[lines 4]]\e'
like "$out" '^one: queued: it is delivered when the agent is started again$' 'it is kept'
like "$err" '1 byte' 'filtered'
exit_is 0 'with a receipt' afw send one --when-idle --json -- '[[lines 5]]'
is "$(json receipt) $(json waits_for) $(json code)" 'queued start 0' 'as JSON'
fifth=$(json message)
refused 6 'is not running' 'one that is not running' afw send one hello
like "$err" 'hint: .afw send --start one TEXT. starts it first' 'names --start'
exit_is 0 'one more' afw send one --when-idle -- '[[lines 6]]'
exit_is 0 'can be cancelled' afw send one --cancel "$fifth"
exit_is 0 'status' afw status one
like "$out" 'queued +4 messages \(afw send --list one' 'counts them'
refused 2 'only control' 'one of control characters' \
	afw send one --when-idle -- $'\e\a'
is "$(order)" '' 'nothing of it was typed'
exit_is 0 'start' afw start one
waits_for '[ -z "$(ls "$dir/queue")" ]' 'they go in'
waits_for '[ "$(order | wc -w)" = 4 ]' 'and arrive'
is "$(order)" '1 3 4 6 ' 'in order, once, without the cancelled ones'
exit_is 0 'stop' afw stop one
exit_is 0 'one with --start' afw send --start one -- '[[lines 8]]'
like "$out" '^one: (accepted|queued)' 'starts it first, and prints the receipt alone'
waits_for '[ "$(order)" = "1 3 4 6 8 " ]' 'and arrives'
exit_is 0 'a later one' afw send one -w --json -- '[[lines 7]]'
ok "$((! ($(json message) > fifth + 1)))" 'has a later number'

exit_is 0 'stop' afw stop one
for n in {1..64}; do
	afw send one --when-idle -- "[[lines $n]]" >/dev/null || break
done
is "$n" 64 'that many can be queued'
exit_is 5 'and no more' afw send one --when-idle -- '[[lines 65]]'
like "$err" '64 messages' 'and says so'
exit_is 0 'all can be cancelled' afw send one --cancel all
is "$(wc -l <<<"$out") $(ls "$dir/queue" | wc -l)" '64 0' 'at once'

: >"$DEMO_LOG"
for n in 1 2 3; do
	afw send one --when-idle -- "[[lines $n]]" >"$T/said.$n" 2>&1 &
done
exit_is 0 'a start in the middle of keeping' afw start one
wait
is "$(cat "$T"/said.* | grep -c '^one: \(queued\|accepted\)')" 3 'all are taken'
waits_for '[ -z "$(ls "$dir/queue")" ]' 'and go in'
wait_for '[ "$(order | wc -w)" = 3 ]'
is "$(order | tr ' ' '\n' | sort | tr -d '\n')" 123 'each once'
exit_is 0 'stop' afw stop one
exit_is 0 'a message' afw send one --when-idle -- '[[lines 8]]'
exit_is 0 'for a removed session' afw rm one
like "$out" '1 queued message is kept.*for 14 days, because 1 message is queued; .afw trash restore one' \
	'is not lost'
exit_is 0 'restore' afw trash restore one
exit_is 0 'brings it back' afw send --list one --json
is "$(json 0.first_line)" '[[lines 8]]' 'as it was'
exit_is 0 'resume' afw resume one
waits_for '[ -z "$(ls "$dir/queue")" ]' 'and it goes in'
exit_is 0 'stop' afw stop one
head -c 1048576 /dev/zero | tr '\0' a >"$T/big"
for n in 1 2 3 4; do
	run afw send one --when-idle -F "$T/big"
done
refused 5 'its queue is full: 4 messages .* 4096 KiB may.*--cancel' \
	'a full queue says so, and what helps' afw send one --when-idle more
exit_is 0 'it helps' afw send one --cancel all
exit_is 0 'there is room again' afw send one --when-idle more
done_testing
