#!/bin/bash
# Hosts of afw.ini, and their sessions in the lists of this machine: with a real
# sshd, this machine with another home, data and PATH (box.sh).
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/box.sh"

make_repo "$T/repo"
git clone -q "$T/repo" "$T/box/repo"
cd "$T/repo" || exit 2
url=ssh://box$T/box/repo
mkdir -p "$T/config/afw"
ini=$T/config/afw/afw.ini

# box NAME: another machine, as box.sh makes it: `ssh NAME`.
box()
{
	mkdir -p "$T/$1/home" "$T/$1/run"
	chmod 700 "$T/$1/run"
	sed "s,$T/box/\(home\|run\|\b\$\),$T/$1/\1,g; s,AF_TEST_ID=$T/box,AF_TEST_ID=$T/$1," \
		"$T/box/sshd" >"$T/$1/sshd"
	sed "s/^Host box/Host $1/; s,$T/box/sshd,$T/$1/sshd,; /^Host away/,\$d" \
		"$T/box/ssh" >>"$T/ssh-more"
	git clone -q "$T/repo" "$T/$1/repo"
}
cp "$T/box/ssh" "$T/ssh-first"
for name in cpu tpu; do box $name; done
cat "$T/ssh-more" >>"$T/box/ssh"

# -- which hosts there are ------------------------------------------------------

printf '[host.gpu]\nurl = %s\n' "$url" >"$ini"
run afw config host.gpu.url
is "$out" "$url" 'a host is a section of afw.ini'
exit_is 0 'its name is its address' afw -H gpu new one -- cat
run afw -H gpu ls -q
is "$out" one 'for every command'
run afw -H here ls -q
is "$out" '' 'here is this machine'
refused 2 "host 'gpo'.*did you mean 'gpu'" 'a name that is mistyped' \
	afw -H gpo ls
refused 2 "host 'x'.*\[host.NAME\]" 'one that is unknown' afw -H x ls
printf '[host.gpu]\nurl = %s\n[host.gpu]\nurl = ssh://other\n' "$url" >"$ini"
refused 1 'afw.ini:4: .*two sections have one name' 'two hosts with one name' \
	afw config host
for name in here local; do
	printf '[host.%s]\nurl = %s\n' $name "$url" >"$ini"
	refused 1 'afw.ini:2: .*this machine has that name' "the name $name" \
		afw config host
done
printf '[host.gpu]\nurl = http://x\n' >"$ini"
refused 1 'afw.ini:2: .*ssh://' 'an address that is none' afw config host
printf '[host.a:b]\nurl = %s\n' "$url" >"$ini"
refused 1 'afw.ini:2: .*letters, digits' 'a colon in the name' afw config host
printf '[host.gpu]\nurl = %s\n' "$url" >"$ini"
mkdir .af
printf '[host.evil]\nurl = ssh://evil\n' >.af/afw.ini
git add .af
git commit -qm hosts
refused 1 "'url' is for the user to choose" 'a repository has no hosts' \
	afw trust --yes
git rm -rqf .af
git commit -qm none

# -- one list ---------------------------------------------------------------------

for name in gpu cpu tpu; do
	printf '[host.%s]\nurl = ssh://%s%s\n' $name "${name/gpu/box}" \
		"$T/${name/gpu/box}/repo"
done >"$ini"
afw new mine -- cat >"$T/log"
for name in cpu tpu; do afw -H $name new one -- cat >"$T/log"; done
exit_is 0 'ls lists this machine and three hosts' afw ls -o name,host,branch
is "$(sort <<<"$out" | xargs)" \
	'NAME HOST BRANCH mine here af/mine one cpu af/one one gpu af/one one tpu af/one' \
	'the same name on each'
unlike "$out" "$T/repo" 'in one repository: it has one name'
run afw ls -q
is "$(sort <<<"$out" | xargs)" 'cpu:one gpu:one mine tpu:one' 'the names have a host'
run afw ls --json
is "$(json_of mine host)" null 'JSON: this machine has no name'
is "$(grep -o '"host":[^,}]*' <<<"$out" | sort | xargs)" \
	'host:cpu host:gpu host:tpu host:null' 'the others have'
run afw ls --count
is "$out" 4 'and counts'
run afw ls --here -q
is "$out" mine '--here: this machine alone'

hang_up
box_end
done_testing
