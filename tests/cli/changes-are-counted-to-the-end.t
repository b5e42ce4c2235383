#!/bin/bash
# The list keeps the last counts of a session that has ended: they must be
# right.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
added() { state_of "$1" lines_added; }

# The last count has three seconds.
for short in short{1..3}; do
	exit_is 0 'a command' afw new $short -- sh -c 'echo a >one; echo b >two'
	exit_is 0 'that soon has ended' \
		afw wait $short --for stopped --timeout 240s
	[ "$(added $short)" != 2 ] || break
done
is "$(added $short)" 2 'its file is counted'
like "$(afw ls)" "$short .* 2 files not committed" 'ls shows uncommitted changes'
like "$(afw status $short)" '0 commits; 2 files not committed' 'status shows it, too'
exit_is 0 'a session that commits all files except one' afw new commits -- sh -c \
	'touch one two && git add . && git commit -qm x && echo x >two'
exit_is 0 'has ended' afw wait commits --for stopped --timeout 240s
like "$(afw ls)" 'commits .* 1 file not committed' 'and leaves that one'
exit_is 0 'both' afw status commits
like "$out" 'changes +2 files, \+1 -0.* 1 commit; 1 file not committed' 'are told'
is "$(state_of commits uncommitted)" 1 \
	'as JSON'
exit_is 0 'rm' afw rm commits
like "$out" 'commits: removed; .*; kept in the trash for 14 days, because two is changed; `afw trash restore commits`' \
	'rm reports it, too'
exit_is 0 'a session that commits everything' afw new tidy -- sh -c \
	'touch one && git add . && git commit -qm x'
exit_is 0 'has ended, too' afw wait tidy --for stopped --timeout 240s
like "$(afw status tidy)" '1 commit; 0 files not committed' 'and has none left'
unlike "$(afw ls | grep tidy)" 'not committed' 'which is not reported'

for lasts in lasts{1..3}; do
	exit_is 0 'a session that keeps running' afw new $lasts -- bash -c \
		'trap "" HUP; trap "echo b >two; exit" TERM; echo a >one; while :; do read -r x; done'
	waits_for '[ "$(added $lasts)" = 1 ]' 'is counted at work'
	exit_is 0 'stop' afw stop $lasts --timeout 240s
	[ "$(added $lasts)" != 2 ] || break
done
is "$(added $lasts)" 2 'a file that it wrote at SIGTERM is counted'

# Nobody watches a session that is not running: who changes it, counts.
left() { state_of by uncommitted; }
exit_is 0 'a session that leaves a file' afw new by -- sh -c 'echo a >one'
exit_is 0 'has ended' afw wait by --for stopped --timeout 240s
exit_is 0 'exec in it' afw exec by -- sh -c 'echo b >two'
is "$(left)" 2 'is counted'
like "$(afw ls)" 'by .* 2 files not committed' 'and ls prints that'
exit_is 3 'a session that fails' afw exec by -- sh -c 'echo c >three; exit 3'
is "$(left)" 3 'is counted, too'
phase=$(state_of by phase)
exit_is 0 'commit' afw commit by -m all
is "$(left)|$(state_of by ahead)" '0|1' 'is counted'
unlike "$(afw ls | grep by)$(afw status by)" '[1-9] files? not committed' \
	'and nothing is left by ls and status'
is "$(state_of by phase)" "$phase" 'and it is as it was'
exit_is 0 'merge --rebase' afw merge by --rebase
is "$(left)" 0 'leaves nothing'
exit_is 0 'rm' afw rm by
unlike "$out$err" 'not committed' 'reports nothing that is not committed'
done_testing
