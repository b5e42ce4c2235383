#!/bin/bash
# What on_limit = wait may not do: press the key of a limit's dialog in an approval,
# and say that afw continues if its message was not stored.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/cli/pear.sh"
printf 'on_limit = wait\n' >"$T/.ini"
cat "$XDG_CONFIG_HOME/afw/afw.ini" >>"$T/.ini"
cp "$T/.ini" "$XDG_CONFIG_HOME/afw/afw.ini"

# -- its own dialog
exit_is 0 'a session' afw new one -a pear
exit_is 0 'a limit with a dialog' afw send one 'limit 2 keep'
waits_for '[ "$(grep -cx "key 2" "$T/log")" = 1 ]' 'whose key is pressed'
waits_for '[ "$(sent_on)" = 1 ]' 'and it is sent on'
is "$(grep -c '^key' "$T/log")" 1 'with no other key'

# -- an approval below the words of such a dialog
exit_is 0 'another' afw new two -a pear
exit_is 0 'a limit, then an approval' afw send two 'limit 2 ask'
exit_is 0 'which is up' afw wait two --for waiting -t 60s
waits_for '[ "$(date +%s)" -gt "$(date -d "$(limit_of two limited_until)" +%s)" ]' \
	'while the limit ends'
# It has read the screen since, and would have pressed.
exit_is 9 'a message is refused' afw send two hello
is "$(grep -c '^key' "$T/log")" 1 'no key is pressed in the approval'
is "$(sent_on)" 1 'and nothing is sent'
exit_is 0 'the user denies' afw send two --deny
waits_for '[ "$(sent_on)" = 2 ]' 'then it is sent on'
like "$(cat "$T/log")" '(^|
)no(
|$)' 'and the answer was the user'"'"'s'

# -- a message that cannot be stored
exit_is 0 'one more' afw new three -a pear
exit_is 0 'a limit' afw send three 'limit 3'
exit_is 0 'after which afw continues' afw wait three --for limited -t 60s
is "$(limit_of three limited_by)" afw 'as it says'
dir=$XDG_DATA_HOME/afw/sessions/$(limit_of three id)
mv "$dir/queue.last" "$T/kept" && mkdir "$dir/queue.last"
waits_for 'afw status three | grep -q "a message was not sent"' \
	'its message cannot be stored'
is "$(limit_of three limited_by)" you 'so the user has to continue'
rmdir "$dir/queue.last" && mv "$T/kept" "$dir/queue.last"
exit_is 0 'who does' afw send three -w hello
is "$(limit_of three limited)" null 'the limit is over'
like "$(afw events three --json | grep limited:over)" '"limited_by":"you"' \
	'and the history does not say that afw did it'
is "$(sent_on)" 2 'nothing else was sent'
done_testing
