#!/bin/bash
# An agent that asks before its screen has shown that it works: its message was
# accepted if it is the last above the approval, and otherwise is not known to be.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/cli/pear.sh"
exit_is 0 'a session' afw new fix -a pear
exit_is 0 'a message, then an approval' afw send fix 'ask at once'
like "$out" 'accepted' 'is accepted'
exit_is 0 'the approval is denied' afw send fix --deny
exit_is 0 'its turn ends' afw wait fix --for idle -t 30s
exit_is 8 'an approval below another message' afw send fix 'ask for another'
like "$err" 'unconfirmed: Enter was pressed; it asks something now' \
	'does not confirm it'
is "$(grep -c '^ask' "$T/log")" 2 'both arrived once'
is "$(grep -c '^yes' "$T/log")" 0 'nothing was approved'
done_testing
