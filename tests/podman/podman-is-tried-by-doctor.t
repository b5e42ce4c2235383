#!/bin/bash
# afw doctor reports sandbox podman as ok if a container can be started, and
# otherwise what afw new would report.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_begins
make_repo "$T/repo" README
cd "$T/repo" || exit 2
conf=$XDG_CONFIG_HOME/containers/containers.conf
cp "$conf" "$T/good"
# says REGEX NAME: of a line of doctor, and of its hints.
says() { run afw doctor; like "$out" "$1" "$2"; }

says 'ok +sandbox podman +a container of its own' 'a podman that works is ok'
is "$(podman ps -aq)$(find "$DATA" -name '.doctor*')" '' 'the try leaves nothing'
exit_is 0 'new works' afw new x -- sleep 600
exit_is 0 'rm' afw rm -s x

printf '[containers]\ninit_path="/nowhere"\n' >>"$conf"
says 'warn +sandbox podman +.*container-init binary not found' 'no init'
like "$out" 'hint: sandbox podman: on Debian: apt install catatonit' 'has a hint'
exit_is 1 'new fails' afw new x -- sleep 600
like "$err" 'container-init binary not found' 'with the same words'
sed 's/runc/nowhere/' "$T/good" >"$conf"
says 'warn +sandbox podman +.*OCI runtime .nowhere. not found' 'no runtime'
like "$out" 'hint: sandbox podman: runtime = "runc"' 'has a hint'
cp "$T/good" "$conf"

mkdir "$T/bin"
printf '#!/bin/sh\ncase $1 in run) echo "a warning" >&2
	echo "Error: crun: unknown cgroup" >&2; exit 126 ;; esac\nexec %s "$@"\n' \
	"$(command -v podman)" >"$T/bin/podman"
chmod +x "$T/bin/podman"
PATH=$T/bin:$PATH says 'warn +sandbox podman +.*: Error: crun: unknown cgroup' \
	'a runtime that fails is quoted'
like "$out" 'crun refuses hybrid cgroups' 'with what helps'
if [ ! -w /dev/net/tun ]; then
	podman_config 'network = own'
	says 'warn +sandbox podman +.*network = own needs /dev/net/tun' 'no tun device'
fi
done_testing
