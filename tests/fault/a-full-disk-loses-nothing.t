#!/bin/bash
# A disk that is full for a while: the supervisor writes later what it could not
# write then, even if nothing happens any more; the history has no half lines,
# and the end of the transcript is reported. A limit of the file size simulates
# the disk: a write is short, then the next fails.
. "$(dirname "$0")/../lib.sh"
afw_env
command -v prlimit >/dev/null || skip_all 'there is no prlimit'
make_repo "$T/repo"
cd "$T/repo" || exit 2

# does WHAT: status says so, in all that it says; the files may not.
does()
{
	afw status one --json >"$T/status" &&
		[ "$(json activity "$T/status")" = "$1" ] &&
		[[ $(json explanation "$T/status") == "$1, "* ]]
}

# types WORD: and until all that comes of it by itself is over.
types()
{
	does idle || :
	_since=$(json activity_since "$T/status")
	exit_is 0 "'$1' goes in" afw send one --keys -- "$1 " Enter
	waits_for 'does idle &&
		[ "$(json activity_since "$T/status")" != "$_since" ]' \
		'it has worked, and is idle again'
}

exit_is 0 'a session' afw new one -- cat
dir=$(session_dir one)
pid=$(json supervisor_pid "$dir/state.json")

# Room for ten bytes of the next event.
prlimit --pid "$pid" --fsize=$(($(stat -c %s "$dir/events.jsonl") + 10)): ||
	skip_all 'limits cannot be set here'
types meanwhile
# For nothing at all.
prlimit --pid "$pid" --fsize=1:
types nothing
nok_cmd 'its state is not written' \
	grep -q '"last_line": *"nothing"' "$dir/state.json"

prlimit --pid "$pid" --fsize=unlimited:
waits_for '[ "$(json last_line "$dir/state.json")" = nothing ]' \
	'it is, when there is room again'
like "$(json degraded "$dir/state.json")" 'the transcript stopped: write' \
	'the end of the transcript is reported'
exit_is 0 'it stops' afw stop one
whole=0 lines=0
while read -r line; do
	lines=$((lines + 1)) out=$line
	! json_has event || whole=$((whole + 1))
done <"$dir/events.jsonl"
[ "$lines" -gt 8 ] && [ "$whole" = "$lines" ]
ok $? "no event was written in part ($whole of $lines)"
done_testing
