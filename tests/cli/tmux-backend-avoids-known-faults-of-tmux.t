#!/bin/bash
# The tmux backend avoids the faults of tmux in FACTS, works inside the user's
# own tmux, and reports the death of its server with a reason in words.
. "$(dirname "$0")/../lib.sh"
command -v tmux >/dev/null || skip_all 'no tmux here'
afw_env
export XDG_DATA_HOME="$T/d a'ta #(touch $T/pwned) %H;"
mkdir -p "$XDG_DATA_HOME"
DATA=$XDG_DATA_HOME/afw
printf 'run-shell "touch %s"\nset -g prefix C-x\n' "$T/theirs" >"$HOME/.tmux.conf"
mkdir "$T/config/tmux"
cp "$HOME/.tmux.conf" "$T/config/tmux/tmux.conf"
make_repo "$T/repo"
cd "$T/repo" || exit
of()
{
	state_of "$2" "$1"
}
# its NAME ARGS: tmux's own client, to the server of that session.
its()
{
	local s
	s=$RUN/$(of id "$1").tmux
	shift
	tmux -S "$s" "$@"
}
cat >"$T/rec" <<'END'
#!/bin/bash
stty raw -echo opost onlcr
printf '\033[?2004hready\n'
exec tee -a "$1"
END
chmod +x "$T/rec"

mkdir "$T/bin"
for p in git sh bash cat env afw; do
	ln -s "$(command -v $p)" "$T/bin/$p"
done
for p in "$BUILD"/afw*; do [ -x "$p" ] && ln -sf "$p" "$T/bin/"; done
refused 1 'backend tmux.*tmux: No such file' 'tmux is missing' \
	env PATH="$T/bin" "$BUILD/afw" new no --backend tmux -- cat
like "$err" 'hint: install tmux 3\.3' 'it says what helps'
printf '#!/bin/sh\necho tmux 3.2a\n' >"$T/bin/tmux"
chmod +x "$T/bin/tmux"
refused 1 "this is 'tmux 3.2a', afw needs tmux 3.3" 'tmux is too old' \
	env PATH="$T/bin:$PATH" afw new no --backend tmux -- cat
nok_cmd 'nothing was made' git rev-parse -q --verify af/no

mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'backend = tmux' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'backend = tmux in the configuration' \
	afw new one -e SECRET=hush -- "$T/rec" "$T/one"
is "$(of backend one)" tmux 'counts'
waits_for 'afw capture one | grep -q ready' 'in directories with odd names'
nok_cmd 'which run no commands' test -e "$T/pwned"
nok_cmd "the user's tmux.conf is not read" test -e "$T/theirs"
is "$(its one show -gv prefix)" None 'there is no prefix key'
is "$(its one list-keys -T root 2>/dev/null)$(its one list-keys -T prefix \
	2>/dev/null)" '' 'and no other'
unlike "$(its one show-environment -g)" 'hush|DISPLAY' 'a small environment'
is "$(stat -c %a "$RUN")" 700 'its socket is in a closed directory'

its one copy-mode -t %0
exit_is 8 'a message while the user scrolls' afw send one --raw 'in copy mode'
waits_for '[ "$(<"$T/one")" = $'"'\033[200~in copy mode\033[201~\r'"' ]' \
	'arrives in brackets'
is "$(its one display -p -t %0 '#{pane_in_mode}')" 1 'they scroll on'
its one send-keys -X -t %0 cancel

its one resize-window -x 90 -y 25 -t %0
its one send-keys -t %0 x
waits_for '[ "$(json cols <(afw capture one --json))" = 90 ]' \
	"the model follows tmux's size"

# In the user's own tmux, whose variables are set.
tmux_start 80 24 bash -c 'afw attach one; echo "code $?"; exec cat'
tmux_wait_for ready 'attach nests'
waits_for '[ "$(its one display -p -t %0 "#{window_width}")" = 80 ]' \
	'a size that was set by hand gives way'
tmux_keys C-b c
waits_for '[ "$(tail -c 2 "$T/one" | od -An -c | tr -d " ")" = 002c ]' \
	"tmux's usual prefix is the harness's"
tmux_keys 'C-\'
tmux_wait_for 'detached from one' \
	'and its detach key leaves the inner one alone'
tmux_wait_for 'code 0'
unlike "$(tmux_screen)" 'detached \(from' 'tmux itself says nothing'
tmux_stop
run afw attach one --print
like "$out" "^env -u TMUX tmux -S " '--print'
tmux_start 80 24 bash -c "$out; exec cat"
tmux_wait_for ready 'can be run by hand'
tmux_keys 'C-\'
tmux_wait_for 'detached (from'
tmux_stop
tmux_start 80 24 bash -c 'TERM=no-such-term afw attach one; exec cat'
tmux_wait_for 'TERM=xterm is understood by most' \
	'a terminal that tmux does not know gets a hint'
tmux_stop
run afw new plain --backend pty -- cat
refused 2 'backend pty has no command' 'pty has none' afw attach plain --print

# tmux drops what it has not read from a pane when the pane's process ends and
# FIONREAD is 0, as it often is on a busy machine. Here it always is, and tmux
# reads slowly.
cat >"$T/slow.c" <<'END'
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
__attribute__((constructor)) static void for_tmux_alone(void)
{
	unsetenv("LD_PRELOAD");
}
int ioctl(int fd, unsigned long op, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, op);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (op != FIONREAD)
		return (int)syscall(SYS_ioctl, fd, op, arg);
	*(int *)arg = 0;
	return 0;
}
ssize_t readv(int fd, const struct iovec *v, int n)
{
	if (!isatty(fd))
		return syscall(SYS_readv, fd, v, n);
	usleep(20000);
	return read(fd, v->iov_base, v->iov_len < 512 ? v->iov_len : 512);
}
END
if cc -shared -fPIC -o "$T/slow.so" "$T/slow.c" 2>"$T/null"; then
	mkdir "$T/slow"
	printf '#!/bin/sh\nLD_PRELOAD=%s exec %s "$@"\n' "$T/slow.so" \
		"$(command -v tmux)" >"$T/slow/tmux"
	chmod +x "$T/slow/tmux"
	exit_is 0 'a slow tmux' env PATH="$T/slow:$PATH" \
		afw new slow -- sh -c 'seq 2500; exit 3'
	waits_for '[ "$(of phase slow)" = error ]' 'its agent ends'
	is "$(afw logs slow | tr -d '\r' | grep -c '^[0-9]*$')" 2500 \
		'all that it printed is kept'
	like "$(of error_reason slow)" 'exited with code 3' 'with its exit code'
else
	skip 4 'no C compiler'
fi

# Deaths. Another session must not notice.
for how in server pane process; do
	exit_is 0 "$how: new" afw new $how -- bash -c '
		trap "" HUP; setsid sleep 1006.'$$' & echo up; while :; do sleep 1007.'$$'; done'
	wait_for "afw capture $how | grep -q up"
	case $how in
	server) kill -KILL "$(its $how display -p '#{pid}')" ;;
	pane) its $how kill-server ;;
	process) kill -KILL "$(its $how display -p '#{pane_pid}')" ;;
	esac
	waits_for "[ \"\$(of phase $how)\" = error ]" "$how: an error"
	like "$(of error_reason $how)" '^lost: .*tmux' "$how: in words"
	diag "$(of error_reason $how)"
	waits_for '[ "$(pgrep -c -f "sleep 100[67]\.$$")" = 0 ]' \
		"$how: nothing is left"
	exit_is 0 "$how: it starts again" afw start $how
	waits_for "[ \"\$(of phase $how)\" = running ]" "$how: and runs"
	exit_is 0 "$how: stop" afw stop $how --timeout 300ms
done
is "$(of phase one) $(of phase plain)" 'running running' 'the others run'
tmux_start 80 24 bash -c 'afw attach one; echo "code $?"; exec cat'
tmux_wait_for ready
kill -KILL "$(its one display -p '#{pid}')"
tmux_wait_for 'one: lost: its tmux server was killed' \
	'an attached user gets the reason'
tmux_stop
exit_is 0 'stop' afw stop plain
waits_for '[ -z "$(ls "$RUN")" ]' 'no socket is left'
done_testing
