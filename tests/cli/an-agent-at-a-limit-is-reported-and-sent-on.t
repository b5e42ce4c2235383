#!/bin/bash
# An agent at a limit: who sees it, who continues when it is over, and that it is
# sent on once (on_limit = wait).
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/cli/pear.sh"

# -- on_limit = report
exit_is 0 'a session' afw new one -a pear
exit_is 0 'a message' afw send one 'limit 4000'
exit_is 0 'wait --for limited' afw wait one --for limited -t 60s
is "$out" limited 'prints the word'
is "$(limit_of one limited)" 'usage limit' 'it is at a usage limit'
is "$(limit_of one limited_by)" you 'after which nobody continues'
like "$(limit_of one limited_until)" '^20[0-9]{2}-' 'and whose end is known'
like "$(afw ls)" 'one .*usage limit until ([0-9-]+ )?[0-9:]{5}$' 'ls shows it'
is "$(afw ls -o name,limited | sed -n 2p | cut -c1-17)" 'one   usage limit' \
	'and has a column'
like "$(afw status one)" 'limit +usage limit until' 'as status does'
like "$(afw events one --json)" '"event":"limited".*"limited":"usage limit"' \
	'it is an event'
exit_is 0 'a message that it takes' afw send one hello
waits_for '[ "$(limit_of one limited)" = null ]' \
	'ends the limit'
like "$(afw events one --json)" '"event":"limited:over"' 'which is an event'

# -- its own words only
exit_is 0 'a quotation' afw send one -w \
	"say: ! You've hit your usage limit. Resets in 100s"
waits_for 'afw capture one | grep -q "^Answered: say: ! You"' 'of the same words'
exit_is 7 'is no limit' afw wait one --for limited -t 1s

# -- on_limit = wait
exit_is 0 'a session that waits' afw new two -a pear -o on_limit=wait
exit_is 0 'a short limit' afw send two 'limit 3'
exit_is 0 'is one' afw wait two --for limited -t 60s
waits_for '[ "$(sent_on)" = 1 ]' 'it is sent on'
waits_for '[ "$(limit_of two limited)" = null ]' \
	'and the limit is over'
like "$(afw events two --json)" '"event":"limited:over".*"limited_by":"afw"' \
	'by afw, as the event says'

# -- a kill, and a person
exit_is 0 'a longer limit' afw send two 'limit 8'
exit_is 0 'is one' afw wait two --for limited -t 60s
like "$(afw ls)" 'two .*usage limit until ([0-9-]+ )?[0-9:]{5}, then afw sends it on' \
	'ls says who continues'
kill -KILL "$(state_of two supervisor_pid)"
waits_for 'afw status two | grep -q lost:' 'its supervisor is killed'
exit_is 0 'and started again' afw start two
waits_for '[ "$(sent_on)" = 2 ]' 'it is sent on all the same'
exit_is 0 'no more is sent' afw send two last
waits_for 'grep -qx last "$T/log"' 'until the next message'
is "$(sent_on)" 2 'once for each limit'

like "$(afw since 1h)" '2 continued after a limit' 'since counts them'

# -- a person who stops it
exit_is 0 'one more limit' afw send two 'limit 6'
exit_is 0 'is one' afw wait two --for limited -t 60s
exit_is 0 'an interrupt' afw interrupt two
waits_for '[ "$(limit_of two limited_by)" = you ]' 'leaves it to the user'

# -- bad values
refused 2 'on_limit' 'a word that is none' afw new x -a pear -o on_limit=soon
done_testing
