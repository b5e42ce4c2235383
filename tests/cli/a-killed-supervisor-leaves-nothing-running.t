#!/bin/bash
# kill -9 of a supervisor and of its guard: the session is lost at once, the
# others continue, and processes of its harness end with the next start, stop or
# rm.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'stop_timeout = 1s' >"$XDG_CONFIG_HOME/afw/afw.ini"

# One that ignores all that can be ignored, with a child in a session of its
# own and one that is stopped.
cat >"$T/stubborn" <<'END'
#!/bin/bash
trap '' HUP TERM INT
setsid sleep 1000 </dev/null >/dev/null 2>&1 &
echo $! >>"$1"
bash -c 'kill -STOP $$; sleep 1000' </dev/null >/dev/null 2>&1 &
echo $! >>"$1"
echo $$ >>"$1"
while :; do sleep 1000; done
END
chmod +x "$T/stubborn"
field() { run afw ls --json; json "$(index "$1").$2"; }
index()
{
	local i=0
	while json_has "$i.name"; do
		[ "$(json "$i.name")" != "$1" ] || { echo "$i"; return; }
		i=$((i + 1))
	done
}
lives() { grep -qs '^State:.*[RSDT] (' "/proc/$1/status"; }
any_lives()
{
	local p
	# The last life's: who was one before may be anybody now.
	for p in $(tail -n 3 "$T/pids"); do
		! lives "$p" || return 0
	done
	return 1
}
# lose NAME: kill -9 of its supervisor, and of the guard that would end what it
# leaves behind (one-death-costs-one-session.t).
lose()
{
	local pid guard
	pid=$(field "$1" supervisor_pid)
	guard=$(cut -d' ' -f4 "/proc/$(field "$1" pid)/stat")
	kill -KILL "$pid" "$guard"
	wait_for "! lives $pid"
}

exit_is 0 'another session' afw new other -- cat
exit_is 0 'a session' afw new one -- "$T/stubborn" "$T/pids"
wait_for '[ "$(wc -l <"$T/pids")" = 3 ]'
lose one
is "$(field one phase)" error 'ls says at once that it is lost'
like "$(field one error_reason)" '^lost: .*while the session was running' \
	'and why'
is "$(field one supervisor_pid)" null 'with no process'
is "$(field other phase)" running 'the other one runs'
exit_is 0 'and answers' afw capture other
refused 6 'not running .failed: lost:' 'attach says that it is not running' \
	afw send one hello
ok_cmd 'the process that it left is running' any_lives
exit_is 0 'start' afw start one
is "$(field one phase)" running 'starts it again'
old=$(head -n 3 "$T/pids")
for pid in $old; do
	nok_cmd "process $pid of the earlier run is gone" lives "$pid"
done
wait_for '[ "$(wc -l <"$T/pids")" = 6 ]'

lose one
# Who merely has the variable, in the user's own shell, is not the session's.
AF_SESSION_ID=$(field one id) sleep 1000 &
mine=$!
wait_for 'grep -qsz AF_SESSION_ID "/proc/$mine/environ"'
unlike "$(afw reconcile --json)" "\"pid\":${mine}[,}]" 'another process with the mark is not its own'
exit_is 0 'resume' afw resume one
ok_cmd 'and is not ended with it' lives "$mine"
kill "$mine"
is "$(field one phase)" running 'works as well'
wait_for '[ "$(wc -l <"$T/pids")" = 9 ]'

lose one
ok_cmd 'again something is left' any_lives
exit_is 0 'stop ends it' afw stop one
nok_cmd 'all of it' any_lives
exit_is 0 'start' afw start one
wait_for '[ "$(wc -l <"$T/pids")" = 12 ]'

lose one
exit_is 0 'rm takes it away' afw rm one
nok_cmd 'with all that it left' any_lives
run afw ls --json
is "$(index one)" '' 'it is no more'
is "$(field other phase)" running 'the other one still runs'

# The usual harness ends by itself when its terminal goes.
exit_is 0 'a polite one' afw new polite -- sh -c 'echo $$ >"$0"; sleep 1000' \
	"$T/pids"
wait_for '[ -s "$T/pids" ]'
lose polite
waits_for '! any_lives' 'ends with its supervisor'

# One in which afw itself runs does not end itself.
exit_is 0 'a shell' afw new shell -- bash --norc
pid=$(field shell pid)
lose shell
wait_for "! lives $pid"
exit_is 0 'afw under a process with the mark' \
	env "AF_SESSION_ID=$(field shell id)" \
	bash -c 'afw start shell >/dev/null && echo survived'
is "$out" survived 'is spared, and what it runs under'
exit_is 0 'stop all' afw stop shell other
done_testing
