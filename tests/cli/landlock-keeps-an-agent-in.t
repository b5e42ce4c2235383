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
breakout_links landlock

# The loader runs a library of the agent in every program that gets the
# agent's environment: in none that runs outside of the sandbox.
cat >"$T/repo/library.c" <<'END'
#include <fcntl.h>
#include <stdlib.h>
__attribute__((constructor)) static void loaded(void)
{
	creat(getenv("LOADED_IN"), 0600);
	creat(getenv("LOADED_OUT"), 0600);
}
END
exit_is 0 'a library of the agent' "${CC:-cc}" -shared -fPIC \
	-o "$T/repo/library.so" "$T/repo/library.c"
git -C "$T/repo" add -f library.so && git -C "$T/repo" commit -q -m library
mkdir -p "$XDG_CONFIG_HOME/afw"
for backend in pty tmux; do
	tree=$T/.af_worktrees/repo-$backend
	cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<-END
	[service.web]
	command = sleep 600
	env = LD_PRELOAD=$tree/library.so LOADED_IN=$tree/service LOADED_OUT=$HOME/by-service
	END
	exit_is 0 "an agent that is to load it in $backend" \
		afw new "$backend" --sandbox landlock --backend "$backend" \
		-e "LD_PRELOAD=$tree/library.so" -e "LOADED_IN=$tree/agent" \
		-e "LOADED_OUT=$HOME/by-agent" -- sleep 600
	waits_for "[ -e '$tree/agent' ]" 'the agent loads it'
	waits_for "[ -e '$tree/service' ]" 'and so does its service'
	is "$(ls "$HOME" | grep ^by-)" '' 'nothing outside does'
	rm -f "$HOME"/by-*
done
echo 'clipboard = never' >"$XDG_CONFIG_HOME/afw/afw.ini"

# That an attempt is a real one: with no sandbox they get out, but for what
# the system itself keeps from a user.
breakout none --sandbox none
diag "stopped without a sandbox: $(sed -n 's/^in //p' "$T/none" | tr '\n' ' ')"
ok_cmd 'without a sandbox they get out' \
	test "$(grep -c '^out ' "$T/none")" -ge 40
breakout_terminal landlock
kill "$LISTENER"
done_testing
