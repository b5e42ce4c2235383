#!/bin/bash
# since shows which sessions have finished, wait or have failed since a time,
# with turns, checks, commits and costs, from their files alone; conflicts; and
# removed sessions.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/fake.sh"
make_repo "$T/repo"
cd "$T/repo" || exit 2

minutes_ago() { date -u -d "-$1 minutes" +%FT%T.000Z; }
# event MINUTES NAME [MEMBERS]: one in the history of the session in dir.
event() { printf '{"at":"%s","event":"%s"%s}\n' "$(minutes_ago "$1")" "$2" "${3:+,$3}" \
	>>"$dir/events.jsonl"; }
# of NAME KEY: what the JSON has of that session.
of()
{
	local i=0
	while json_has "sessions.$i.name"; do
		[ "$(json "sessions.$i.name")" != "$1" ] || json "sessions.$i.$2"
		i=$((i + 1))
	done
}

exit_is 0 'without a session' afw since
is "$out" 'In the last 24h: nothing happened (the dashboard was never left)' \
	'nothing has happened in a day'
exit_is 0 'as a line' afw since --line
is "$out" '' 'it is nothing'

fake_session asks running waiting_for_input '"detail":"Run make?","cost_micro":1250000,'
event 50 activity '"activity":"waiting_for_input"'
fake_session over running completed \
	'"said":"All \u001b[31mdone.","ahead":2,"cost_micro":250000,'
event 300 activity '"activity":"completed"'
event 300 check '"state":"failed"'
event 100 activity '"activity":"completed"'
mv "$dir/events.jsonl" "$dir/events.jsonl.1"
event 50 activity '"activity":"working"'
event 40 activity '"activity":"completed"'
event 40 check '"state":"failed"'
event 30 check '"state":"passed"'
echo '{"at":"broken' >>"$dir/events.jsonl"
fake_session broken error '' '"error_reason":"it could not start",'
event 50 phase '"phase":"error"'
fake_session ended stopped '' '"exit_code":0,'
event 50 agent:started
event 50 agent:exit '"code":0,"asked":false'
fake_session halted stopped '' '"exit_code":0,'
event 50 agent:exit '"code":0,"asked":true'
fake_session works running working
event 50 activity '"activity":"completed"'
fake_session old running completed
event 3000 activity '"activity":"completed"'
hold asks over works old

exit_is 0 'since one hour' afw since 1h
printf '%s\n' "$out" >"$T/page"
like "$(head -n 1 "$T/page")" ': 2 finished, 1 waiting, 1 failed, 1 check passed, 1 check failed, 2 commits, \$1.50$' \
	'the first line counts'
is "$(head -n 2 "$T/page" | tail -n 1 | tr -s ' ')" \
	'NAME STATE FOR TURNS CHECKS COMMITS CHANGES COST SAYS' 'a table follows'
is "$(tail -n +3 "$T/page" | cut -d' ' -f1 | head -n 4 | paste -sd' ')" \
	'asks broken over works' 'sessions with an event, those that need the user first'
like "$out" $'\nover +done +[0-9]+s +1 +1 of 2 +2 +- +\$0.25 +All [?]\[31mdone.' \
	'with its turns, checks, commits and last words'
like "$out" $'\nworks +working +[0-9]+s +1 +0 +-' 'and without'
exit_is 0 'as a line' afw since --line 1h
like "$out" '^Since ..:..: 2 finished, 1 waiting, 1 failed; `afw since ..:..` shows more$' \
	'it has no more than the numbers'
exit_is 0 'by the clock' afw since "$(date -d '-1 hour' +%H:%M)"
is "$(tail -n +3 <<<"$out" | cut -d' ' -f1)" "$(tail -n +3 "$T/page" | cut -d' ' -f1)" \
	'are the same'
exit_is 0 'an exact time' afw since "$(minutes_ago 35)" --json
is "$(json sessions.0.name)" over 'has a session'
nok_cmd 'and one only' json_has sessions.1
is "$(of over turns) $(of over checks) $(of over checks_passed) $(of over outcome)" \
	'0 1 1 other' 'with one event'
exit_is 0 'both files of a history' afw since 6h --json
is "$(of over turns) $(of over checks) $(of over checks_passed) $(of over outcome)" \
	'3 3 1 finished' 'are read'
is "$(of halted outcome) $(of ended outcome) $(of works outcome) $(of asks outcome)" \
	'other finished other waiting' 'stopped and working sessions have not finished'
is "$(json never_left) $(json finished) $(json waiting) $(json failed)" \
	'false 2 1 1' 'and counts'
exit_is 0 'some days' afw since 3d
like "$out" '^In the last 3d: 3 finished' 'are a number of days'

# since the dashboard was left
exit_is 0 'the default' afw since
like "$out" '^In the last 24h: 2 finished.* \(the dashboard was never left\)' \
	'is a day if it was never left'
touch -d '45 minutes ago' "$DATA/dashboard.left"
exit_is 0 'else' afw since
like "$out" '^Since ..:..: 1 finished, 1 check' 'the time when it was left'
run afw since --json
before=$(json since)
exit_is 0 'which has a name' afw since - --json
is "$(json since)" "$before" 'of its own time'
touch "$DATA/dashboard.left"
exit_is 0 'just now' afw since
like "$out" '^Since ..:..: nothing happened$' 'nothing has happened'

for time in soon 25:00 14:30x 5x '' "$(date -u -d "1 hour" +%FT%TZ)"; do
	refused 2 "is not a time in the past.*for example 30m" "'$time' is refused" \
		afw since "$time"
done
chmod 000 "$dir/events.jsonl"
[ "$(id -u)" = 0 ] || exit_is 1 'a history that cannot be read' afw since 1h
release_locks
rm -r "$DATA/sessions"

# real ones
seq 1 9 >lines
git add lines && git commit -qm lines
for name in one two gone; do
	run afw new "$name" --no-start -- cat
done
for name in one two; do
	sed -i "3s/.*/$name/" "$T/.af_worktrees/repo-$name/lines"
	git -C "$T/.af_worktrees/repo-$name" commit -qam "$name"
	run afw start "$name"
	run afw stop "$name"
done
touch "$T/.af_worktrees/repo-gone/new"
exit_is 0 'one is removed' afw rm --trash gone
exit_is 0 'for real sessions' afw since 1h
like "$out" ': 2 commits, 1 removed' 'commits and the removed one are counted'
like "$out" $'\none conflicts with two\ngone is in the trash$' 'and named'
exit_is 0 'as JSON' afw since 1h --json
is "$(json conflicts.0.a) $(json conflicts.0.b) $(json conflicts.0.repository) $(json removed.0)" \
	"one two $T/repo gone" 'they are there'
done_testing
