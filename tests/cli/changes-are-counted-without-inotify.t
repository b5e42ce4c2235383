#!/bin/bash
# 200 sessions need more inotify instances than a user has (128): idle ones give
# theirs back, and a session without one is counted now and then.
if [ -z "${AFW_NO_INOTIFY-}" ]; then
	export AFW_NO_INOTIFY=1
	limit=/proc/sys/user/max_inotify_instances
	unshare -Ur bash -c "echo 0 >$limit" 2>/dev/null &&
		exec unshare -Ur bash -c "exec '$0'"
	AFW_NO_INOTIFY=''
fi
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
[ -n "$AFW_NO_INOTIFY" ] || skip_all 'no user namespaces here'
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

limit() { echo "$1" >/proc/sys/user/max_inotify_instances; }
instances() { find "/proc/$(state_of "$1" supervisor_pid)/fd" -lname '*inotify' | wc -l; }
limit 3
exit_is 0 'a session that gets an instance' afw new two -- cat
is "$(instances two)" 1 'watches its worktree'
echo a >"$T/.af_worktrees/repo-two/a"
waits_for '[[ $(afw ls) == *" +1 -0 "* ]]' 'and counts what changes'
limit 1
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
like "$(afw ls)" 'one .* ~\+1 -0' 'the list marks its count'
waits_for '[ "$(instances two)" = 0 ]' 'one that is idle for a minute gives its instance back'
echo b >"$T/.af_worktrees/repo-two/b"
waits_for '[[ $(afw ls) =~ two\ .*\ ~\+1\ -0 ]]' 'and the list marks its count'
like "$(afw status two)" 'not watched, so it may be old' 'so does status'
limit 9
for name in one two; do
	afw send $name again >"$T/null"
	waits_for "[ \"\$(instances $name)\" = 1 ]" 'its next turn takes one'
done
waits_for '[[ $(afw ls) =~ two\ .*\ \+2\ -0 ]]' 'and counts everything'
is "$(state_of one degraded)" '[]' 'which ends the degraded state'
limit 0
exit_is 0 'wait does without, too' afw wait one --for idle,completed --timeout 20s
done_testing
