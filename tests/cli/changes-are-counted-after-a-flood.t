#!/bin/bash
# More changes at once than inotify's queue holds: a directory that was made
# meanwhile is watched, too.
. "$(dirname "$0")/../lib.sh"
afw_env
most=$(cat /proc/sys/fs/inotify/max_queued_events 2>/dev/null)
[ "${most:-999999}" -le 20000 ] || skip_all 'that would be too many'
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new one -- cat
dir=$(session_dir one)
tree=$(json worktree "$dir/spec.json") || tree=
pid=$(json supervisor_pid "$dir/state.json")
# untracked N: that many are reported.
untracked() { [ "$(state_of one untracked)" = "$1" ]; }
waits_for 'untracked 0' 'nothing is changed'

# Its supervisor is stopped meanwhile; two files in turn, or the kernel makes
# one event of many.
kill -STOP "$pid"
(cd "$tree" && for ((i = 0; i < most; i += 2)); do : >a; : >b; done &&
	mkdir -p late/deep && : >late/deep/one)
kill -CONT "$pid"
waits_for 'untracked 3' 'the flood is counted'
: >"$tree/late/deep/two"
waits_for 'untracked 4' 'and what comes in a directory that it hid'
done_testing
