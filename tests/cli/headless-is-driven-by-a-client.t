#!/bin/bash
# A client in Python, written from afw-protocol(7): it starts an agent, gives it
# a task, chats, runs a command beside it and stops it.
. "$(dirname "$0")/../lib.sh"
command -v python3 >/dev/null || skip_all 'no python3 here'
afw_env
make_repo "$T/repo"
cd "$T" || exit 2
unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
unset EMAIL
git config --global --unset-all user.name
git config --global --unset-all user.email
exit_is 0 'a client drives it' python3 "$ROOT/tests/tools/headless_client.py" \
	"$T/repo" "$BUILD/afw-supervisor" --stdio
is "$out" "ready 1
workspace task-123
started True
prompt
chat
exec req-1 0 Implement feature X... tasks@localhost ''
exit None SIGKILL True
server 137" 'through the whole sequence'
cd repo || exit 2
is "$(git log -1 --format=%s task-123)" 'Implement feature X...' \
	'the work is on its branch'
is "$(state_of task-123 phase)" stopped 'and the session has stopped'
done_testing
