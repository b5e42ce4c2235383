#!/bin/bash
# Without a name a command uses the session of this worktree, else the only one
# of this repository, else the only one of all.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
make_repo "$T/other"
cd "$T/repo" || exit 2
export PAGER=cat

can_resume cat
refused 3 'there is no session.*afw new' 'there is none' afw status
(cd "$T/other" && afw new far -- sleep 1000 >/dev/null)
exit_is 0 'none here, and one elsewhere' afw status --json
is "$(json name)" far 'it is meant'
(cd "$T" && run afw capture && exit "$code")
ok $? 'outside of any repository, too'
exit_is 0 'a session' afw new one -- sh -c 'echo hello; cat'
waits_for 'afw capture | grep -q hello' 'capture means it'
exit_is 0 'status too' afw status --json
is "$(json name)" one 'not that of another repository'
for command in logs diff 'wait --for running' 'exec -- true' 'send -m hi' \
	interrupt suspend resume restart stop start stop wait retry; do
	# shellcheck disable=SC2086
	run afw $command
	unlike "$code-$err" '^[23]-|which session' "$command, too"
done
refused 2 'not a terminal' 'attach, too' afw attach one
refused 2 'rm: NAME is missing' 'but rm needs the name' afw rm
afw stop one >/dev/null 2>&1
exit_is 0 'a second one' afw new two -- cat
for command in status logs attach diff capture interrupt stop suspend restart \
	start resume retry wait 'exec -- true' 'send -m hi'; do
	# shellcheck disable=SC2086
	refused 2 'which session\? This repository has 2.*there are: one, two$' \
		"$command: which of two" afw $command
done
for name in one two; do
	cd "$T/.af_worktrees/repo-$name" || exit 2
	exit_is 0 "in the worktree of $name" afw status --json
	is "$(json name)" "$name" 'that session is meant'
	mkdir deep && cd deep || exit 2
	exit_is 0 'below it, too' afw diff
done
cd "$T" || exit 2
refused 2 'which session\? There are 3.*other/far, repo/one' \
	'which of all, outside of any' afw status
done_testing
