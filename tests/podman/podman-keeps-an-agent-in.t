#!/bin/bash
# Attempts of a hostile agent to get out of sandbox podman.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_begins
. "$ROOT/tests/cli/breakout.sh"
podman_config 'sandbox = none'
breakout_world
podman_config ''
breakout podman
is "$(grep -v '^in ' "$T/podman")" '' 'nothing got out'
is "$(wc -l <"$T/podman")" "$(wc -l <"$T/attempts")" 'all was tried'
is "$(breakout_files | diff "$T/before" -)" '' 'and nothing was changed'
exit_is 0 'the other session is running' afw status beside
exit_is 1 'it connects to no port' \
	afw exec podman -- ./breakout tcp "$(cat "$T/port")"
podman_config 'network = host'
exit_is 0 "one has the user's network" afw new wide -- sleep 600
exit_is 0 'and connects to ports' \
	afw exec wide -- ./breakout tcp "$(cat "$T/port")"
if (($("$BUILD/afw-supervisor" confine | head -1) >= 6)); then
	exit_is 1 'not to abstract sockets' \
		afw exec wide -- ./breakout reach "@afw-test-$$"
else
	skip 1 'this kernel cannot hide abstract sockets'
fi
exit_is 0 'it ends' afw stop wide
podman_config ''
TMP=$(mktemp -d /tmp/afw.XXXXXX) || exit 2
trap 'podman_clears; rm -rf "$TMP"; _exit' EXIT
breakout_swaps "$TMP" swaps 5
cd "$T/repo" || exit 2
exit_is 0 'few processes' afw new few -- sleep 600
exit_is 1 'are all that it can start' afw exec -t 5m few -- ./breakout many 5000
breakout_config() { podman_config "$1"; }
breakout_library
breakout_loads loads
podman_config 'clipboard = never'
breakout_links podman
breakout_terminal podman
breakout_ends podman
exit_is 0 'the others end, too' afw stop beside few loads swaps
kill "$LISTENER"
done_testing
