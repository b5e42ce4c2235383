#!/bin/bash
# What a hostile agent tries in sandbox podman.
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
exit_is 0 'the other session lives' afw status beside
podman_config 'clipboard = never'
breakout_links podman
breakout_terminal podman
kill "$LISTENER"
done_testing
