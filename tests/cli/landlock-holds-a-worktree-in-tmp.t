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
trap '_stop_all; rm -rf "$TMP"; _exit' EXIT
breakout_swaps "$TMP" x 200 --sandbox landlock
done_testing
