#!/bin/bash
# A worktree below /tmp, which is another directory inside the sandbox: the
# agent cannot redirect a command of afw by it.
. "$(dirname "$0")/../lib.sh"
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN"
afw_env
. "$ROOT/tests/cli/breakout.sh"
needs_landlock
mkdir "$HOME/.ssh"
echo key >"$HOME/.ssh/id_test"
TMP=$(mktemp -d /tmp/afw.XXXXXX) || exit 2
trap '_stop_all; wait_for "[ -z \"\$(_alive)\" ]"; rm -rf "$TMP"; _exit' EXIT
# It takes turns with the agent: `make check` tries less often.
breakout_swaps "$TMP" x "$([ "${AF_TEST_EVERY-}" = 1 ] && echo 200 || echo 50)" \
	--sandbox landlock
done_testing
