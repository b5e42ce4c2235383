#!/bin/bash
# Pinned sessions are first, archived and snoozed ones are hidden until they
# are asked for or need the user, and each has a note: whether it runs or not.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
names() { afw ls -q "$@" 2>"$T/null" | paste -sd' '; }
member() { run afw status "$1" --json; json "$2"; }
for name in old mid new; do
	exit_is 0 "session $name" afw new $name -- sh -c 'read -r line; echo "$line"; cat'
done
for name in old mid new; do
	wait_for "[ \"\$(state_of $name activity)\" = idle ]"
done
run afw stop mid
is "$(names)" 'old new mid' 'the order without flags'

# -- pin, note ------------------------------------------------------------------

exit_is 0 'pin' afw flag pin new mid
is "$out" $'new: pinned\nmid: pinned' 'of one that runs and one that does not'
is "$(names)" 'new mid old' 'they are first, in their order'
exit_is 0 'a note' afw flag note new 'ask Bob first'
is "$out" 'new: pinned; note: ask Bob first' 'is printed'
run afw ls
like "$out" 'new .*\[pinned\] \[ask Bob first\]' 'and listed'
run afw ls -o name,flags,note
like "$out" 'new +pinned +ask Bob first' 'as columns of their own'
run afw status new
like "$out" 'note +ask Bob first.*flags +pinned' 'status has both'
is "$(member new pinned) $(member new note)" 'true ask Bob first' 'and JSON'
is "$(member old pinned) $(member old note)" 'false null' 'false without'
printf 'by the pipe\n' | afw flag note mid - >"$T/null"
is "$(member mid note)" 'by the pipe' 'a note from standard input'
exit_is 0 'no note' afw flag note mid
is "$(member mid note)" null 'removes it'
exit_is 0 'unpin' afw flag unpin mid --json
is "$(json name) $(json pinned)" 'mid false' 'prints the session as JSON'
is "$(names)" 'new old mid' 'and it is where it was'
run afw restart new
is "$(member new pinned) $(member new note)" 'true ask Bob first' 'a start keeps them'
exit_is 0 'rename' afw rename new newer
is "$(member newer note)" 'ask Bob first' 'keeps them, too'
exit_is 0 'rm' afw rm --stop --trash newer
exit_is 0 'and restore' afw trash restore newer
is "$(member newer pinned)" true 'and so does the trash'

# -- archive --------------------------------------------------------------------

exit_is 0 'archive' afw flag archive old mid
is "$(names)" newer 'hides them'
run afw ls
like "$err" 'hint: 2 archived: `afw ls --archived`' 'which a hint says'
unlike "$err" 'need' 'and that nobody needs the user'
is "$(names --archived)" 'old mid' '--archived lists them alone'
is "$(afw ls --count)" 1 'they are not counted'
run afw ls --json
is "$(grep -o '"archived":true' <<<"$out" | wc -l)" 2 'JSON has them'
is "$(member old archived)" true 'as archived'
ok_cmd 'the worktree is there' test -d "$T/.af_worktrees/repo-old"
is "$(afw completion words -- attach '' | sort | paste -sd' ')" 'mid newer old' \
	'completion offers them'
exit_is 0 'show' afw flag show old
is "$out" 'old: listed as usual' 'lists it again'
exit_is 0 'all' afw flag archive old newer
run afw ls
like "$err" 'no other sessions.*3 archived' 'if all are archived, that is said'
exit_is 0 'show all' afw flag show old mid newer
run afw ls --archived
like "$err" 'no session is archived' 'then none is'

# -- snooze ---------------------------------------------------------------------

exit_is 0 'snooze for a time' afw flag snooze old 1d
like "$out" '^old: snoozed until [0-9-]+ [0-9:]+$' 'until then'
is "$(member old snoozed)" true 'in JSON, too'
like "$(member old snoozed_until)" '^20..-' 'with the time'
is "$(names)" 'newer mid' 'it is hidden'
run afw ls
like "$err" 'hint: 1 snoozed: `afw ls --archived`' 'which a hint says'
sed -i "s/\"snoozed_until\":\"[^\"]*\"/\"snoozed_until\":\"2026-01-01T00:00:00.000Z\"/" \
	"$(session_dir old)/spec.json"
exit_is 0 'when the time has come' afw flag unpin old
is "$(names)" 'newer old mid' 'it is listed'
is "$(member old snoozed) $(member old snoozed_until)" 'false null' 'as usual'

exit_is 0 'a session that asks later' afw new asks -a demo -m 'run the tests'
export DEMO_SPEED=20
waits_for '[ "$(state_of asks activity)" = waiting_for_input ]' 'it asks'
exit_is 0 'snoozed while it asks' afw flag snooze asks
is "$out" 'asks: snoozed' 'until it needs the user again'
unlike "$(names)" asks 'is hidden'
run afw ls
like "$err" '1 snoozed; asks needs you' 'but not lost: the hint names it'
exit_is 0 'answered' afw send asks --approve
waits_for '[[ $(names) == *asks* ]]' 'it is back when it needs the user again'
is "$(member asks snoozed)" false 'for good'
exit_is 0 'archived while it is done or asks' afw flag archive asks
unlike "$(names)" asks 'it stays hidden'

# -- what is refused ------------------------------------------------------------

refused 2 "flag note 'old': the note is not one line" 'a note of two lines' \
	afw flag note old $'a\nb'
refused 2 'not one line of printable' 'of control bytes' afw flag note old $'a\e[31m'
refused 2 'has 161 bytes; at most 160' 'a long one' \
	afw flag note old "$(printf '%0161d' 1)"
refused 2 'flag note: .*longer than.*a note is one line of at most 160' 'of a megabyte' \
	sh -c 'head -c 2000000 /dev/zero | afw flag note old -'
is "$(member old note)" null 'nothing is noted'
refused 2 "'yesterday' is not a time in the future.*30m" 'another time' \
	afw flag snooze old yesterday
refused 2 'not a time in the future' 'one that is over' \
	afw flag snooze old 2020-01-01T00:00:00Z
refused 2 "'pim' is not one of pin.*did you mean pin" 'another word' afw flag pim old
refused 2 'flag: how' 'none' afw flag
refused 3 "no session 'nobody'" 'another session' afw flag pin nobody
exit_is 0 'one that waits for another' afw new late --after old -- cat
refused 4 "flag pin 'late'.*waits for old" 'is not flagged yet' afw flag pin late

# -- at once ---------------------------------------------------------------------

for i in 1 2 3 4; do
	afw flag pin old >"$T/null" &
	afw flag note old "note $i" >"$T/null" &
done
wait
is "$(member old pinned)" true 'eight at once: none undoes another'
like "$(member old note)" '^note [1-4]$' 'and the last note stays'
done_testing
