#!/bin/bash
# The agent has a /dev/shm of its own. A worktree, and what it may read, is there
# under its name all the same.
. "$(dirname "$0")/../lib.sh"
[ -w /dev/shm ] || skip_all 'there is no /dev/shm'
AF_TEST_IN=/dev/shm
afw_env
needs_landlock
make_repo "$T/repo" README
cd "$T/repo" || exit 2
mkdir -p "$T/config/afw"
mkdir "$T/allowed"
echo allowed >"$T/allowed/file"
echo hidden >"$T/hidden"
printf 'sandbox = landlock\nsandbox_read = %s\n' "$T/allowed" \
	>"$T/config/afw/afw.ini"
exit_is 0 'a session with its data and worktree in /dev/shm' afw new s -- sh -c "
	cat '$T/allowed/file' >read
	cat '$T/hidden' >>read
	echo changed >'$T/allowed/file' || :
	pwd >at
	echo 1 >'$T/.af_worktrees/repo-s/done'
	sleep 600"
waits_for '[ -s "$T/.af_worktrees/repo-s/done" ]' 'it writes by the whole path'
is "$(<"$T/.af_worktrees/repo-s/read")" allowed 'it reads what it may, no more'
is "$(<"$T/.af_worktrees/repo-s/at")" "$T/.af_worktrees/repo-s" 'it is there'
is "$(<"$T/allowed/file")" allowed 'and cannot write it'
done_testing
