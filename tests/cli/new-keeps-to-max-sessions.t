#!/bin/bash
# max_sessions: over it, new and start exit with 5 and name the sessions that
# are counted.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'max_sessions = 2' >"$XDG_CONFIG_HOME/afw/afw.ini"

exit_is 0 'the first' afw new one -- sleep 1000
exit_is 0 'the second' afw new two -- sleep 1000
exit_is 5 'the third is over the limit' afw new three -- sleep 1000
like "$err" '2 sessions run already, and max_sessions is 2' 'and reports that'
like "$err" 'one, two' 'and names the counted sessions'
is "$(git branch --list 'af/three')" '' 'nothing was made'
exit_is 0 'one stops' afw stop one
exit_is 0 'then there is room' afw new three -- sleep 1000
exit_is 5 'and no place to start the stopped one' afw start one
afw stop two three >/dev/null 2>&1
afw rm one two three >/dev/null 2>&1
for i in a b c d e f g h; do
	afw new "$i" -- sleep 1000 >/dev/null 2>&1 &
done
wait
is "$(afw ls -q | wc -l)" 2 'eight at once: two got a place'

# Who holds the places is named, as far as a line reaches.
echo 'max_sessions = 9' >"$XDG_CONFIG_HOME/afw/afw.ini"
make_repo "$T/other"
cd "$T/other" || exit 2
exit_is 0 'in another repository' afw new another -- sleep 1000
for i in 4 5 6 7; do exit_is 0 "new $i" afw new "$i" -- sleep 1000; done
long=$(printf 'l%.0s' {1..60})
exit_is 0 'a long name' afw new "${long}8" -- sleep 1000
echo 'max_sessions = 8' >"$XDG_CONFIG_HOME/afw/afw.ini"
refused 5 "another, other/4, other/5, other/6, other/7, other/${long}8; stop one" \
	'eight places, eight names' afw new more -- sleep 1000
echo 'max_sessions = 10' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'another' afw new "${long}9" -- sleep 1000
exit_is 0 'another' afw new "${long}10" -- sleep 1000
refused 5 "other/${long}8 and 2 more; stop one" 'and how many more' \
	afw new more -- sleep 1000
done_testing
