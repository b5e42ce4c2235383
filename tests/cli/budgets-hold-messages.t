#!/bin/bash
# What a session, or all of a day, may use: reported at 80 %, and when it is used up
# the turn ends, and messages wait until the user allows more.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/cli/pear.sh"
ini=$XDG_CONFIG_HOME/afw/afw.ini
cat >>"$ini" <<'END'
conversation_file = ~/.pear/talks/*.jsonl
conversation_cwd = cwd
conversation_id = id
usage_model = model
usage_input = used.in
usage_output = used.out
usage_cost = used.cost
END

status_of() { afw status "$1" --json >"$T/.status" && json "$2" "$T/.status"; }
events() { afw events "$1" --json; }
# uses NAME IN OUT TURNS: a turn with so many tokens ends, and is counted.
uses()
{
	exit_is 0 "a turn of $2 tokens" afw send -w "$1" "use $2 $3"
	waits_for '[ "$(cost_of '"$1"' turns)" = '"$4"' ]' 'is counted' 'afw cost'
}
cost_of() { afw cost "$1" --json >"$T/.cost" 2>"$T/.err" && json "$2" "$T/.cost"; }

printf '[notify]\non = limited\ncommand = touch %s\n' "$T/noticed" >>"$ini"

# -- tokens
exit_is 0 'a session with a budget' afw new one -a pear -o budget_tokens=1000
uses one 700 50 1
is "$(cost_of one tokens_input) $(cost_of one cost_usd)" '700 null' \
	'its tokens have no price'
is "$(status_of one limited)" null 'it is not used up'
uses one 80 0 2
waits_for 'events one | grep -q "budget_tokens: 830 of 1.0k"' \
	'at 80 % there is an event' 'events one'
is "$(events one | grep -c '"event":"budget"')" 1 'one'
uses one 300 0 3
waits_for '[ "$(status_of one limited)" = budget ]' 'it is used up' 'afw status one'
is "$(status_of one limited_by)" you 'and only the user can change that'
like "$(afw ls)" 'one .*budget' 'ls says so'
like "$(afw status one)" 'limit +budget \(budget_tokens: 1.1k of 1.0k\)' 'status which one'
like "$(events one)" '"event":"limited".*"limited":"budget"' 'it is an event'
waits_for '[ -e "$T/noticed" ]' 'and a notice'
is "$(afw ls -o name,tokens,cost | sed -n 2p | xargs)" 'one 1.1k -' 'the columns say what'
like "$(afw status one)" 'tokens +1.1k in, 50 out, 0 of the cache' 'status, too'
exit_is 0 'a message' afw send one 'not yet'
is "$out" 'one: queued: its budget is used up' 'is held'
like "$err" 'afw start --over-budget one' 'and the hint says what helps'
exit_is 0 'one more' afw send one 'nor this'
exit_is 0 'is limited, too' afw wait one --for limited -t 5s
json_is() { [ "$(status_of one queued)" = "$1" ]; }
ok_cmd 'both are kept' json_is 2
nok_cmd 'none is typed' grep -q 'not yet' "$T/log"

kill -KILL "$(state_of one supervisor_pid)"
waits_for 'afw status one | grep -q lost:' 'its supervisor is killed'
exit_is 0 'and started again' afw start one
is "$(status_of one limited) $(status_of one queued)" 'budget 2' 'they are still held'
exit_is 0 'start --over-budget' afw start --over-budget one
is "$out" 'one: may use as much again' 'allows more'
is "$(status_of one limited)" null 'the limit is over'
waits_for 'grep -qx "nor this" "$T/log"' 'and both messages are typed' 'afw capture one'
is "$(grep -cxE 'not yet|nor this' "$T/log")" 2 'once each'
exit_is 0 'its end' afw stop one

# -- turns, in the option of a start
exit_is 0 'a session of one turn' afw new two -a pear -o budget_turns=1 -m hello
waits_for '[ "$(status_of two limited)" = budget ]' 'has it'
exit_is 9 'send -w' afw send -w two more
like "$err" 'not delivered before you act.hint: `afw start --over-budget two`' 'does not wait for ever'
exit_is 0 'stop' afw stop two
# shellcheck disable=SC2016 # for sh
exit_is 0 'an agent' afw new other -- sh -c \
	'afw start --over-budget two >"$1/said" 2>&1; echo $? >"$1/code"; cat' - "$T"
waits_for '[ -s "$T/code" ]' 'tries to allow more' 'afw capture other'
is "$(cat "$T/code")" 9 'which is refused'
like "$(cat "$T/said")" 'what runs in a session may not do that' 'with the reason'
is "$(state_of two phase)" stopped 'and nothing is started'
exit_is 0 'removed' afw rm --stop -y other
exit_is 0 'a higher budget' afw start two -o budget_turns=3
waits_for 'grep -qx more "$T/log"' 'lets the message go on'
exit_is 0 'its end' afw stop two

# -- time and money
exit_is 0 'a session with a second' afw new timed -a pear -o budget_time=1s -m hello
waits_for '[ "$(status_of timed limited)" = budget ]' 'has worked so long'
like "$(afw status timed)" 'limit +budget \(budget_time: [1-9]s of 1s\)' 'and status says so'
exit_is 0 'a session with ten dollars' afw new rich -a pear -o budget_cost=10
exit_is 0 'a turn that costs more' afw send -w rich 'use 1 1 pear-2 10.5'
waits_for '[ "$(status_of rich limited)" = budget ]' 'is its last'
is "$(cost_of rich cost_usd)" 10.5 'it costs what the agent says'
like "$(afw status rich)" 'budget_cost: [$]10.50 of [$]10.00' 'and status says so'
exit_is 0 'start --over-budget' afw start --over-budget rich
is "$(status_of rich limited)" null 'allows more'
exit_is 0 'removed' afw rm --stop -y timed rich

# -- nothing can be stored
mv "$DATA/usage.jsonl" "$T/rows"
mkdir "$DATA/usage.jsonl"
exit_is 0 'a session without a place for its rows' afw new lost -a pear
exit_is 0 'a turn' afw send -w lost 'use 900 1'
waits_for '[ "$(status_of lost tokens_input)" = 900 ]' 'is counted for the session'
exit_is 0 'removed' afw rm --stop -y lost
rmdir "$DATA/usage.jsonl"
mv "$T/rows" "$DATA/usage.jsonl"

# -- a day
sed -i '1i budget_day_tokens = 1200' "$ini"
exit_is 0 'a new session' afw new three -a pear -m 'of the day'
like "$err" 'three: budget_day_tokens: 1.1k of 1.2k|' 'of a day with little left'
uses three 200 0 2
waits_for '[ "$(status_of three limited)" = budget ]' 'uses up the budget of all'
like "$(status_of three limited_until)" 'T' 'until the day is over'
is "$(status_of three limited_by)" afw 'after which its messages are sent'
exit_is 0 'one that begins then' afw new four -a pear -m 'too late'
like "$err" 'four: budget_day_tokens: 1.3k of 1.2k: its task waits' 'says so'
is "$(status_of four queued)" 1 'its task is held'
exit_is 0 'start --over-budget' afw start --over-budget four
waits_for 'grep -qx "too late" "$T/log"' 'lets it begin'
exit_is 0 'removed sessions' afw rm --stop -y one two three four
is "$(afw cost --json >"$T/.cost"; json tokens_input "$T/.cost")" 1281 \
	'stay in the sum'
exit_is 0 'only of the last hour' afw cost --since 1h
like "$out" '^SESSION.*.in all ' 'is all of them'
for bad in 1x 2090-01-01T00:00:00Z ''; do
	refused 2 'is not a time in the past' "since '$bad' is refused" \
		afw cost --since "$bad"
done
refused 3 "no turn of 'nobody' has ended" 'a name of no session' afw cost nobody
mkdir .af
printf 'budget_day_tokens = 0\n' >.af/afw.ini
refused 1 "budget_day_tokens.*for the user to choose" 'a repository cannot raise it' \
	afw trust -y
rm -r .af

# -- nonsense
for bad in -1 1e3 many 99999999999999999999; do
	refused 2 'budget_tokens' "a budget of $bad is refused" \
		afw new x -a pear -o "budget_tokens=$bad"
done
prices=$XDG_CONFIG_HOME/afw/prices.ini
while IFS='|' read -r line text why; do
	printf '%b' "$text" >"$prices"
	refused 1 "prices.ini:?$line.*$why" "a price table: $text" afw new x -a pear
done <<'END'
:2|[m]\ninput = cheap\noutput = 1\n|a price is a number
:2|[m]\ninput = -1\noutput = 1\n|a price is a number
:2|[m]\ninput = 1e9\noutput = 1\n|a price is a number
:2|[m]\ninput = nan\noutput = 1\n|a price is a number
:3|[m]\ninput = 1\ninput = 2\n|twice
:2|[m]\ncolour = 1\n|not a price
:1|date = soon\n|a date
:1|input = 1\n|only date
|[m]\ninput = 1\n|needs input and output
:1|\0\n|
END
rm "$prices"
mkfifo "$prices"
refused 1 'prices.ini: it is not a regular file' 'a FIFO is refused' afw new x -a pear
rm "$prices"
done_testing
