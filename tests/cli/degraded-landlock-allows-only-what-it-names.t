#!/bin/bash
# Sandbox landlock without namespaces (allow_degraded): a hostile agent reaches
# exactly what the warning names.
. "$(dirname "$0")/../lib.sh"
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN"
afw_env
. "$ROOT/tests/cli/breakout.sh"
needs_landlock
breakout_world
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'allow_degraded = yes' >"$XDG_CONFIG_HOME/afw/afw.ini"
afw()
{
	unshare -Ur bash -c 'echo 0 >/proc/sys/user/max_user_namespaces &&
		exec "$@"' - "$BUILD/afw" "$@"
}
breakout degraded --sandbox landlock
like "$(afw status degraded --json)" \
	'its .git, shared memory, and the mode, owner, times and attributes' \
	'the session says what is not protected'
is "$(grep -ve '^in ' -e schedule-other "$T/degraded" | sort | paste -sd' ')" \
	"$(printf 'out %s\n' change-{attribute,mode,owner,time} \
		look-at-{command,file} replace-git-file shared-memory watch |
		paste -sd' ')" 'nothing else is reached'
kill "$LISTENER"
done_testing
