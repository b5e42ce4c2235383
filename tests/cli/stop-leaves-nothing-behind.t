#!/bin/bash
# stop: several sessions, stopped processes, a full disk;
# supervisor-ends-the-whole-tree.t tests the agent's tree.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
refused 3 'no session' 'unknown' afw stop nobody
run afw new a -- cat
run afw new b -- cat
exit_is 3 'one of several is unknown' afw stop a nobody b
is "$(json 0.phase <(afw ls --json))" stopped \
	'the others are stopped'
is "$(json 1.phase <(afw ls --json))" stopped 'both'
exit_is 0 'as JSON' afw stop a --json
is "$(json phase)" stopped 'the session'
# Who is to tell of its end is stopped, by the agent itself perhaps.
run afw new held -- cat
run afw status held --json
kill -STOP "$(awk '/^PPid:/ { print $2 }' "/proc/$(json pid)/status")"
exit_is 0 'its guard is stopped' timeout 60 afw stop held --timeout 300ms
like "$out" '^held: stopped' 'it is not waited for'

# A process that it started ends a second later; nothing else tells of that.
cat >"$T/slow" <<'END'
trap '' HUP
trap 'sleep 1; exit' TERM
touch "$1"
while :; do sleep 0.1; done
END
for backend in pty tmux; do
	[ "$backend" = pty ] || command -v tmux >/dev/null || continue
	run afw new "$backend" --backend "$backend" -- sh -c "sh '$T/slow' '$T/$backend' &
		trap 'exit 0' TERM; while :; do sleep 0.1; done"
	wait_for '[ -e "$T/$backend" ]'
	exit_is 0 "$backend: one that ends later" timeout $((10 * AFW_SLOW)) \
		afw stop "$backend" --timeout 200s
	like "$out" 'stopped \(exit code 0\)' 'is waited for, no longer'
done

# On a full disk (the mount is seen below this one process alone).
mkdir "$T/small"
cat >"$T/full" <<'END'
mount -t tmpfs -o size=1m tmpfs "$1" || exit 77
export AF_DATA_DIR=$1/afw
fill() { cat /dev/zero >>"$1/fill" 2>/dev/null; }
exec 2>&1
afw new full -- cat && fill "$1" && exit 1
echo "stop: $(afw stop full)"
afw resume --all
rm "$1/fill"
afw start full
afw new ends -- sh -c 'read x; exit 7'
fill "$1"
afw send ends --keys Enter
afw wait ends --for error --timeout 20s
afw status ends --json | grep -o '"exit_code":[0-9]*'
rm "$1"/afw/sessions/*/state.room
fill "$1"
afw stop full
echo "code $?"
rm "$1/fill"
afw rm -s full ends
END
run unshare -m bash "$T/full" "$T/small"
if [ "$code" != 77 ] && [[ $err != *unshare* ]]; then
	like "$out" 'stop: full: stopped' 'stop on a full disk'
	like "$out" 'no session is suspended or was lost' \
		'stopped sessions stay stopped'
	like "$out" '"exit_code":7' 'an exit code is kept'
	like "$out" 'could not be written down: .*No space.*code 1' \
		'if even that is impossible, stop reports it'
	like "$out" 'full: removed.*ends: removed' 'and everything continues'
else
	skip 5 'cannot mount'
fi
done_testing
