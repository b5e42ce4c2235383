#!/bin/bash
# The list keeps what it says of a session that has ended: it is to be right.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
added() { json lines_added "$(session_dir "$1")/state.json"; }

# The last count has three seconds.
for short in short{1..3}; do
	exit_is 0 'a command' afw new $short -- sh -c 'echo a >one; echo b >two'
	exit_is 0 'that soon has ended' \
		afw wait $short --for stopped --timeout 60s
	[ "$(added $short)" != 2 ] || break
done
is "$(added $short)" 2 'what it wrote is counted'

for lasts in lasts{1..3}; do
	exit_is 0 'one that lasts' afw new $lasts -- bash -c \
		'trap "" HUP; trap "echo b >two; exit" TERM; echo a >one; while :; do read -r x; done'
	waits_for 60 '[ "$(added $lasts)" = 1 ]' 'is counted at work'
	exit_is 0 'stop' afw stop $lasts --timeout 60s
	[ "$(added $lasts)" != 2 ] || break
done
is "$(added $lasts)" 2 'what it wrote when it was told to end is counted'
done_testing
