#!/bin/bash
# exec -n: a named command in the background, in the session's sandbox. Its
# output is kept and can be followed; it is ended by its name, and with its
# session.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
W=$T/.af_worktrees/repo-one

exit_is 0 'a session' afw new one -e TOKEN=hidden -- cat
exit_is 0 'a shell' env HERE=here afw exec -n build one -- sh -c \
	'echo "first $PWD $HERE$TOKEN" >&2; read -r x; echo "eof $?"; sleep 1000'
like "$out" '^one: build runs, pid [0-9]+$' 'is reported'
pid=${out##* }
waits_for 'afw exec -n build one | grep -q eof' 'its output is kept'
run afw exec -n build one
is "$out" "first $W here"$'\n''eof 1' \
	'standard error too, in the worktree, from the environment here, without secrets'
is "$(afw logs --service build one)" "$out" 'as of a service'
like "$(afw status one)" "service +build: ready for .*, pid $pid" \
	'status shows it'
refused 4 "'build' is there already" 'a name is taken' \
	afw exec -n build one -- true
refused 1 'could not run no-such-command' 'a command that is not there' \
	afw exec -n other one -- no-such-command
refused 2 'letters, digits' 'an invalid name' afw exec -n a/b one -- true
refused 3 "no shell 'nothing'" 'a missing one' \
	afw exec -n nothing -k one
refused 3 "no service 'nothing'" 'prints nothing' afw exec -n nothing one
refused 2 'is only for --name' 'to end it needs a name' afw exec -k one
refused 2 'with --name' 'it has no deadline' \
	afw exec -n x -t 1s one -- true

exit_is 0 'end it' afw exec -n build -k one
is "$out" 'one: build is ended' 'says so'
ok_cmd 'it is' has_ended "$pid"
refused 6 'has ended' 'not twice' afw exec -n build -k one
exit_is 0 'the name again, followed' afw exec -n build -f one -- \
	sh -c 'echo second; sleep 0.3; echo third; exit 3'
like "$out" $'eof 1\nsecond\nthird$' 'to its end, behind what was there'
like "$(afw status one)" 'build: exited .*exited with code 3' \
	'how it ended is kept'
exit_is 0 'a command that does not end' afw exec -n stays one -- sh -c \
	'trap "" TERM; echo up; while :; do sleep 1 & wait $!; done'
waits_for 'afw exec -n stays one | grep -q up' 'it is up'
exit_is 0 'restart' afw restart -t 300ms one -e TOKEN=hidden
unlike "$(afw status one)" stays 'ends it with the session'
waits_for '! pgrep -f "trap .* TERM; echo up" >"$T/null"' 'and its tree'
is "$(afw exec -n stays one)" up 'its output is still there'
for n in {1..16}; do
	afw exec -n "n$n" one -- sleep 1000.$$ >"$T/null" || break
done
is "$n" 16 'that many may run'
refused 5 '16 services and shells' 'and no more' afw exec -n n17 one -- true
exit_is 0 'one is ended' afw exec -n n3 -k one
exit_is 0 'there is room again' afw exec -n n17 one -- sh -c \
	'head -c 3000000 /dev/zero | tr "\0" "x" | fold -w 80; echo over'
waits_for 'grep -q over "$(session_dir one)/service-n17.log"' 'it prints much'
ok "$(($(cat "$(session_dir one)"/service-n17.log* | wc -c) > 2300000))" \
	'the kept output is bounded'
exit_is 0 'stop' afw stop one
waits_for '! pgrep -fx "sleep 1000.$$" >"$T/null"' 'ends all of them'
refused 6 'not running' 'no other starts then' afw exec -n n1 one -- true

if afw doctor --json | grep -q '"sandbox landlock","result":"ok"'; then
	exit_is 0 'in landlock' afw new safe --sandbox landlock -- cat
	exit_is 0 'a shell' afw exec -n out safe -- sh -c \
		'cd / && echo no >"$0/escaped"; echo in >"$AF_WORKTREE/in"; echo over' \
		"$T"
	waits_for 'afw exec -n out safe | grep -q over' 'within its sandbox'
	ok "$([ ! -e "$T/escaped" ] && [ -e "$T/.af_worktrees/repo-safe/in" ]; echo $?)" \
		'writes in its worktree alone'
	exit_is 0 'stop' afw stop safe
fi
done_testing
