#!/bin/bash
# There are few inotify instances, shared by all programs of a user. The test
# has none, in a user namespace of its own.
if [ -z "${AFW_NO_INOTIFY-}" ]; then
	export AFW_NO_INOTIFY=1
	limit=/proc/sys/user/max_inotify_instances
	unshare -Ur bash -c "echo 0 >$limit" 2>/dev/null &&
		exec unshare -Ur bash -c "echo 0 >$limit; exec '$0'"
	AFW_NO_INOTIFY=''
fi
. "$(dirname "$0")/dash.sh"
[ -n "$AFW_NO_INOTIFY" ] || skip_all 'no user namespaces here'

fake_session before running working '"detail":"first words",'
hold before
dash 80 24
see 'first words' 'it starts'
see 'q quit' 'and hides no keys'
unlike "$(tmux_screen)" 'inotify' 'nothing is reported'
dir=$(session_dir before)
fake_state before running waiting_for_input '"detail":"which one?",'
see 'which one?' 'a changed state is seen'
fake_session later stopped
see ' later ' 'a new session is seen'
rm -rf "$(session_dir before)"
gone ' before ' 'a removed session disappears'
fake_session dies running idle
release_locks
hold dies
see '1 idle' 'another one is running'
release_locks
see 'lost: its supervisor has ended' 'its death is seen, which no file shows'
keys ?
keys G
see 'within a second' 'the help says that it is slower'
end
