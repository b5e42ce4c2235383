#!/bin/bash
# No process of the harness's tree survives a stop or its own end; exit codes
# and signals are recorded.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'stop_timeout = 1s' >"$XDG_CONFIG_HOME/afw/afw.ini"

# Children in every way there is to get away: each writes its pid.
cat >"$T/tree" <<'END'
#!/bin/bash
[ "$2" != stubborn ] || trap '' TERM HUP INT
note='echo $$ >>"$0"; while :; do sleep 1000; done'
export TRAP="$2"
setsid bash -c "$note" "$1" </dev/null >/dev/null 2>&1 &
(setsid bash -c "(bash -c '$note' \"\$0\" &) &" "$1" </dev/null >/dev/null 2>&1 &)
nohup bash -c "$note" "$1" </dev/null >/dev/null 2>&1 &
env -i PATH="$PATH" setsid bash -c "$note" "$1" </dev/null >/dev/null 2>&1 &
bash -c "echo \$\$ >>\"\$0\"; kill -STOP \$\$; sleep 1000" "$1" &
echo $$ >>"$1"
[ "$2" != leaves ] || { until [ "$(wc -l <"$1")" = 6 ]; do sleep 0.02; done; exit 3; }
while :; do sleep 1000; done
END
chmod +x "$T/tree"
lives() { grep -qs '^State:.*[RSDTt] (' "/proc/$1/status"; }
living()
{
	local p n=0
	for p in $(<"$T/pids"); do
		! lives "$p" || n=$((n + 1))
	done
	echo "$n"
}
up() { waits_for '[ "$(wc -l <"$T/pids")" = 6 ]' "$1"; }

: >"$T/pids"
exit_is 0 'a harness with a tree' afw new tree -- "$T/tree" "$T/pids" meek
up 'is up, with all of its children'
exit_is 0 'stop' afw stop tree
is "$(living)" 0 'leaves none of them running'
is "$out" 'tree: stopped' 'and says so'
exit_is 0 'status' afw status tree --json
is "$(json phase) $(json signal) $(json exit_code)" 'stopped 15 null' \
	'as the state does, with the signal'
run afw status tree
unlike "$out" 'signal|exit code' 'but what afw did itself is no news'
like "$out" $'ended +stopped\n' 'to status'
like "$(afw ls)" 'stopped .* [+]0 -0 *$' 'to ls'
like "$(afw events tree --json)" '"signal":"SIGTERM","asked":true' 'or to events'

: >"$T/pids"
exit_is 0 'a process that ignores TERM' \
	afw new stubborn -- "$T/tree" "$T/pids" stubborn
up 'is up'
start=$(now_ms)
exit_is 0 'stop' afw stop stubborn
took=$(($(now_ms) - start))
is "$(living)" 0 'kills all of it'
[ "$took" -ge 950 ] && [ "$took" -lt $((30000 * AFW_SLOW)) ]
ok $? "after stop_timeout ($took ms)"
exit_is 0 'status' afw status stubborn --json
is "$(json phase) $(json signal)" 'stopped 9' 'KILL is recorded'
: >"$T/pids"
exit_is 0 'start' afw start stubborn
up 'it is up again'
exit_is 0 'stop' afw stop -t 0 stubborn
is "$(living)" 0 'kills it again'
# Only a process that ignores TERM gets the HUP: that one cleans up until then.
exit_is 0 'one that handles TERM, beside one that ignores it' afw new cleans -- bash -c '
	bash -c "trap \"\" TERM; trap \"touch \$0/hup; exit\" HUP
		touch \$0/up; while :; do sleep 0.02; done" "$0" &
	trap "until [ -e $0/hup ]; do sleep 0.02; done; touch $0/cleaned; exit 0" TERM
	while :; do sleep 0.02; done' "$T"
waits_for '[ -e "$T/up" ]' 'is up'
exit_is 0 'stop' afw stop -t 4s cleans
ok_cmd 'hangs up the one, and lets the other clean up' test -e "$T/cleaned"
is "$out" 'cleans: stopped (exit code 0)' 'which is not killed'

echo 'stop_timeout = 4m' >"$XDG_CONFIG_HOME/afw/afw.ini"
: >"$T/pids"
exit_is 0 'one with a long grace' \
	afw new patient -- "$T/tree" "$T/pids" stubborn
up 'is up'
exit_is 0 'stop -t 0' timeout 60 afw stop -t 0 patient
is "$out" 'patient: stopped (killed)' 'says how'
is "$(living)" 0 'kills at once, without grace'
exit_is 0 'again' afw stop patient
like "$out" 'was already stopped' 'says so'
exit_is 0 'and it is free' afw rm patient
echo 'stop_timeout = 1s' >"$XDG_CONFIG_HOME/afw/afw.ini"

: >"$T/pids"
exit_is 0 'a harness that ends by itself' afw new leaves -- "$T/tree" "$T/pids" leaves
exit_is 0 'wait' afw wait leaves --for error --timeout 240s
waits_for '[ "$(living)" = 0 ]' 'takes its children along'
exit_is 0 'status' afw status leaves --json
is "$(json phase) $(json exit_code)" 'error 3' 'its exit code is recorded'
like "$(json error_reason)" 'exited with code 3' 'in words too'
: >"$T/pids"
exit_is 0 'a harness that is killed' afw new dies -- sh -c 'kill -SEGV $$'
exit_is 0 'wait' afw wait dies --for error --timeout 240s
exit_is 0 'status' afw status dies --json
is "$(json phase) $(json signal)" 'error 11' 'its signal is recorded'
exit_is 0 'a harness that is done' afw new done -- true
exit_is 0 'wait' afw wait done --for stopped --timeout 240s
exit_is 0 'status' afw status done --json
is "$(json phase) $(json exit_code) $(json error_reason)" 'stopped 0 null' \
	'code 0 is no error'

# A child that forks while it is being killed.
exit_is 0 'a fork bomb, a small one' afw new forks -- bash -c \
	'trap "" TERM HUP; while :; do (trap "" TERM HUP; sleep 0.2; sleep 1000) & sleep 0.01; done'
wait_for 'afw capture forks'
exit_is 0 'stop' afw stop forks
run pgrep -f 'sleep 1000'
is "$(for p in $out; do grep -lszxF "AF_TEST_ID=$T" "/proc/$p/environ"; done)" '' \
	'leaves no process'

# Trees that outrun a look at /proc: each process is another one by the time
# that it is signalled. Stopped is what nothing is left of.

beyond()
{
	: >"$T/ran"
	exit_is 0 "an agent that outruns: $*" afw new outrun "${@:3}" -- \
		"$BUILD/tests/tools/outrun" "$T/ran" "$1" "$2"
	waits_for '[ "$(wc -l <"$T/ran")" -gt 300 ]' 'is on its way'
	exit_is 0 'stop' timeout 60 afw stop outrun
	is "$(pgrep -c -f "outrun $T/ran")" 0 "$*: leaves nothing"
	exit_is 0 "and is free" afw rm outrun
}
# One chain each: more of them use up the machine's process numbers, which the
# tests beside this one need (outrun.c has storms, for a machine of one's own).
beyond chain 1
beyond sessions 1
! command -v tmux >/dev/null || beyond sessions 1 --backend tmux
: >"$T/ran"
exit_is 0 'a harness that kills its guard' afw new outrun -- sh -c \
	'trap "" TERM; until [ -e "$1.go" ]; do sleep 0.02; done
	kill -9 $PPID; exec "$0" "$@"' "$BUILD/tests/tools/outrun" "$T/ran" \
	chain 1
touch "$T/ran.go"
exit_is 0 'is over' afw wait outrun --for error --timeout 240s
is "$(pgrep -c -f "outrun $T/ran")" 0 'leaves nothing either'

# A process that cannot be killed is reported: here root may not kill.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	exit_is 0 'a process that cannot be killed' setpriv --bounding-set=-kill \
		"$BUILD/afw" new beyond -- sh -c 'setsid setpriv --reuid 65534 \
			--clear-groups sleep 1003 & echo $! >"$0"; cat' "$T/beyond"
	wait_for '[ -s "$T/beyond" ]'
	refused 7 '1 of its processes could not be killed' 'stop' \
		timeout 60 afw stop beyond -t 0
	exit_is 0 'status' afw status beyond --json
	like "$(json degraded.0)" 'could not be killed' 'and the status says so'
	kill -9 "$(cat "$T/beyond")"
else
	skip 4 'needs root'
fi
done_testing
