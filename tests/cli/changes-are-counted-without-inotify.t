#!/bin/bash
# 200 sessions need more inotify instances than a user has (128).
if [ -z "${AFW_NO_INOTIFY-}" ]; then
	export AFW_NO_INOTIFY=1
	limit=/proc/sys/user/max_inotify_instances
	unshare -Ur bash -c "echo 0 >$limit" 2>/dev/null &&
		exec unshare -Ur bash -c "echo 0 >$limit; exec '$0'"
	AFW_NO_INOTIFY=''
fi
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
[ -n "$AFW_NO_INOTIFY" ] || skip_all 'no user namespaces here'
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

exit_is 0 'new starts a session' afw new one -- sh -c \
	'echo ready; read -r go; echo a >new-file; echo "$go done"; exec cat'
waits_for 'afw capture one | grep -q ready' 'it runs'
afw send one go >/dev/null
waits_for 'afw capture one | grep -q "go done"' 'it writes a file'
waits_for 'afw status one --json | grep -q "\"untracked\": *1"' \
	'which is counted when its turn ends'
like "$(afw status one --json)" '"degraded":.*counted every 30 s only: inotify: ' \
	'status reports it'
like "$(afw doctor 2>&1)" 'inotify .*not seen: .*max_user_instances' 'doctor reports it, too'
: >"$T/.af_worktrees/repo-one/silent"
waits_for 'afw status one --json | grep -q "\"untracked\": *2"' \
	'a change without output is counted at the next interval'
exit_is 0 'wait does without, too' afw wait one --for idle,completed --timeout 20s
done_testing
