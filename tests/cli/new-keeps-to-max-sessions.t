#!/bin/bash
# max_sessions: over it, new and start exit 5 and say who holds the places.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'max_sessions = 2' >"$XDG_CONFIG_HOME/afw/afw.ini"

exit_is 0 'the first' afw new one -- sleep 1000
exit_is 0 'the second' afw new two -- sleep 1000
exit_is 5 'the third is over the limit' afw new three -- sleep 1000
like "$err" 'max_sessions is 2' 'and is told so'
like "$err" 'one, two' 'and who holds the places'
is "$(git branch --list 'af/three')" '' 'nothing was made'
exit_is 0 'one stops' afw stop one
exit_is 0 'then there is room' afw new three -- sleep 1000
exit_is 5 'and none to start the stopped one' afw start one
afw stop two three >/dev/null 2>&1
afw rm one two three >/dev/null 2>&1
for i in a b c d e f g h; do
	afw new "$i" -- sleep 1000 >/dev/null 2>&1 &
done
wait
is "$(afw ls -q | wc -l)" 2 'eight at once: two got a place'

echo 'max_sessions_per_repository = 2' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 5 'a limit for each repository' afw new another -- sleep 1000
like "$err" 'max_sessions_per_repository is 2' 'is told by its name'
make_repo "$T/other"
cd "$T/other" || exit 2
exit_is 0 'another repository has places of its own' \
	afw new another -- sleep 1000
done_testing
