#!/bin/bash
# Queued messages are on disk: each arrives once and in order, whatever was
# killed.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../fake.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new one -a demo
dir=$(session_dir one)
exit_is 0 'a long turn' afw send one -- '[[sleep 900]]'
for n in 1 2 3; do
	exit_is 0 "message $n" afw send one -- "[[lines $n]]"
	like "$out" '^one: queued' 'is queued'
done
waits_for '[ "$(ls "$dir/queue" | wc -l)" = 3 ]' 'each is a file'
is "$(stat -c %a "$dir/queue" "$dir"/queue/* | sort -u | tr '\n' ' ')" \
	'600 700 ' 'that no other user can read'
afw status one --json >"$T/.one"
kill -KILL "$(json supervisor_pid "$T/.one")"
waits_for 'afw status one --json | grep -q "lost:"' 'its supervisor is killed'
# Another afw at work on it, as one that keeps a message or starts it.
hold one
refused 6 'cannot be reached yet' 'a message is refused' afw send one -- '[[write later]]'
afw send one --when-idle -- '[[write later]]' >"$T/later" 2>&1 &
later=$!
release_locks
ends_with 0 "$later" 'one --when-idle waits for that'
like "$(<"$T/later")" '^one: queued' 'and is kept'

second=$(ls "$dir/queue" | head -n 1)
mv "$dir/queue/$second" "$dir/queue/${second%.queued}.typing"
exit_is 0 'it is started again' afw start one
waits_for '[ -z "$(ls "$dir/queue")" ]' 'the queue is delivered, and gone'
wait_for '[ "$(grep -c lines "$T/log")" = 2 ]'
is "$(grep -c 'lines' "$T/log")" 2 'the queued message has arrived once'
unlike "$(<"$T/log")" 'lines 1' 'the message that was being typed is not typed again'
like "$(afw events one --json)" 'unconfirmed.*ended while it was typed' 'but reported'

exit_is 9 'a session that asks' afw send one -w -- '[[ask]]'
exit_is 0 'takes a message --when-idle' afw send one --when-idle -- '[[lines 8]]'
like "$out" '^one: queued' 'into its queue'
is "$(grep -c 'lines 8' "$T/log")" 0 'and nowhere else'
run afw send one --keys n
waits_for 'grep -q "lines 8" "$T/log"' 'until it is answered'
done_testing
