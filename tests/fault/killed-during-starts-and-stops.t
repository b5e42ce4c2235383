#!/bin/bash
# SIGKILL right before every write of new, start, stop, suspend, resume,
# restart, retry and trust: files are old or new, never torn, and the next
# command finishes the work.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
afw_env
kill_world README a b
phase()
{
	[ "$(afw status "$1" --json 2>/dev/null |
		"$BUILD/tests/tools/jsonget" phase)" = "$2" ]
}
stopped='afw new one -- cat && afw stop one'
kill_each afw-worktree 'afw new one -- cat' 'phase one running' \
	'afw rm --stop one'
kill_each afw-worktree 'afw new one --branch side -- cat' \
	'phase one running && git rev-parse -q --verify side >/dev/null' \
	'afw rm --stop -D one' 'git branch side'
kill_each afw-supervisor 'afw new one -- cat' 'phase one running' \
	'afw rm --stop one'
kill_each afw 'afw start one' 'phase one running' 'afw stop one' "$stopped"
# A worktree that is not recorded yet is rolled back by afw-worktree itself,
# which holds the session's lock until then: rm exits with 4.
AGAIN='for i in {1..200}; do
		afw rm --stop one
		[ $? = 4 ] || break
		read -r -t 0.05 <> <(:) || :
	done
	afw reconcile --apply
	afw new one -- cat'
kill_each afw 'afw new one -- cat' 'phase one running' 'afw rm --stop one'
AGAIN=${AGAIN/afw new one/afw new one --no-start}
kill_each afw 'afw new one --no-start -- cat' 'phase one created' 'afw rm one'
AGAIN=
# The supervisor's whole life: its start, what it sees, its end.
kill_each afw-supervisor 'afw start one && afw stop one' 'phase one stopped' \
	true "$stopped"
kill_each afw-supervisor 'afw start one && afw suspend one' \
	'phase one suspended' 'afw start one && afw stop one' "$stopped"
kill_each afw 'afw resume one' 'phase one running' 'afw suspend one' \
	'afw new one -- cat && afw suspend one'
kill_each afw-supervisor 'afw resume one' 'phase one running' \
	'afw suspend one' 'afw new one -- cat && afw suspend one'
kill_each afw 'afw restart one' 'phase one running' true 'afw new one -- cat'
# In error, because its harness was killed.
fail='kill -KILL $(state_of one pid) &&
	afw wait one --timeout 240s --for error'
AGAIN='afw retry one || afw ls | grep -q "^one .* running"'
kill_each afw 'afw retry one' 'phase one running' "$fail" \
	"afw new one -- cat && $fail"
kill_each afw-supervisor 'afw retry one' 'phase one running' "$fail" \
	"afw new one -- cat && $fail"
AGAIN=
kill_each afw 'afw trust --yes' 'afw trust --list | grep -q repo' \
	'afw trust --remove' 'mkdir .af && echo harness = claude >.af/afw.ini'
# A message for a session that does not run, kept or cancelled; its groups.
listed='afw send one --list --json | grep -q hello'
kill_each afw 'afw send one --when-idle -- hello' "$listed" \
	'afw send one --cancel all' "$stopped"
AGAIN='afw send one --when-idle -- again && afw send one --cancel all'
kill_each afw 'afw send one --cancel all' "! $listed" \
	'afw send one --when-idle -- hello' \
	"$stopped && afw send one --when-idle -- hello"
AGAIN=''
kill_each afw 'afw group one -a web' 'afw ls -q -g web | grep -q one' \
	'afw group one -r web' "$stopped"
done_testing
