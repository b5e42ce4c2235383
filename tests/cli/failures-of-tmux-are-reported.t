#!/bin/bash
# A call of tmux that fails has delivered nothing, and that is reported: keys
# and interrupt fail, and a message's receipt is failed or unconfirmed,
# whichever is true. A session is not started in a worktree that is missing.
. "$(dirname "$0")/../lib.sh"
command -v tmux >/dev/null || skip_all 'no tmux here'
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
of()
{
	state_of "$2" "$1"
}

# tmux that fails as "$T/fails" says: before the named command, or after it.
mkdir "$T/bin"
cat >"$T/bin/tmux" <<END
#!/bin/bash
real=$(command -v tmux)
read -r what when dir 2>/dev/null <"$T/fails"
[[ -e $T/mute && " \$* " == *"\$(<"$T/mute")"*" display-message "* ]] && exit 1
[[ \$what && " \$* " == *" \$what "* ]] || exec "\$real" "\$@"
case \$when in
before) echo 'no server running on /x' >&2; exit 1 ;;
silent) exit 3 ;;
half) "\$real" "\${@:1:2}" load-buffer -b afw -; echo 'no such pane' >&2
	exit 1 ;;
killed) kill -KILL \$\$ ;;
hangs) exec 2>/dev/null; exec sleep 1000.$$ ;;
gone) rm -r "\$dir"; exec "\$real" "\$@" ;;
enter) in=\$(cat; echo .)
	[ "\$in" != \$'\r.' ] || { echo 'no such pane' >&2; exit 1; }
	printf %s "\${in%.}" | exec "\$real" "\$@" ;;
esac
END
chmod +x "$T/bin/tmux"
export PATH="$T/bin:$PATH"
: >"$T/fails"
fails() { printf '%s\n' "$*" >"$T/fails"; }

cat >"$T/rec" <<'END'
#!/bin/bash
stty raw -echo opost onlcr
printf '\033[?2004hready\n'
exec tee -a "$1"
END
chmod +x "$T/rec"
exit_is 0 'a session in tmux' afw new one --backend tmux -- "$T/rec" "$T/keys"
waits_for 'afw capture one | grep -q ready' 'is up'
exit_is 0 'keys' afw send one --keys x
like "$out" 'pressed' 'are pressed'
waits_for '[ "$(<"$T/keys")" = x ]' 'and arrive'

fails load-buffer before
refused 1 "press keys in 'one': tmux: no server running on /x: nothing was pressed" \
	'keys that tmux does not take' afw send one --keys y Enter
refused 1 "interrupt 'one': tmux: no server running on /x: nothing was" \
	'an interrupt' afw interrupt one
refused 1 'one: failed.*no server running on /x: nothing was typed' \
	'a message' afw send one 'never there'
like "$(afw status one)" 'out of reach: tmux: no server running' \
	'status reports it'
fails load-buffer silent
refused 1 'tmux exited with code 3: nothing' 'without a word' \
	afw send one --keys y
fails paste-buffer half
refused 1 'tmux: no such pane: nothing was typed' 'if only the paste fails' \
	afw send one 'never there'
fails load-buffer killed
refused 8 'killed by signal 9.*it is unknown' 'if it was killed' \
	afw send one --keys y
refused 8 'unconfirmed.*killed by signal 9' 'a message, too' \
	afw send one 'perhaps there'
is "$(<"$T/keys")" x 'nothing of all this has arrived'

fails
exit_is 8 'when tmux is well again' afw send one --raw 'now'
like "$err" submitted 'messages go'
want=$'x\033[200~now\033[201~\r'
wait_for '[ "$(<"$T/keys")" = "$want" ]'
is "$(<"$T/keys")" "$want" 'and nothing else does'
fails load-buffer enter
refused 8 'no such pane: Enter was not pressed' 'the Enter alone fails' \
	afw send one --raw 'draft'
waits_for '[[ $(<"$T/keys") = *$'"'\033[200~draft\033[201~'"' ]]' \
	'its text is there'

# A socket that was removed.
exit_is 0 'another' afw new two --backend tmux -- "$T/rec" "$T/keys2"
waits_for 'afw capture two | grep -q ready' 'is up'
rm "$RUN/$(of id two).tmux"
refused 1 'tmux: .*No such file.*: nothing was pressed' 'no socket: keys' \
	afw send two --keys z
waits_for '[ -S "$RUN/$(of id two).tmux" ]' 'it is made again'
of id two >"$T/mute"
afw send two 'a message' >"$T/two" 2>&1 &
message=$!

# It does not answer: at the deadline the result is unknown, and the next one is tried.
fails load-buffer hangs
refused 8 'tmux did not answer within 10 s: it is unknown whether it was' 'tmux hangs' \
	afw send one --keys y
fails
exit_is 0 'the next goes' afw send one --keys Q
waits_for '[[ $(<"$T/keys") = *Q ]]' 'and arrives'
is "$(tail -c 2 "$T/keys")" '~Q' 'alone'
waits_for '[ "$(pgrep -c -f "^sleep 1000\.$$")" = 0 ]' \
	'nothing of it is left'
code=0
wait $message || code=$?
like "$code $(<"$T/two")" \
	'^1 .*two: failed.*tmux does not report whether the user is typing' \
	'the typing user gets no error: a message'
is "$(<"$T/keys2")" '' 'nothing has arrived'

# What tmux itself would start in another directory.
exit_is 0 'stop' afw stop one
dir=$(of worktree one)
fails new-session gone "$dir"
refused 1 "run .*/rec in $dir: No such file" 'its worktree goes' afw start one
is "$(of phase one)" error 'nothing was started elsewhere'
refused 1 "its worktree $dir is gone" 'it is gone' afw start one
done_testing
