#!/bin/bash
# What a hostile agent tries in sandbox landlock, and what without.
. "$(dirname "$0")/../lib.sh"
# Not in /tmp, which is another one inside.
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN"
afw_env
. "$ROOT/tests/cli/breakout.sh"
needs_landlock

breakout_world
breakout landlock --sandbox landlock
is "$(grep -v '^in ' "$T/landlock")" '' 'nothing got out'
is "$(wc -l <"$T/landlock")" "$(wc -l <"$T/attempts")" 'all was tried'
is "$(breakout_files | diff "$T/before" -)" '' 'and nothing was changed'
exit_is 0 'the other session lives' afw status beside
exit_is 1 'in a terminal of the user it does not type' \
	script -qefc 'afw exec landlock -- ./breakout type-ahead' "$T/null"

# That an attempt is a real one: with no sandbox they get out, but for what
# the system itself keeps from a user.
breakout none --sandbox none
diag "stopped without a sandbox: $(sed -n 's/^in //p' "$T/none" | tr '\n' ' ')"
ok_cmd 'without a sandbox they get out' \
	test "$(grep -c '^out ' "$T/none")" -ge 40
kill "$LISTENER"
tmux_stop
done_testing
