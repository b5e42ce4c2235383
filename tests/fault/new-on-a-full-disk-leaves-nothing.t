#!/bin/bash
# The disk is full, or has no inode left, from the N-th file on that new makes:
# it reports that, and removes everything that it made.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'they do not go with ptrace'
. "$(dirname "$0")/kill.sh"
afw_env
kill_world README a b
phase()
{
	[ "$(afw status one --json 2>/dev/null |
		"$BUILD/tests/tools/jsonget" phase)" = "$1" ]
}
failed()
{
	! afw status one >/dev/null 2>&1 || phase running ||
		echo "left: $(afw ls 2>&1)"
}
FAULT='-e ENOSPC -s'
AGAIN='! afw ls -q | grep -qx one || afw rm --stop one
	git branch -q -d af/one 2>/dev/null
	afw reconcile --apply
	afw new one -- cat'
kill_each 'afw -x afw-worktree -x afw-supervisor' 'afw new one -- cat' \
	'phase running' 'afw rm --stop one'
done_testing
