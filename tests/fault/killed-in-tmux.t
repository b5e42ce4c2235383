#!/bin/bash
# SIGKILL right before every write if the terminal is in tmux: the result is as
# with our own terminal, and no tmux server is left.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
afw_env
command -v tmux >/dev/null || skip_all 'no tmux here'
kill_world README
phase()
{
	[ "$(afw status one --json 2>/dev/null |
		"$BUILD/tests/tools/jsonget" phase)" = "$1" ]
}
new='afw new one --backend tmux -- cat'
life='afw start one && afw suspend one && afw resume one && afw stop one'
kill_each afw-supervisor "$new" 'phase running' 'afw rm --stop one'
kill_each afw-supervisor "$life" 'phase stopped' true "$new && afw stop one"
kill_each afw 'afw start one' 'phase running' 'afw stop one' \
	"$new && afw stop one"
kill_each afw 'afw resume one' 'phase running' 'afw suspend one' \
	"$new && afw suspend one"
AGAIN='if afw ls -q | grep -qx one; then afw rm --stop one
	else afw reconcile --apply; fi'
kill_each afw 'afw rm --stop one' '! phase running' "$new" "$new"
done_testing
