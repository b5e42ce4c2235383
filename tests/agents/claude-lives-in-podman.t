#!/bin/bash
# The real Claude Code in sandbox podman; its commits are imported.
here=$(dirname "$0")
. "$here/../lib.sh"
. "$here/../podman/podman.sh"
without_sanitizers 'podman-holds-a-session.t does'
PODMAN_AGENT=claude
# What its shell tool uses, too.
PODMAN_PROGRAMS='uname grep sed'
podman_needed
export AF_TEST_SANDBOX=podman
. "$here/claude.sh"
. "$here/life.sh"
. "$here/users.sh"
agent_begins claude
PODMAN_LIBRARIES=$(readlink -f "$(command -v claude)")
podman_prepared
# The model's server is out there.
printf 'image = localhost/afw-test\nnetwork = host\nallow_degraded = yes\n' \
	>>"$XDG_CONFIG_HOME/afw/afw.ini"
life_in_sandbox claude 'Do you want to proceed' "${ASKS[@]}"
agent_end
