#!/bin/bash
# afw -H with the engine podman: `afw image build --host`, a place, sessions in
# it. Its base is made of this machine's programs, with a stand-in for apt-get.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_needed
afw_env
. "$(dirname "$0")/host-image.sh"
podman_prepared

printf '[host.box]\nengine = podman\noptions = --network none --memory 1g\n' \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
make_repo "$T/repo"
cd "$T/repo" || exit 2
refused 1 'there is no image localhost/afw-claude' 'no image of the agent' \
	afw image build --host claude
exit_is 0 'image build --host' afw image build --host generic --base localhost/afw-test
host_engine podman
done_testing
