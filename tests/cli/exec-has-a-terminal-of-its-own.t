#!/bin/bash
# exec in a sandbox, on a terminal: the command has a terminal of its own, which
# works as the user's would. breakout.sh tests what it may not do.
. "$(dirname "$0")/../lib.sh"
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN" || exit 2
afw_env
needs_landlock
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new x --sandbox landlock -- cat
tree=$T/.af_worktrees/repo-x
seq 1 100000 >"$tree/numbers"
long="sleep 9$$.5"

# on_terminal KEYS COMMAND...: out is what the user's terminal gets, with E for
# ESC; code is that of the command, 99 if the terminal's mode is another then.
on_terminal()
{
	local keys=$1
	shift
	run bash -c 'set -o pipefail; printf "$0" | "$@" | tr -d "\r" |
		tr "\033\a" "EB"' "$keys" "$BUILD/tests/tools/onpty" -s 70x20 "$@"
}
on_terminal '' afw exec x -- bash -c \
	'for fd in 0 1 2; do [ -t $fd ]; echo -n $?; done; stty size; exit 5'
is "$code: $out" '5: 00020 70' 'all three are a terminal of that size'
on_terminal '' afw exec x -- bash -c 'kill -KILL $$'
is "$code: $out" '137: ' 'a signal'
on_terminal '' afw exec x -- no-such-command
# The sanitizers' code counts there for what is never freed.
[ -n "${SANITIZE-}" ] || is "$code" 127 'no such command'
on_terminal '' afw exec x -- cat numbers
ok_cmd 'all that it prints arrives' cmp -s "$T/.out" "$tree/numbers"
on_terminal '' afw exec -t 300ms x -- sleep 100
is "$code" 7 'a timeout'
on_terminal '' afw exec x -- bash -c "$long & $long <&- & echo up"
is "$code: $out: $(pgrep -fc "^$long")" '0: up: 0' \
	'its other processes end with it'

# The input is its own; so is each output that is no terminal.
on_terminal '' sh -c \
	"echo in | afw exec x -- sh -c 'cat; echo error >&2' 2>'$T/errors'"
is "$out $(<"$T/errors")" 'in error' 'a pipe and a file'
on_terminal '' sh -c "afw exec x -- sh -c \
	'cat; [ -t 2 ] && echo here >&2; echo no >/dev/tty' | tr a-z A-Z"
like "$out" '^here.*/dev/tty' 'if the keys belong to another program, it has no terminal'
on_terminal '' sh -c "afw exec x -- sh -c 'echo no >/dev/tty' >'$T/o' 2>&1"
is "$code" 2 'and no terminal if it is not on one'

# What the user's terminal is to do, and what it is asked.
on_terminal '' afw exec x -- printf '\033[1mbold\033[0m\033]2;title\a'
like "$out" 'E\[1mboldE\[0mE\]2;titleE\\.*E\[23;0t' 'colours and titles are shown'
on_terminal '' afw exec x -- bash -c \
	'stty -echo; printf "\033[c"; read -rsn5 -t 60; printf %s "${REPLY#?}"; printf "\033[5i"'
is "$out" '[?62' 'a question is answered by afw'
on_terminal '' afw exec x -- printf '\033[?1049h\033[?1000h\033[3;5r\033[>1u'
like "$out" 'E\[>1u.*E\[\?1000l.*E\[<1uE\[\?1049l.*E7E\[rE8' \
	'modes that it has left are reset'
clipboard='printf "\033]52;c;aGk=\a<>"'
on_terminal '' afw exec x -- bash -c "$clipboard"
is "$out" '<>' 'the clipboard is not set'
on_terminal k afw exec x -- bash -c "read -rsn1; $clipboard"
like "$out" 'E\]52;c;aGk=E\\<>' 'but by a key'
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'clipboard = always' >"$XDG_CONFIG_HOME/afw/afw.ini"
on_terminal '' afw exec x -- bash -c "$clipboard"
like "$out" '^E\]52;c;aGk=E\\<>' 'or always'
echo 'clipboard = never' >"$XDG_CONFIG_HOME/afw/afw.ini"
on_terminal k afw exec x -- bash -c "read -rsn1; $clipboard"
like "$out" '^k*<>$' 'or never'

# By hand, in a shell with jobs.
tmux_start 80 24 bash --norc -i
says() { tmux_type "$1"; tmux_keys Enter; }
says 'afw exec x -- bash --norc'
tmux_wait_for 'bash-'
says 'trap "stty size" WINCH; echo "in $TERM"'
tmux_wait_for "in tmux-256color"
tmux_resize 90 10
tmux_wait_for '10 90'
pass 'it gets a new size'
says "$long"
wait_for 'pgrep -f "^$long"'
tmux_keys C-z
tmux_wait_for 'Stopped'
says 'fg'
wait_for '[ "$(tmux_screen | grep -c "$long")" = 3 ]'
tmux_keys C-c
says 'echo code $?'
tmux_wait_for 'code 130'
pass 'Ctrl-Z and Ctrl-C are its own'
says 'exit 9'
# What is typed before it has ended is the inner shell's.
wait_for '! pgrep -f "afw exec x -- bash --norc"'
says 'echo and $?'
tmux_wait_for 'and 9'
pass 'its exit code is that of afw'
says 'clear; afw exec x -- echo be""hind & wait; echo and $?'
tmux_wait_for 'and 0'
like "$(tmux_screen)" behind 'it may run in the background'
says "afw exec x -- bash -c 'trap \"\" HUP TERM; $long'"
wait_for 'pgrep -f "^$long"'
tmux_stop
waits_for '! pgrep -f "^$long"' 'it ends when the terminal is gone'
done_testing
