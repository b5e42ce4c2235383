#!/bin/bash
# The container of a supervisor that was killed is removed by the next command
# for its session, or by reconcile.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_begins
make_repo "$T/repo" README
cd "$T/repo" || exit 2

# lose NAME...: kill -9 of their supervisors, whose guards end the containers.
lose()
{
	local name pids=''
	for name; do
		pids+=" $(state_of "$name" supervisor_pid)"
	done
	kill -9 $pids
	for name in $pids; do
		wait_for "has_ended $name"
	done
	wait_for '[ -z "$(podman ps -q)" ]'
}

exit_is 0 'a session' afw new lost -- sleep 600
lose lost
is "$(podman ps -a --format '{{.Names}}')" "$(container lost)" \
	'its supervisor is killed: its container stays'
exit_is 0 'ls' afw ls
is "$(podman ps -aq | wc -l)" 1 'is for no session alone'
is "$(state_of lost phase)" error 'status says that it is lost'
is "$(podman ps -aq)" '' 'and has removed it'
like "$(afw status lost)" 'its supervisor has ended' 'and says why afterwards'
exit_is 0 'start' afw start lost
waits_for '[ "$(podman ps -q | wc -l)" = 1 ]' 'starts it in a new one'
lose lost
exit_is 0 'logs' afw logs lost
is "$(podman ps -aq)" '' 'removes it as well'

# -- podman that fails
exit_is 0 'start' afw start lost
lose lost
mkdir "$T/bin"
printf '#!/bin/sh\ncase $1 in ps | rm) echo "Error: storage is locked" >&2; exit 125 ;; esac
exec %s "$@"\n' "$(command -v podman)" >"$T/bin/podman"
chmod +x "$T/bin/podman"
PATH=$T/bin:$PATH exit_is 0 'status with a podman that fails' afw status lost
PATH=$T/bin:$PATH exit_is 1 'reconcile with it' afw reconcile --apply
like "$out" 'checking containers failed: podman: Error: storage is locked' \
	'says what failed'
like "$out" 'lost: ' 'and the rest'
exit_is 0 'with a podman that works' afw reconcile
like "$out" "lost: its container $(container lost) outlived its supervisor" \
	'the container is shown'
is "$(podman ps -aq | wc -l)" 1 'and is there'
exit_is 0 '--apply' afw reconcile --apply
like "$out" 'outlived its supervisor \(repaired\)' 'removes it'
is "$(podman ps -aq)" '' 'from podman'
exit_is 0 'rm' afw rm -s lost

# -- whose files were deleted by hand
for name in gone stays left; do
	exit_is 0 "one more: $name" afw new $name -- sleep 600
done
waits_for '[ "$(podman ps -q | wc -l)" = 3 ]' 'run'
gone=$(session_dir gone)
id=${gone##*/}
left=$(container left)
# Another's, with no session of ours; and one that was never afw's.
podman create -q --name theirs --label afw.managed=1 --label afw.session="$id" \
	--label "afw.dir=/elsewhere/$id" localhost/afw-test true >/dev/null
podman create -q --name mine localhost/afw-test true >/dev/null
pid=$(state_of gone supervisor_pid)
kill -9 "$pid"
wait_for 'has_ended $pid'
deleted=$(session_dir left)
rm -rf "$gone"
# Its supervisor may write a file there meanwhile.
wait_for 'rm -rf "$deleted" 2>"$T/null"'
exit_is 0 'reconcile' afw reconcile
like "$out" "container afw-$id is of a session whose files are gone" 'says so'
is "$(grep -c 'container ' <<<"$out")" 1 \
	'only of this one: the other has its supervisor'
like "$out" 'podman rm --force afw-' 'with a hint'
is "$(podman ps -aq | wc -l)" 5 'and removes none'
exit_is 0 '--apply' afw reconcile --apply
is "$(podman ps -a --format '{{.Names}}' | sort | tr '\n' ' ')" \
	"$(printf '%s\n' "$(container stays)" "$left" mine theirs | sort |
		tr '\n' ' ')" 'removes the one'
is "$(podman ps -q | wc -l)" 2 'and what runs, runs'
exit_is 0 'stop --all ends the other' afw stop --all
podman rm -f mine theirs >/dev/null
exit_is 0 'rm' afw rm stays
waits_for '[ -z "$(podman ps -aq)" ]' 'and no container is left' 'podman ps -a; echo "left: $left"; ps axo pid,stat,args | grep -e "$DATA" -e "$left"'
done_testing
