#!/bin/bash
# afw-supervisor --stdio as the entry point of a container, driven by the same
# client as outside.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
command -v python3 >/dev/null || skip_all 'no python3 here'
PODMAN_PROGRAMS="$BUILD/afw $BUILD/afw-supervisor $BUILD/afw-worktree"
podman_begins
mkdir "$T/work"
make_repo "$T/work/repo"
exit_is 0 'a client drives it in a container' \
	python3 "$ROOT/tests/tools/headless_client.py" /work/repo \
	podman run -i --rm --network none -e HOME=/work -v "$T/work:/work" \
	localhost/afw-test afw-supervisor --stdio
is "$out" "ready 1
workspace task-123
started True
prompt
chat
exec req-1 0 Implement feature X... tasks@localhost ''
exit None SIGKILL True
server 137" 'through the whole sequence'
is "$(git -C "$T/work/repo" log -1 --format=%s task-123)" \
	'Implement feature X...' 'the work is on its branch'
is "$(podman ps -aq)" '' 'and the container is gone'
done_testing
