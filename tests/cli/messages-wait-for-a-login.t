#!/bin/bash
# An agent that needs a login: its queue waits, over a kill too, until somebody has
# logged in; then the sessions go on one after the other.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/cli/pear.sh"
export PEAR_HOLD=$T/hold
echo 'login_files = .pear/login' >>"$XDG_CONFIG_HOME/afw/afw.ini"
mkdir "$HOME/.pear"
echo old >"$HOME/.pear/login"
said() { grep -cx "$1" "$T/log"; }

# needs_login NAME...: each runs into it with two messages in its queue.
needs_login()
{
	local name
	: >"$PEAR_HOLD"
	for name; do
		exit_is 0 "$name" afw new "$name" -a pear
		exit_is 0 'a message' afw send "$name" login
		exit_is 0 'and two more' afw send "$name" "first $name"
		exit_is 0 'which are queued' afw send "$name" "second $name"
	done
	rm "$PEAR_HOLD"
	for name; do
		exit_is 0 'it needs a login' afw wait "$name" --for limited -t 60s
	done
}

needs_login one two
is "$(limit_of one limited)" 'login needed' 'it is said so'
waits_for 'afw send --list one | grep -q "needs a login"' 'the queue says what it waits for'
is "$(limit_of one queued) $(limit_of two queued)" '2 2' 'all wait'
like "$(afw ls 2>&1)" '2 pear sessions need a login: run pear' 'ls counts them'
touch "$HOME/.pear/other"
rm "$HOME/.pear/login" # a logout
kill -KILL "$(state_of one supervisor_pid)"
waits_for 'afw status one | grep -q lost:' 'a supervisor is killed'
exit_is 0 'and started again' afw start one
is "$(limit_of one limited)" 'login needed' 'it is still so'
waits_for 'afw send --list one | grep -q "needs a login"' 'and its queue waits'
is "$(said login)" 2 'nothing is tried again'
is "$(said 'first .*')" 0 'nothing was delivered'

echo new >"$HOME/.pear/.new" && mv "$HOME/.pear/.new" "$HOME/.pear/login"
for name in one two; do
	waits_for "[ \"\$(said 'second $name')\" = 1 ]" 'after the login all are delivered'
	is "$(said "first $name")" 1 'in order, once'
	is "$(limit_of $name limited)" null 'the limit is over'
done
# When its first queued message was typed, in ms.
typed()
{
	date +%s%3N -d "$(afw events "$1" --json | grep '"receipt":"submitted"' |
		sed -n '2s/.*"at":"\([^"]*\).*/\1/p')"
}
apart=$(($(typed one) - $(typed two)))
is $((${apart#-} >= 300)) 1 "one after the other ($apart ms)"

# -- the first session that works
needs_login three four
exit_is 0 'a new message' afw send four hello
exit_is 0 'ahead of the others' afw send four --move 4 --before 2
for name in three four; do
	waits_for "[ \"\$(said 'second $name')\" = 1 ]" 'one that works shows the others that they can'
done
is "$(said hello)" 1 'the message was the first'

# -- a login while it is not running
needs_login five
exit_is 0 'it is stopped' afw stop five
echo newer >"$HOME/.pear/login"
exit_is 0 'and started' afw start five
waits_for '[ "$(said "second five")" = 1 ]' 'its queue is delivered'
is "$(said login)" 5 'nothing was tried again'
done_testing
