#!/bin/bash
# engine = docker with a real daemon: the agent, and what runs beside it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
. "$(dirname "$0")/docker.sh"
docker_begins
make_repo "$T/repo" README
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo

like "$(afw doctor 2>&1)" 'sandbox podman.*engine: docker' 'doctor names it'
exit_is 0 'a session' afw new x -e GIVEN=canary -- bash
waits_for 'afw capture x | grep -q "\\$"' 'its shell is there'
exit_is 8 'send' afw send x 'env >inside; id -u >who; echo sent'
waits_for '[ -s "$tree-x/who" ]' 'a message reaches it'
is "$(<"$tree-x/who")" "$(id -u)" 'it is the same user'
like "$(<"$tree-x/inside")" 'GIVEN=canary' 'it has its environment'
rm "$tree-x/"{inside,who}
is "$(docker inspect "$(container x)" | grep -c canary)" 0 'docker got none of it'
unset DOCKER_CONFIG
exit_is 0 'exec' afw exec x -- sh -c 'echo $HOME; pwd'
is "$out" '/home/agent
/workspace' 'runs in the container, with its environment'
unlike "$(afw exec x -- env)" 'AFW_FIFO' 'and no other'
exit_is 7 'its exit code' afw exec x -- sh -c 'exit 7'
is "$(echo text | afw exec x -- cat)" text 'and its input'
is "$("$BUILD/tests/tools/onpty" -s 70x20 afw exec x -- \
	sh -c 'test -t 0 && echo terminal' </dev/null | tr -d '\r')" \
	terminal 'and a terminal'
long="sleep 8$$.5"
afw exec x -- bash -c "trap '' HUP TERM; $long & $long" 2>/dev/null &
waits_for 'pgrep -f "^$long" >/dev/null' 'a command is running'
pkill -KILL -f "^docker exec .*$(container x)"
waits_for '! pgrep -f "$long" >/dev/null' \
	"its processes end with docker's command, in the container, too"
wait
run afw exec x -- id
is "$(ls "$(session_dir x)/fifos" | wc -l)" 3 'of all commands only the last one has a FIFO'
printf '#!/bin/sh\necho checked >hook\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
echo new >"$tree-x/new"
exit_is 0 'a commit' afw commit x -m one
waits_for '[ -e "$tree-x/hook" ]' 'has its hook run in the container'
exit_is 0 'stop' afw stop x
is "$(docker ps -aq)" '' 'no container is left'

DOCKER_HOST=unix://$T/none refused 1 'engine = docker: docker: .*/none' \
	'the daemon is that of DOCKER_HOST' afw start x

podman_config 'engine = docker
network = own
ports = 7070
check = sh -c "test -e good"
[service.web]
command = breakout publish 7070
[service.own]
command = breakout publish ${AFW_PORT}
ready = tcp:${AFW_PORT}
[service.s]
command = bash -c "echo $SECRET >/tmp/served; echo up; exec sleep 600"
ready = log:up'
exit_is 0 'a session with a service, a check and a network' afw new y -- bash
waits_for 'afw capture y | grep -q "\\$"' 'its shell is there'
is "$(docker network ls -q --filter label=afw.managed=1 | wc -l)" 1 \
	'the network is its own'
is "$(docker inspect -f '{{range $k, $v := .NetworkSettings.Networks}}{{$k}}{{end}}' \
	"$(container y)")" "$(container y)" 'and no other'
like "$(afw status y)" 'ports +7070 at 127.0.0.1:[0-9]+' 'its port is shown'
at=$(state_of y ports.0.at)
waits_for 'bash -c "exec 3<>/dev/tcp/127.0.0.1/$at" 2>/dev/null' \
	'and reached from here'
at=$(state_of y first_port)
waits_for 'bash -c "exec 3<>/dev/tcp/127.0.0.1/$at" 2>/dev/null' \
	'AFW_PORT is the same port on both sides'
exit_is 0 'its service' afw exec y -- cat /tmp/served
exit_is 0 'stop' afw stop y
is "$(docker ps -aq; docker network ls -q --filter label=afw.managed=1)" '' \
	'nothing of it is left'
exit_is 0 'a start' afw start y
pid=$(state_of y supervisor_pid)
gone=$(session_dir y)
kill -KILL "$pid"
waits_for '[ ! -e "/proc/'"$pid"'" ]' 'its supervisor is gone'
rm -rf "$gone"
run afw reconcile --apply
like "$out" 'container afw-.* is of a session whose files are gone' \
	'an orphan is listed'
is "$(docker ps -aq; docker network ls -q --filter label=afw.managed=1)" '' \
	'and removed'
exit_is 0 'rm' afw rm -s x
done_testing
