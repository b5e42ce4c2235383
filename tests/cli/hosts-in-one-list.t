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
rm -r .af

box_end
done_testing
