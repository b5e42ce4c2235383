#!/bin/bash
# Attempts of a hostile agent to get out of sandbox landlock, and the same
# without it.
. "$(dirname "$0")/../lib.sh"
# Not in /tmp, which is another one inside.
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN"
afw_env
. "$ROOT/tests/cli/breakout.sh"
needs_landlock

breakout_world
breakout landlock --sandbox landlock
# Root's other processes have capabilities that it has not.
is "$(grep -ve '^in ' -e schedule-other "$T/landlock" | sort)" \
	$'out look-at-command\nout look-at-file\nout watch' \
	'nothing got out but what afw-sandbox(7) says'
is "$(wc -l <"$T/landlock")" "$(wc -l <"$T/attempts")" 'all was tried'
is "$(breakout_files | diff "$T/before" -)" '' 'and nothing was changed'
exit_is 0 'the other session is running' afw status beside
exit_is 1 'in a terminal of the user it does not type' \
	script -qefc 'afw exec landlock -- ./breakout type-ahead' "$T/null"
breakout_links landlock

mkdir -p "$XDG_CONFIG_HOME/afw"
breakout_config() { echo "$1" >"$XDG_CONFIG_HOME/afw/afw.ini"; }
breakout_library
for backend in pty tmux; do
	breakout_loads "$backend" --sandbox landlock --backend "$backend"
done
breakout_config 'clipboard = never'

# That an attempt is a real one: with no sandbox they get out, but for what
# the system itself keeps from a user.
breakout none --sandbox none
rm -f "/etc/afw-test.$$"
diag "stopped without a sandbox: $(sed -n 's/^in //p' "$T/none" | tr '\n' ' ')"
ok_cmd 'without a sandbox they get out' \
	test "$(grep -c '^out ' "$T/none")" -ge 48
breakout_terminal landlock
breakout_ends landlock
kill "$LISTENER"
done_testing
