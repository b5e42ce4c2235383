#!/bin/bash
# afw-supervisor --stdio as the entry point of a container, driven by the same
# client as outside.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
command -v python3 >/dev/null || skip_all 'no python3 here'
PODMAN_PROGRAMS="$BUILD/afw $BUILD/afw-supervisor $BUILD/afw-guard $BUILD/afw-worktree"
podman_begins
mkdir "$T/work"
make_repo "$T/work/repo"
# The file of suppressed leaks is not in the container.
san=
[ -z "${SANITIZE-}" ] || san='-e ASAN_OPTIONS=detect_leaks=0'
exit_is 0 'a client drives it in a container' \
	python3 "$ROOT/tests/tools/headless_client.py" /work/repo \
	podman run -i --rm --network none -e HOME=/work $san -v "$T/work:/work" \
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

# The other way round: the supervisor outside, its agent in a container.
cd "$T" || exit 2
mkfifo in
: >ev
"$BUILD/afw-supervisor" --stdio <in >>ev 2>errors &
pid=$!
exec {in}>in
echo '{"cmd":"start","repo":"./work/repo","branch":"inner","sandbox":"podman","secrets":["GITHUB_TOKEN=abc"],"prompt":"the task","argv":["sh","-c","read -r task; git commit -q --allow-empty -m \"$task\"; printf \"protocol=https\\nhost=github.com\\n\\n\" | git credential fill | while read -r l; do case $l in pass*) echo $l;; esac; done; echo up; exec cat"]}' >&"$in"
wait_for 'grep -q agent:started ev'
echo '{"cmd":"exec","id":"first","argv":["sh","-c","echo ready"]}' >&"$in"
waits_for 'grep exec:result ev | grep -q "\"code\":0,.*\"stdout\":\"ready.n"' \
	'a command can run from agent:started on' 'grep exec:result ev'
waits_for 'grep -q "up.n" ev' 'an agent of ours is in a container' \
	'cat ev errors'
is "$(grep agent:stdout ev | json data /dev/stdin | grep .)" \
	'password=abc
up' 'where git has the token'
echo '{"cmd":"exec","id":"a","argv":["sh","-c","[ -d /run/afw ] && git log -1 --format=%s"]}' >&"$in"
waits_for 'grep -q exec:result.*\"a\" ev' 'a command runs beside it'
like "$(grep 'exec:result.*"a"' ev)" '"code":0,.*"stdout":"the task.n"' \
	'in the container'
exec {in}>&-
wait "$pid"
is "$(git -C work/repo log -1 --format=%s inner)" 'the task' \
	'its commit was imported'
is "$(podman ps -aq)" '' 'and that container is gone'
done_testing
