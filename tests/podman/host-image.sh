# host-image.sh - the image of a place, of this machine's programs; and what is
# tested in a place of [host.box]. Sourced after afw_env, before
# podman_prepared.
# shellcheck shell=bash
PATH=$PATH:/usr/sbin:/sbin
for tool in sshd ldconfig; do
	command -v $tool >/dev/null || skip_all "no $tool here"
done
mkdir "$T/stand-ins"
printf '#!/bin/sh\n' >"$T/stand-ins/apt-get"
cat >"$T/stand-ins/useradd" <<'END'
#!/bin/sh
echo 'root:x:0:0::/root:/bin/bash
sshd:x:100:100::/run/sshd:/bin/false
agent:x:7777:7777::/home/agent:/bin/bash' >/etc/passwd
echo 'agent:x:7777:' >/etc/group
mkdir -p /home/agent /usr/local/bin /opt /etc/ld.so.conf.d
echo 'include /etc/ld.so.conf.d/*.conf' >/etc/ld.so.conf
chown 7777:7777 /home/agent
ln -s git /usr/bin/git-receive-pack
ln -s git /usr/bin/git-upload-pack
END
chmod 755 "$T"/stand-ins/*
PODMAN_PROGRAMS="$T/stand-ins/apt-get $T/stand-ins/useradd sshd ssh-keygen
	ldconfig chown cp sed dirname mktemp tail ps grep find"

# host_engine ENGINE: a session in the place of [host.box], which has the image.
host_engine()
{
	local engine=$1
	export AFW_TEST_SECRET=topsecret
	exit_is 0 'new makes the place' afw -H box new one -- \
		sh -c 'id -u; echo "<$KEY>"; cat'
	waits_for 'afw -H box logs one | grep -q 7777' \
		'the session runs in it, as an ordinary user'
	exit_is 0 'a variable' afw -H box new two -e KEY=xyzzy -- sh -c 'echo "<$KEY>"; cat'
	waits_for 'afw -H box logs two | grep -q "<xyzzy>"' 'goes through the connection'
	unlike "$($engine inspect afw-box; $engine exec afw-box grep -rl xyzzy /home/agent)" \
		'xyzzy|topsecret|/home/agent/[^ ]*spec' 'and is in no file and no argument there'
	exit_is 0 'exec' afw -H box exec one -- \
		sh -c 'echo x >file; git add file; git commit -qm work'
	exit_is 7 'its exit code is that of there' afw -H box exec one -- sh -c 'exit 7'
	exit_is 0 'host' afw host --json
	is "$(json_of box state):$(json_of box sessions)" running:2 'shows the place'
	waits_for "afw -H box status --json one >'$T/s'; json activity '$T/s' | grep -q idle"
	exit_is 0 'merge' afw -H box merge one
	is "$(cat file)" x 'brings its work here'
	exit_is 0 'ls' afw ls --json
	is "$(json_of two host)" box 'ls lists it'

	$engine stop -t 1 afw-box >"$T/null" 2>&1
	refused 6 'host box is lost: '$engine' afw-box: Exited' 'a place that was stopped' \
		afw -H box status two
	exit_is 0 'start starts it again' afw -H box start two
	is "$(cat "$XDG_DATA_HOME/afw/hosts/box/place")" afw-box 'with its files'
	is "$(afw -H box status --json two >"$T/s"; json phase "$T/s")" running 'and the session runs again'
	$engine rm -f -t 1 afw-box >"$T/null" 2>&1 || $engine rm -f afw-box
	refused 6 'afw-box: it is gone' 'a place that was removed' afw -H box status two
	exit_is 0 'host up' afw host up box
	exit_is 3 'is empty then' afw -H box status two
	exit_is 0 'host down' afw host down --yes box
	is "$($engine ps -aq --filter name=afw-box)" '' 'removes it'
	printf '[host.box]\nengine = %s\neach = yes\noptions = --network none\n' "$engine" \
		>"$XDG_CONFIG_HOME/afw/afw.ini"
	exit_is 0 'a place for each session' afw new box:three -- sh -c 'echo three; cat'
	waits_for 'afw logs box:three | grep -q three' 'is a container of its own'
	is "$($engine ps --format '{{.Names}}')" afw-box.three 'named for it'
	exit_is 0 'rm' afw rm --stop box:three
	is "$($engine ps -aq --filter label=afw.host)" '' 'removes it'
	printf '[host.box]\nengine = %s\nimage = localhost/afw-test\nup_timeout = 5s\noptions = --network none\n' $engine \
		>"$XDG_CONFIG_HOME/afw/afw.ini"
	run afw host up box
	is "$code" 7 'an image without sshd and afw'
	like "$err" 'afw host proxy box </dev/null' 'has a hint'
	run afw host proxy box
	like "$out$err" 'afw-sshd' 'which shows why'
	exit_is 0 'host down' afw host down --yes box
	printf '[host.box]\nengine = %s\nimage = localhost/none\n' $engine \
		>"$XDG_CONFIG_HOME/afw/afw.ini"
	refused 1 "$engine refuses: " 'no image' afw host up box
}
