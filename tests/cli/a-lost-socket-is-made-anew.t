#!/bin/bash
# The runtime directory goes under running sessions, or is another one for who
# asks: they are reached all the same.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

exit_is 0 'a session' afw new one -- cat
exit_is 0 'status' afw status one --json
supervisor=$(json supervisor_pid) sock=$RUN/$(json id).sock
dir=$DATA/sessions/$(json id)
ok_cmd 'its socket is there' test -S "$sock"

mkdir -m 700 "$T/other"
exit_is 0 'with another XDG_RUNTIME_DIR (cron, su) it is reached' \
	env XDG_RUNTIME_DIR="$T/other" afw send --keys one h e l l o Enter
waits_for 'afw capture one | grep -q hello' 'and types'

# captures NAME TEXT: a new socket has three seconds; once more where the
# machine stood still.
captures()
{
	run afw capture "$1"
	[ "$code" = 0 ] || run afw capture "$1"
	is "$code" 0 "$2"
}

# Who is connected stays so.
afw events one -f >"$T/events" 2>&1 &
follower=$!
wait_for '[ -s "$T/events" ]'
rm -rf "$RUN"
captures one 'its socket was removed: capture'
like "$out" hello 'is its screen'
ok_cmd 'the socket is there again' test -S "$sock"
is "$(stat -c %a "$sock" "$RUN" | tr '\n' ' ')" '600 700 ' 'for nobody else'
like "$(cat "$dir/supervisor.log")" 'listens anew' 'which its log tells'
exit_is 0 'a key' afw send --keys one Enter
kill -0 "$follower"
ok $? 'who followed its events still does'

mv "$T/run" "$T/run.gone"
captures one 'the whole directory is gone: capture'
like "$out" hello 'is its screen'
is "$(<"$dir/socket")" "$DATA/run/${sock##*/}" 'it listens elsewhere'
mv "$T/run.gone" "$T/run"
captures one 'once it is there again, too'

rm -f "$DATA/run/${sock##*/}"
exit_is 0 'reconcile' afw reconcile
like "$out" 'one.*its socket is gone' 'tells of it'
exit_is 0 'reconcile --apply' afw reconcile --apply
exit_is 0 'reconcile again' afw reconcile
unlike "$out" 'its socket is gone' 'has repaired it'

# It cannot answer: an error, not a hint to try again.
rm -rf "$RUN"
kill -STOP "$supervisor"
run timeout 60 afw capture one
is "$code" 7 'a supervisor that is stopped makes no other'
like "$err" "the socket of session 'one' is gone, and its supervisor \($supervisor\) makes no other" \
	'and that is said'
kill -CONT "$supervisor"
waits_for 'afw capture one' 'later it does'

if command -v tmux >/dev/null; then
	exit_is 0 'one in tmux' afw new --backend tmux two -- cat
	rm -rf "$RUN"
	captures two 'without its sockets'
	waits_for 'afw send --keys two i n t m u x Enter &&
		within 2 "afw capture two | grep -q intmux"' \
		'takes keys: its tmux server has made one, too'
	rm -f "$RUN"/*.tmux
	waits_for 'afw send --keys two a l o n e Enter &&
		within 2 "afw capture two | grep -q alone"' \
		'that alone is gone: it makes one when it is missed'
	exit_is 0 'rm' afw rm --stop two
else
	skip 5 'tmux is not installed'
fi

# To look for those that cannot be reached takes longer than an answer may.
stopped=()
for name in three four; do
	afw new $name -- cat >/dev/null
	run afw status $name --json
	stopped+=("$(json supervisor_pid)")
	rm -f "$RUN/$(json id).sock"
done
kill -STOP "${stopped[@]}"
run timeout 60 afw send --keys one three four -- y e s Enter
is "$code" 7 'keys for one that answers and two that do not'
like "$out" '^one: keys pressed$' 'reach the first'
kill -CONT "${stopped[@]}"
exit_is 0 'rm of the two' afw rm --stop three four

rm -rf "$RUN"
exit_is 0 'stop' afw stop one
kill "$follower"; wait "$follower" 2>/dev/null
exit_is 0 'start' afw start one
is "$(<"$dir/socket")" "$sock" 'it listens where it should'
rm -rf "$RUN"
exit_is 0 'rm --stop' afw rm --stop one
is "$(ls "$RUN" "$DATA/run" 2>/dev/null | grep sock)" '' 'no socket is left'
done_testing
