#!/bin/bash
# afw -H with the engine docker: the same as host-in-podman.t, with a real
# daemon.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
. "$(dirname "$0")/docker.sh"
docker_begins
. "$(dirname "$0")/host-image.sh"
rm -r "$T/image"
podman_root && tar -C "$T/image" -c . | docker import - localhost/afw-test >"$T/import"

"$ROOT/share/image/host-context" "$T/context" "$BUILD/afw" "$BUILD/afw-supervisor" \
	"$ROOT/share"
exit_is 0 'docker builds the image, too' docker build --network none \
	--file "$T/context/Containerfile" \
	--build-arg BASE=localhost/afw-test --tag localhost/afw-host "$T/context"
printf '[host.box]\nengine = docker\noptions = --network none --memory 1g\n' \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
make_repo "$T/repo"
cd "$T/repo" || exit 2
host_engine docker
done_testing
