#!/bin/bash
# Supervisors whose data directory was deleted are named with their pids, and
# `afw stop --all` ends them, and every running session; no other process.
. "$(dirname "$0")/../lib.sh"
# In a pid namespace: other tests have supervisors of this user.
if [ -z "${AF_TEST_INNER-}" ]; then
	unshare -mpf --mount-proc true 2>/dev/null ||
		skip_all 'no pid namespace can be made here'
	AF_TEST_INNER=1 exec unshare -mpf --mount-proc bash "$0"
fi
afw_env
make_repo "$T/repo"
mkdir -m 700 "$T/run2"
cd "$T/repo" || exit 2
# supervisor NAME, agent NAME: its pid
supervisor() { state_of "$1" supervisor_pid; }
agent() { state_of "$1" pid; }
is_running() { grep -s '^State:' "/proc/$1/status" | grep -qv zombie; }

exit_is 0 'nothing is running' afw stop --all
is "$out" '' 'nothing is printed'
exit_is 0 'new a' afw new a -- cat
exit_is 0 'new b' afw new b -- cat
exit_is 0 'new in another data directory' env AF_DATA_DIR="$T/other" \
	XDG_RUNTIME_DIR="$T/run2" afw new c -- cat
c=$(AF_DATA_DIR=$T/other supervisor c)
refused 2 'takes no name' 'a name' afw stop --all a
exit_is 0 'an agent' afw new d -- sh -c "afw stop --all >'$T/said' 2>&1; echo \$? >'$T/code'; cat"
waits_for '[ -s "$T/code" ]' 'it tries to stop all'
like "$(cat "$T/code" "$T/said")" '^9.*not for what runs in a session' 'and is refused'
exit_is 0 'all' afw stop --all
like "$out" $'a: stopped.*b: stopped' 'the sessions are stopped'
ok_cmd 'another data directory is left alone' is_running "$c"

afw start a b >/dev/null
pid=$(supervisor a) second=$(supervisor b) agent=$(agent a)
ok_cmd 'they are running' is_running "$pid"
run afw reconcile --json
unlike "$out" supervisor_left 'while their files exist, they are in order'
rm -rf "$DATA"
run afw ls
like "$err" "process $pid runs a session whose files.*hint: .afw stop --all" 'ls names one'
like "$err" "process $second runs" 'and the other'
unlike "$err" "process $c " 'but not that of another data directory'
run afw reconcile --json
like "$out" "\"kind\":\"supervisor_left\"[^}]*\"pid\":$pid," 'reconcile reports it, too'
is "$(grep -o '"kind":"[a-z_]*"' <<<"$out" | grep -c supervisor_left)" 2 'each once'
unlike "$out" 'outlived its supervisor' 'nothing else is reported of them'
# A user who runs afw again has a data directory again.
mkdir -p -m 700 "$DATA"
run afw reconcile
like "$out" "process $pid runs a session whose files.*afw stop --all" 'also with a new one'
# The other one's was deleted, too.
rm -rf "$T/other"
exit_is 0 'stop --all' afw stop --all
for p in $pid $second $c; do
	like "$out" "process $p: stopped" "says that $p was stopped"
	nok_cmd 'it is gone' is_running "$p"
done
waits_for '! is_running "$agent"' 'its agent is ended, too'
run afw reconcile --json
unlike "$out" 'supervisor_left' 'reconcile finds none'
exit_is 0 'once more' afw stop --all
is "$out" '' 'nothing to do'

# It wrote a file there while the others were deleted.
afw new e -- cat >/dev/null
pid=$(supervisor e) dir=$(session_dir e)
find "$dir" -mindepth 1 ! -name state.json -delete
exit_is 0 'one of which a file is left' afw stop --all
like "$out" "process $pid: stopped" 'is stopped, too'
nok_cmd 'it is gone' is_running "$pid"

# --- of another user ----------------------------------------------------------
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir -m 755 "$T/fake"
	chmod 755 "$T"
	cp "$BASH" "$T/fake/afw-supervisor"
	mkfifo -m 666 "$T/fake/fifo"
	echo 'read x <>fifo' >"$T/fake/run"
	cd "$T/fake" || exit 2
	gone=/gone/sessions/0123456789abcdef0123456789abcdef
	setpriv --reuid 12345 --clear-groups ./afw-supervisor run $gone &
	theirs=$!
	./afw-supervisor run $gone &
	waits_for '[ "$(cat /proc/{$theirs,$!}/comm | sort -u)" = afw-supervisor ]' 'both run'
	exit_is 0 'stop --all with two users' afw stop --all
	is "$out" "process $!: stopped" 'ends ours alone'
	ok_cmd 'the other is running' is_running $theirs
	kill $theirs
else
	skip 4 'only root can start processes of another user'
fi
done_testing
