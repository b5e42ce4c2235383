#!/bin/bash
# A service that is not ready: the start fails, prints why with the last output,
# and leaves no process.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
ini=$XDG_CONFIG_HOME/afw/afw.ini
mkdir -p "${ini%/*}"
# services TEXT: after a service that runs.
services()
{
	printf 'stop_timeout = 1s\n[service.good]\ncommand = sh -c "%s"\n%s\n%b' \
		"echo \$\$ >$T/good; echo good; exec sleep 1000" \
		'ready = log:good' "$1" >"$ini"
}
nothing_left()
{
	ok_cmd 'a service that was ready before is ended' has_ended "$(cat "$T/good")"
	is "$(afw ls --json)" '[]' 'no session is left'
	is "$(git -C "$T/repo" branch --list 'af/*')" '' 'and no branch'
}

services '[service.db]\ncommand = sh -c "echo one; echo cannot bind; exit 3"
ready = delay:1h\n'
refused 1 "service 'db' exited with code 3 before it was ready: cannot bind" \
	'a service that ends' afw new one -- cat
like "$err" $'hint: `cat [^`]*` prints .*:\n  one\n  cannot bind$' \
	'shows its last lines and the command that shows all'
exit_is 0 'which works' sh -c "$(sed -n 's/^hint: `\(.*\)`.*/\1/p' <<<"$err")"
is "$out" $'one\ncannot bind' 'though the session is gone'
nothing_left
services '[service.db]\ncommand = sh -c "seq 1 99; exit 3"\nready = delay:1h\n'
refused 1 'before it was ready: 99' 'a service that prints much' afw new one -- cat
is "${err#*:$'\n'}" "$(seq -f '  %g' 92 99)" 'its last lines'
services '[service.db]\ncommand = sh -c "exit 3"\nready = delay:1h\n'
exit_is 1 'a service that prints nothing' afw new one -- cat
like "$err" $'before it was ready\nhint: it printed nothing' 'says so'
services '[service.db]\ncommand = sh -c "echo begins; sleep 1000"
ready = log:never\nready_timeout = 300ms\n'
refused 1 "service 'db' was not ready within 300 ms \(log:never\): begins" 'a late service' \
	afw new one -- cat
nothing_left
services '[service.db]\ncommand = sleep 1000\nready = log:never\nready_timeout = 300ms\n'
refused 1 'not ready within 300 ms.*hint: it printed nothing; .afw config -v service.db.ready' \
	'a late and silent service' afw new one -- cat
nothing_left
services '[service.db]\ncommand = /no/such/program\n'
refused 1 "afw: new 'one', rolled back: service 'db' could not run /no/such/program: No such file" \
	'a missing one' afw new one -- cat
like "$err" 'hint: `afw config -v service.db.command` prints what is run' 'with what helps'
is "$(afw config -v service.db.command | head -1)" \
	'service.db.command = /no/such/program' 'which it does'
nothing_left
services '[service.db]\ncommand = sh -c "sleep 1000 & echo away"\nready = delay:1h\n'
refused 1 "'db' exited with code 0 .it must stay in the foreground: 1 .*: away" \
	'a service that forks into the background' afw new one -- cat
nothing_left

perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 1,
	LocalAddr => "127.0.0.1"); open F, ">", shift;
	print F $s->sockport; close F; sleep 1000' "$T/port" &
taken=$!
wait_for '[ -s "$T/port" ]'
services "[service.db]\ncommand = touch $T/ran\nready = tcp:$(cat "$T/port")\n"
refused 1 "service 'db': port $(cat "$T/port") is already taken" \
	'one whose port is taken' afw new one -- cat
nok_cmd 'is not run' test -e "$T/ran"
nothing_left
kill "$taken"
wait "$taken" 2>/dev/null

services '[service.db]\ncommand = sleep 1000\n'
refused 1 'run /no/agent' 'an agent that cannot be run' afw new one -- /no/agent

# Ctrl-C, stop and a signal while one is waited for.
services "[service.db]\ncommand = sh -c 'echo \$\$ >$T/db; exec sleep 1000'
ready = log:never\n"
rm -f "$T/db"
afw new one -- cat >/dev/null 2>&1 &
new=$!
wait_for '[ -s "$T/db" ]'
kill -INT "$new"
ends_with 130 "$new" 'an interrupted new'
ok_cmd 'ends what is waited for' has_ended "$(cat "$T/db")"
nothing_left

services "[service.db]\ncommand = sh -c 'echo \$\$ >$T/db; test -e $T/well && echo well; exec sleep 1000'
ready = log:well\n"
touch "$T/well"
exit_is 0 'a session whose service is ready' afw new one -- cat
exit_is 0 'stopped' afw stop one
rm "$T/well" "$T/db"
afw start one >"$T/start" 2>&1 &
start=$!
wait_for '[ -s "$T/db" ]'
refused 4 "suspend 'one': session 'one' is being started" 'suspend while it waits' \
	afw suspend one
run afw stop one
is "$code" 0 'stop while it waits'
ends_with 1 "$start" 'ends the start'
like "$(<"$T/start")" 'stopped while it was starting' 'which says why'
like "$(afw logs one --service db)" 'well' 'its log is kept'
is "$(state_of one phase)" error 'it is in error'
like "$(state_of one error_reason)" 'stopped while' 'for that reason'
ok_cmd 'and its service has ended' has_ended "$(cat "$T/db")"

rm "$T/db"
afw start one >"$T/start" 2>&1 &
start=$!
wait_for '[ -s "$T/db" ] && [ "$(state_of one phase)" = starting ]'
kill -TERM "$(state_of one supervisor_pid)"
ends_with 1 "$start" 'a supervisor that gets SIGTERM'
like "$(state_of one error_reason)" 'lost: its supervisor was ended' 'loses it'
ok_cmd 'and ends its service' has_ended "$(cat "$T/db")"
touch "$T/well"
exit_is 0 'which is restored with the others' afw resume --all
exit_is 0 'and goes' afw rm --stop one

# One that is kept has its logs.
services "[service.db]\ncommand = sh -c 'echo begins; cat $T/well && exec sleep 1000'
ready = log:ready to go\n"
echo ready to go >"$T/well"
exit_is 0 'another' afw new two -- cat
exit_is 0 'stop' afw stop two
rm "$T/well"
refused 1 "'db' exited with code 1" 'a service that fails at a later start' afw start two
like "$err" $'hint: `afw logs --service db two` [^\n]*\n  begins\n  cat: ' \
	'shows its last lines, of this start, and the command for all'
exit_is 0 'which works' afw logs --service db two
like "$out" $'begins\nready to go\nbegins\ncat: ' 'and prints those before, too'
like "$(afw status two)" 'why +service .db. exited.*afw logs --service db two' 'status says why it failed'
exit_is 0 'rm' afw rm two
done_testing
