#!/bin/bash
# engine = docker: docker's command line, as Debian's podman-docker reads it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_needed
# Another docker may come before it.
grep -qs podman /usr/bin/docker || skip_all 'no podman-docker here'
afw_env
podman_prepared
mkdir "$T/bin"
ln -s /usr/bin/docker "$T/bin/docker"
PATH=$T/bin:$PATH
# docker's daemon has no namespace of users: --user is the user outside.
printf '[containers]\nuserns="keep-id"\n' \
	>>"$XDG_CONFIG_HOME/containers/containers.conf"
podman_config 'engine = docker'
make_repo "$T/repo" README
cd "$T/repo" || exit 2

like "$(afw doctor 2>&1)" 'sandbox podman.*engine: docker' 'doctor names it'
exit_is 0 'a session' afw new x -e GIVEN=canary -- bash
like "$(afw status x)" 'sandbox podman, engine docker' 'status names it'
waits_for 'afw capture x | grep -q "\\$"' 'its shell is there'
exit_is 8 'send' afw send x 'env >inside; id -u >who; echo sent'
waits_for '[ -s "$T/.af_worktrees/repo-x/who" ]' 'a message reaches it'
is "$(<"$T/.af_worktrees/repo-x/who")" "$(id -u)" 'it is the same user'
like "$(<"$T/.af_worktrees/repo-x/inside")" 'GIVEN=canary' \
	'it has its environment'
rm "$T/.af_worktrees/repo-x/"{inside,who}
is "$(podman inspect "$(container x)" | grep -c canary)" 0 \
	'docker got none of it'
is "$(grep -rl --devices=skip canary "$XDG_DATA_HOME" 2>/dev/null |
	grep -v transcript)" '' 'no file has it'
exit_is 0 'exec' afw exec x -- sh -c 'echo $HOME'
is "$out" /home/agent 'has the environment'
exit_is 0 'stop' afw stop x
is "$(podman ps -aq)" '' 'no container is left'
exit_is 0 'start' afw start x
waits_for '[ -n "$(podman ps -q)" ]' 'it runs again'

# kill_supervisor: of x.
kill_supervisor()
{
	local pid
	pid=$(state_of x supervisor_pid)
	kill -9 "$pid"
	waits_for '[ ! -e "/proc/'"$pid"'" ]' 'its supervisor is gone'
}
kill_supervisor
exit_is 0 'a killed supervisor: start' afw start x
waits_for '[ "$(podman ps -q | wc -l)" = 1 ]' 'has one container' \
	'afw status x; podman ps -a'
kill_supervisor
podman rm -f -t0 "$(container x)" >/dev/null
run afw status --json x
is "$(state_of x phase)" error 'a container that the user has removed is lost'
exit_is 0 'and the session is started' afw start x
podman rm -f -t0 "$(container x)" >/dev/null
exit_is 0 'or stopped' afw stop x
exit_is 0 'rm' afw rm -s x
is "$(podman ps -aq)" '' 'no container is left'

exit_is 0 'an agent that ends' afw new ends -- sh -c 'exit 3'
waits_for '[ "$(state_of ends exit_code)" = 3 ]' 'has its code'
is "$(podman ps -aq)" '' 'and its container is gone'
exit_is 0 'rm' afw rm ends
echo nonsense >"$T/seccomp"
refused 1 'docker failed: Error:.*seccomp' 'a container that does not start' \
	afw new x -o sandbox_seccomp="$T/seccomp" -- bash
podman_config $'engine = docker\nimage = localhost/not-there'
refused 1 'there is no image localhost/not-there' 'an image that is not there' \
	afw new x -- bash

# no_engine LINE...: errors of a docker that fails.
no_engine()
{
	printf '%s\n' "$@" >"$T/errors"
	printf '#!/bin/sh\ncat "%s" >&2\nexit 1\n' "$T/errors" >"$T/no-engine"
	chmod +x "$T/no-engine"
	ln -sf "$T/no-engine" "$T/bin/docker"
}
no_engine 'Cannot connect to the daemon'
refused 1 'engine = docker: docker: Cannot connect' 'docker without its daemon' \
	afw new x -- bash
no_engine 'Emulate Docker CLI using podman. Create /etc/containers/nodocker' \
	'cannot do it'
refused 1 'engine = docker: docker: cannot do it' \
	"podman-docker's line about itself is not the error" afw new x -- bash
done_testing
