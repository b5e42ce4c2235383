#!/bin/bash
# A host with an engine: `afw host up`, commands there, `afw host down`, and what
# can go wrong. The engine is four small scripts; a real sshd is what its places
# have.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/box.sh"

mkdir -p "$T/engine" "$XDG_CONFIG_HOME/afw/hosts"
config=$XDG_CONFIG_HOME/afw/afw.ini
cat >"$XDG_CONFIG_HOME/afw/hosts/fake.ini" <<END
up = $T/engine/up {name} {options}
proxy = $T/engine/proxy {place} {key}
down = $T/engine/down {place} {dir}
state = $T/engine/state {place}
END
cat >"$T/engine/up" <<END
#!/bin/sh
[ ! -e "$T/refuse" ] || { cat "$T/refuse" >&2; exit 1; }
for word; do echo "<\$word>"; done >"$T/engine/words"
echo running >"$T/place"
echo chatter
echo place-\$(date +%N)
END
cat >"$T/engine/proxy" <<END
#!/bin/sh
echo "ssh-ed25519 \$2" >"$T/box/place-key"
exec env AF_TEST_ID=$T $sshd -i -f "$T/box/sshd-place"
END
cat >"$T/engine/down" <<END
#!/bin/sh
[ ! -e "$T/refuse" ] || { cat "$T/refuse" >&2; exit 1; }
rm "$T/place"
END
cat >"$T/engine/state" <<END
#!/bin/sh
cat "$T/place"
END
chmod +x "$T/engine"/*
sed "s|^AuthorizedKeysFile.*|AuthorizedKeysFile $T/box/place-key|" "$T/box/sshd" \
	>"$T/box/sshd-place"
printf '[host.box]\nengine = fake\noptions = --size "2 G" {name}\n' >"$config"

make_repository()
{
	make_repo "$T/proj"
	cd "$T/proj" || exit 2
}
make_repository
dir=$XDG_DATA_HOME/afw/hosts/box

# -- up ----------------------------------------------------------------------

exit_is 0 'host' afw host --json
is "$(json_of box state):$(json_of box engine)" down:fake 'shows a place that is down'
refused 6 'host box is down.*afw host up box' 'a command for it' afw -H box ls
exit_is 0 'host up' afw host up box
like "$out" 'box is up: fake place-[0-9]+' 'says what it made'
is "$(cat "$T/engine/words")" $'<afw-box>\n<--size>\n<2 G>\n<{name}>' \
	'options are whole words, and nothing in them is replaced'
is "$(stat -c %a "$dir" "$dir/key")" $'700\n600' 'the key is private'
place=$(cat "$dir/place")
exit_is 0 'host up again' afw host up box
is "$(cat "$dir/place")" "$place" 'makes no other place'
exit_is 0 'host' afw host --json
is "$(json_of box state):$(json_of box sessions)" running:0 'shows that it is running'
like "$(json_of box version)" '^[0-9]+\.' 'with the version there'
exit_is 0 'ssh with its ssh_config' ssh -F "$dir/ssh_config" box 'echo "$HOME"'
is "$out" "$T/box/home" 'reaches it'

exit_is 0 'doctor --host' afw doctor --host box --json
like "$out" '"check":"engine","result":"ok"' 'tries the engine'
like "$out" '"check":"place","result":"ok","detail":"running: running"' 'the place'
like "$out" '"check":"connection","result":"ok"' 'the connection'
like "$out" '"check":"afw there","result":"ok","detail":"afw [0-9]' 'afw there'
like "$out" '"check":"there: git","result":"ok"' 'and the machine'

# -- a session there -----------------------------------------------------------

exit_is 0 'new' afw -H box new one -- sh -c 'git log --format=%an:%s; cat'
waits_for 'afw -H box logs one | grep -q "first"' 'sends repository and commit'
is "$(git -C "$T/box/home/afw/proj" config user.email)" "$(git config user.email)" \
	'with the author'
exit_is 0 'exec' afw -H box exec one -- sh -c 'echo x >file; git add file; git commit -qm work'
waits_for "afw -H box status --json one >'$T/s'; json activity '$T/s' | grep -q idle"
exit_is 0 'merge' afw -H box merge one
is "$(cat file)" x 'brings its work here'
exit_is 0 'rm' afw -H box rm --stop one
exit_is 3 'an unknown session' afw -H box status none

# -- what the engine says --------------------------------------------------------

hang_up
echo 'TIMEOUT after 1 hour' >"$T/place"
run afw doctor -H box
is "$code" 1 'doctor -H of a place that ended'
like "$out" 'fail +place +ended: TIMEOUT after 1 hour' 'says why'
refused 6 'host box is lost: fake place-.*: TIMEOUT after 1 hour' 'a place that ended' \
	afw -H box ls
exit_is 0 'host' afw host --json
is "$(json_of box state):$(json_of box detail)" 'ended:TIMEOUT after 1 hour' 'shows the reason'
: >"$T/place"
refused 6 'it is gone' 'a place that the engine has forgotten' afw -H box ls
exit_is 0 'new makes another' afw -H box new two -- cat
isnt "$(cat "$dir/place")" "$place" 'which is a new place'
hang_up
printf 'EVICTED\033]0;x\007' >"$T/place"
run afw host
unlike "$out" $'\033' 'control bytes of an engine are not printed'
printf 'PENDING Resources' >"$T/place"
refused 6 'box is queued: PENDING Resources' 'a place that is queued' afw -H box ls
sed -i 's/^engine.*/&\nup_timeout = 1s/' "$config"
run afw host up box
is "$code" 7 'a place that does not begin: up_timeout'
like "$err" 'queued in fake: place-[0-9]+ PENDING Resources' 'says what it waits for'
like "$err" 'is still queued: PENDING Resources.*afw host down --yes box' 'and what can be done'
sed -i '/up_timeout/d' "$config"
afw host up box >"$T/out" 2>"$T/err" &
waits_for 'grep -q PENDING "$T/err"' 'host up waits'
echo FAILED >"$T/place"
ends_with 6 $! 'until the place has ended'
refused 9 'box has ended, or is unknown: what is only there would be deleted' \
	'host down of a place that has ended' afw host down box
echo running >"$T/place"
exit_is 0 'host down' afw host down --yes box
is "$(ls "$T/place" "$dir" 2>&1 | grep -c 'No such file')" 2 'gives it back'
exit_is 0 'host down again' afw host down --yes box

# -- bad input -------------------------------------------------------------------

echo 'sbatch: error: Batch job submission failed: no account' >"$T/refuse"
refused 1 'host box: fake refuses: sbatch: error: .*no account' 'an engine that refuses' \
	afw host up box
is "$(ls "$XDG_DATA_HOME/afw/hosts")" '' 'leaves nothing'
exit_is 0 'ls' afw ls
unlike "$err" box 'does not ask it'
rm "$T/refuse"
cat >"$T/engine/slow" <<END
#!/bin/sh
: >"$T/slow"
read -r go <"$T/go"
exec "$T/engine/up" "\$@"
END
chmod +x "$T/engine/slow"
mkfifo "$T/go"
sed -i 's|/engine/up|/engine/slow|' "$XDG_CONFIG_HOME/afw/hosts/fake.ini"
afw host up box >"$T/out" 2>"$T/err" &
waits_for '[ -e "$T/slow" ]' 'a slow engine'
refused 4 'another afw is making its place' 'is asked once' afw host up box
echo go >"$T/go"
ends_with 0 $! 'and makes one place'
exit_is 0 'host down' afw host down --yes box
sed -i "s|^up = .*|up = $T/engine/none|" "$XDG_CONFIG_HOME/afw/hosts/fake.ini"
refused 1 "host box: up: start $T/engine/none: No such file" 'no such program' afw host up box
for bad in '-rf' 'a b' '$(x)' '../x y'; do
	printf '#!/bin/sh\necho "%s"\n' "$bad" >"$T/engine/up"
	sed -i "s|^up = .*|up = $T/engine/up|" "$XDG_CONFIG_HOME/afw/hosts/fake.ini"
	refused 1 'which identifies nothing' "'$bad' as a place" afw host up box
done
printf '#!/bin/sh\n echo running >"%s"; echo p\n' "$T/place" >"$T/engine/up"
sed "s|PATH=$BUILD:|PATH=|" "$T/box/sshd-place" >"$T/box/sshd-plain"
sed -i 's/sshd-place/sshd-plain/' "$T/engine/proxy"
refused 1 'no afw in its place' 'a place without afw' afw host up box
run afw doctor -H box
like "$out" 'fail +afw there +afw: start afw on the other machine' 'doctor says it, too'
sed -i 's/sshd-plain/sshd-place/' "$T/engine/proxy"
hang_up
exit_is 0 'host up' afw host up box
hang_up
ssh-keygen -q -t ed25519 -N '' -f "$T/box/other"
sed -i "s|^HostKey.*|HostKey $T/box/other|" "$T/box/sshd-place"
run afw -H box ls
is "$code" 255 'another host key is refused'
like "$err" 'REMOTE HOST IDENTIFICATION|Host key verification failed' 'and ssh says so'
exit_is 0 'host down' afw host down --yes box
printf '[host.box]\nengine = fake\nurl = ssh://box\n' >"$config"
refused 1 'has both url and engine' 'a url and an engine' afw host
printf '[host.box]\nengine = ../../x\n' >"$config"
refused 1 "engine" 'the path of an engine' afw host
printf '[host.box]\nengine = none\n' >"$config"
refused 1 "no engine 'none'" 'an engine that does not exist' afw host up box
printf '[host.box]\nurl = ssh://box\n' >"$config"
refused 2 'nothing to make' 'up of a host with a url' afw host up box
refused 2 'no \[host.other\]' 'an unknown host' afw host up other
refused 2 'no \[host.other\]' 'doctor of one' afw doctor -H other
exit_is 0 'doctor of a host with a url' afw doctor -H box
like "$out" 'ok +connection +ssh://box' 'tries it, too'
mkdir .af
printf '[host.box]\nengine = fake\n' >.af/afw.ini
refused 1 'af/afw.ini' 'a host of a repository' afw trust --yes

# -- what Slurm says ----------------------------------------------------------------

# says TEXT [CODE]: squeue prints it. host-in-slurm.t has a real one.
says()
{
	printf '#!/bin/sh\n%s\n' "echo '$1'; exit ${2:-0}" >"$T/bin/squeue"
	chmod +x "$T/bin/squeue"
}
state=$ROOT/share/hosts/slurm-state
for one in 'TIMEOUT TimeLimit=TIMEOUT TimeLimit' 'NODE_FAIL NodeDown=NODE_FAIL NodeDown' \
	'PREEMPTED None=PREEMPTED None' 'RUNNING None=RUNNING None' \
	'PENDING Priority=PENDING Priority' 'CONFIGURING None=queued CONFIGURING None' \
	'COMPLETING None=ended COMPLETING None'; do
	says "${one%%=*}"
	exit_is 0 "slurm-state of ${one%%=*}" "$state" 14
	is "$out" "${one#*=}" 'says so'
done
says 'slurm_load_jobs error: Invalid job id specified' 1
printf '#!/bin/sh\nexit 1\n' >"$T/bin/sacct"
chmod +x "$T/bin/sacct"
exit_is 0 'slurm-state of a job that Slurm has forgotten' "$state" 14
like "$out" '^the job has ended' 'has ended'
printf '#!/bin/sh\necho "CANCELLED by 0 None"\n' >"$T/bin/sacct"
exit_is 0 'with accounts' "$state" 14
is "$out" 'CANCELLED by 0 None' 'it has the reason'
says 'slurm_load_jobs error: Unable to contact slurm controller' 1
exit_is 1 'a controller that does not answer' "$state" 14
like "$err" 'Unable to contact' 'is no state'
box_end
done_testing
