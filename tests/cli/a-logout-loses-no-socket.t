#!/bin/bash
# The control socket is among the session's files: a session can be reached
# whatever happens to the runtime directory, and however long the path is.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

exit_is 0 'a session' afw new one -- cat
exit_is 0 'status' afw status one --json
supervisor=$(json supervisor_pid) sock=$DATA/sessions/$(json id)/control
ok_cmd 'its socket is there' test -S "$sock"
is "$(stat -c %a "$sock")" 600 'for no other user'

mkdir -m 700 "$T/other"
exit_is 0 'with another XDG_RUNTIME_DIR (cron, su) it is reached' \
	env XDG_RUNTIME_DIR="$T/other" afw send --keys one h e l l o Enter
waits_for 'afw capture one | grep -q hello' 'and types'

# As a logout leaves it: empty, then gone.
afw events one -f >"$T/events" 2>&1 &
follower=$!
wait_for '[ -s "$T/events" ]'
rm -rf "$RUN"
exit_is 0 'the runtime directory was emptied: capture' afw capture one
like "$out" hello 'is its screen'
mv "$T/run" "$T/run.gone"
exit_is 0 'it is gone: capture' afw capture one
exit_is 0 'a key' afw send --keys one Enter
exit_is 0 'reconcile' afw reconcile
is "$out" 'everything is as it is recorded' 'has nothing to say'
exit_is 0 'stop' afw stop one
exit_is 0 'start' afw start one
mv "$T/run.gone" "$T/run"
exit_is 0 'once it is there again: capture' afw capture one
ok_cmd 'a client that followed its events still does' kill -0 "$follower"
kill "$follower"
wait "$follower" 2>/dev/null

# Who deletes the socket itself has cut the session off.
exit_is 0 'status' afw status one --json
supervisor=$(json supervisor_pid)
rm "$sock"
for cmd in 'capture one' 'send one hello' 'stop one'; do
	refused 1 "control socket .*/control was deleted.*hint: .kill $supervisor. ends it" \
		"its socket was deleted: $cmd" timeout 60 afw $cmd
done
kill "$supervisor"
waits_for '! kill -0 "$supervisor" 2>/dev/null' 'the hint ends it'
exit_is 0 'and it starts again' afw start one
exit_is 0 'rm' afw rm --stop one
is "$(find "$RUN" "$DATA" -type s)" '' 'no socket is left'

# Longer than a socket's address can be (108 bytes, unix(7)).
export AF_DATA_DIR=$DATA/$(printf 'd%.0s' {1..100})/$(printf 'e%.0s' {1..100})
exit_is 0 'new in a data directory with a long path' afw new two -- cat
exit_is 0 'a key' afw send --keys two l o n g Enter
waits_for 'afw capture two | grep -q long' 'reaches it'
exit_is 0 'rm' afw rm --stop two
unset AF_DATA_DIR

# Its file system has no sockets: before anything is made.
if "$BUILD/tests/tools/fault_at" -x true -r "$T" -- true; then
	# LeakSanitizer does not work in a process that is traced.
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 \
		run "$BUILD/tests/tools/fault_at" -x afw -n 1 -e EACCES -c bind \
		-r "$DATA" -- afw new three -- cat
	is "$code" 1 'a data directory that can have no sockets'
	like "$err" '^afw: .*/control: .*hint: .*set AF_DATA_DIR to a directory' \
		'is one clear error'
	is "$(afw ls -q; ls "$DATA/sessions"; git branch --list 'af/three')" '' \
		'and nothing is left of it'
else
	skip 3 'tracing is impossible here'
fi

if command -v tmux >/dev/null; then
	exit_is 0 'one in tmux' afw new --backend tmux two -- cat
	rm -rf "$RUN"
	exit_is 0 'without the socket of its tmux server: capture' afw capture two
	waits_for 'afw send --keys two i n t m u x Enter &&
		within 2 "afw capture two | grep -q intmux"' \
		'takes keys: the server makes one when it is missed'
	exit_is 0 'rm' afw rm --stop two
else
	skip 4 'tmux is not installed'
fi

# Two that do not answer do not delay the third.
stopped=()
for name in one three four; do
	afw new $name -- cat >/dev/null
	run afw status $name --json
	[ $name = one ] || stopped+=("$(json supervisor_pid)")
done
kill -STOP "${stopped[@]}"
run timeout 60 afw send --keys one three four -- y e s Enter
is "$code" 7 'keys for one session that answers and two that do not'
like "$out" '^one: keys pressed$' 'reach the first'
kill -CONT "${stopped[@]}"
exit_is 0 'rm of them' afw rm --stop one three four
done_testing
