#!/bin/bash
# Sandbox podman: services and background commands run in the session's
# container, which is started before its agent.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_begins
make_repo "$T/repo" README
cd "$T/repo" || exit 2
# processes_of COMMAND: how many have that command line.
processes_of() { pgrep -u "$(id -u)" -fxc "$1"; }
service_is() { [[ $(afw status x) == *"$1: $2"* ]]; }

podman_config '[service.port]
command = breakout serve 7070
ready = tcp:7070
restart = always
[service.says]
command = bash -c "echo $GIVEN; echo going; sleep 7313 & sleep 7313"
env = GIVEN
ready = log:going'
exit_is 0 'a session with services' afw new x -e GIVEN=from-outside -- \
	bash -c 'exec 3<>/dev/tcp/127.0.0.1/7070 && echo reached; exec bash'
ok_cmd 'is ready when both are' service_is port ready
ok_cmd 'and the other, too' service_is says ready
waits_for 'afw logs x | grep -qx reached' \
	'its agent starts after them, with the same network'
nok_cmd 'which is not that of here' \
	bash -c 'exec 3<>/dev/tcp/127.0.0.1/7070' 2>/dev/null
run afw logs --service says x
like "$out" from-outside 'a service gets what it asks for'
pkill -u "$(id -u)" -fx 'breakout serve 7070'
waits_for 'service_is port restarting || service_is port starting' \
	'a killed service is started again'
waits_for 'service_is port ready' 'and is ready'
exit_is 0 'a shell beside them' afw exec -n side x -- \
	bash -c 'echo in $HOME; sleep 7311 & sleep 7311; echo on'
waits_for 'afw logs --service side x | grep -qx "in /home/agent"' \
	'is in the container'
waits_for '[ "$(processes_of "sleep 7311")" = 2 ]' 'and runs on'
exit_is 0 'it is ended' afw exec -n side -k x
waits_for '[ "$(processes_of "sleep 7311")" = 0 ]' 'with all it started'
is "$(state_of x phase)" running 'the session is not'
exit_is 0 'stop' afw stop x
is "$(processes_of 'sleep 7313')" 0 'ends the services'
is "$(podman ps -aq)" '' 'and the container'
exit_is 0 'start' afw start x -e GIVEN=again
waits_for 'afw logs x | grep -qx reached' 'has them again'
exit_is 0 'rm' afw rm -s x

exit_is 0 'backend tmux does the same' afw new t --backend tmux \
	-e GIVEN=tmux -- \
	bash -c 'exec 3<>/dev/tcp/127.0.0.1/7070 && echo reached; exec bash'
waits_for 'afw capture t | grep -qx reached' 'after its services'
exit_is 0 'rm' afw rm -s t

# podman_is COMMANDS: what `podman run` is.
podman_is()
{
	mkdir -p "$T/bin"
	printf '#!/bin/sh\ncase $1 in run) %s ;; esac\nexec %s "$@"\n' "$1" \
		"$(command -v podman)" >"$T/bin/podman"
	chmod +x "$T/bin/podman"
}
podman_config ''
podman_is 'echo "Error: no space left on device" >&2; exit 125'
PATH=$T/bin:$PATH refused 1 'podman failed: Error: no space left' \
	'a container that does not start is reported' afw new full -- bash
podman_is 'exec sleep 7316'
PATH=$T/bin:$PATH afw new hangs -- bash >"$T/new" 2>&1 &
new=$!
waits_for '[ "$(processes_of "sleep 7316")" = 1 ]' 'while podman hangs'
exit_is 0 'stop' afw stop hangs
ends_with 1 "$new" 'ends the start'
is "$(processes_of 'sleep 7316')" 0 'and podman'
podman_is 'trap "printf x >&3; exit" TERM; touch '"$T/up"'
	while :; do sleep 1; done'
PATH=$T/bin:$PATH afw new late -- bash >"$T/new" 2>&1 &
new=$!
waits_for '[ -e "$T/up" ]' 'while it is still coming up'
exit_is 0 'stop' afw stop late
ends_with 1 "$new" 'a container that is left after the stop starts nothing'

podman_config '[service.never]
command = bash -c "echo not today >&2; sleep 7314"
ready = tcp:7070
ready_timeout = 5s'
refused 1 "service 'never' was not ready within 5 s .*: not today" \
	'a service that never is ready' afw new x -- bash
is "$(podman ps -aq)" '' 'leaves no container'
is "$(processes_of 'sleep 7314')" 0 'and no process'
podman_config '[service.never]
command = bash -c "sleep 7315"
ready = tcp:7070
ready_timeout = 5m'
afw new x -- bash >"$T/new" 2>&1 &
new=$!
waits_for '[ "$(processes_of "sleep 7315")" = 1 ]' 'while one is waited for'
exit_is 0 'stop' afw stop x
ends_with 1 "$new" 'ends the start'
is "$(podman ps -aq)$(processes_of 'sleep 7315')" 0 'and leaves nothing'
podman_config '[service.gone]
command = no-such-program
ready = tcp:7070'
exit_is 1 'a service that cannot be run' afw new y -- bash
like "$err" "service 'gone' exited with code 127 before it was ready: .*no-such-program" \
	'says so'
is "$(podman ps -aq)" '' 'and leaves no container'

podman_config 'setup = sh set-up'
echo "echo \$AF_WORKTREE >ran; touch '$T/outside'; true" >set-up
git add set-up && git commit -qm set-up
exit_is 0 'setup of the user' afw new mine -- bash
ok_cmd 'runs outside' rm "$T/outside"
exit_is 0 'setup with the files of an agent' afw new other --from mine -- bash
is "$(<"$T/.af_worktrees/repo-other/ran")" /workspace 'runs in the container'
nok_cmd 'and nowhere else' test -e "$T/outside"
exit_is 0 'the end' afw stop --all
# -- what all containers share, and what can be reached
podman_config 'volumes = cache-'"$$"':/cache/tool'
exit_is 0 'a session with a cache' afw new one -- sleep 600
exit_is 0 'which it fills' afw exec one -- sh -c 'echo kept >/cache/tool/file'
exit_is 0 'rm' afw rm -s one
exit_is 0 'another session' afw new two -- sleep 600
is "$(afw exec two -- cat /cache/tool/file)" kept 'shares it'
exit_is 0 'rm' afw rm -s two
exit_is 0 'it is a volume of podman' podman volume rm "afw-cache-$$"
for bad in /etc:/x mine:x A:/x x:/y:z x:/../y -x:/y x:/home/agent/.npm; do
	podman_config "volumes = $bad"
	refused 1 'afw.ini:[0-9]+: volumes: ' "volumes = $bad" afw new bad -- true
done
podman_config 'ports = 3000'
refused 1 'ports need network = own, not none' 'ports without a network' \
	afw new bad -- true
podman_config 'ports = none'
refused 1 'a port is a number' 'no number' afw new bad -- true
done_testing
