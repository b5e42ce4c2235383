# box.sh - another machine for a script: this one, behind a real sshd, with
# another home, data and PATH. `ssh box` logs in; `ssh away` fails. The script is
# skipped if there is no sshd. To be read after afw_env; box_end at the end.
# shellcheck shell=bash
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd) || skip_all 'no sshd here'
# As root sshd wants its directory, which its package's service makes. Each script
# that needs it has a file there: the last one removes it.
made=''
if [ "$(id -u)" = 0 ] && { [ ! -d /run/sshd ] || [ -n "$(ls /run/sshd)" ]; }; then
	made=/run/sshd/afw.$$
	{ mkdir -p -m 755 /run/sshd && : >"$made"; } || skip_all 'no /run/sshd here'
fi

mkdir -p "$T/box/home" "$T/box/run" "$T/bin"
chmod 700 "$T/box/run"
ssh-keygen -q -t ed25519 -N '' -f "$T/box/key"
cp "$T/box/key.pub" "$T/box/authorized"
cat >"$T/box/sshd" <<END
HostKey $T/box/key
AuthorizedKeysFile $T/box/authorized
StrictModes no
PasswordAuthentication no
LogLevel ERROR
SetEnv HOME=$T/box/home XDG_RUNTIME_DIR=$T/box/run PATH=$BUILD:/usr/bin:/bin AF_SHARE_DIR=$ROOT/share AF_TEST_ID=$T/box GIT_CONFIG_GLOBAL=$T/gitconfig LC_ALL=C.UTF-8 ${ASAN_OPTIONS:+ASAN_OPTIONS=$ASAN_OPTIONS UBSAN_OPTIONS=$UBSAN_OPTIONS LSAN_OPTIONS=$LSAN_OPTIONS}
END
cat >"$T/box/ssh" <<END
Host box
	ProxyCommand env AF_TEST_ID=$T $sshd -i -f $T/box/sshd
	IdentityFile $T/box/key
	StrictHostKeyChecking no
	UserKnownHostsFile $T/box/known
	User $(id -un)
Host away
	ProxyCommand false
END
# What the user's ~/.ssh/config would say; ssh takes no other HOME for it.
cat >"$T/bin/ssh" <<END
#!/bin/sh
exec $(command -v ssh) -F "$T/box/ssh" "\$@"
END
chmod +x "$T/bin/ssh"
PATH=$T/bin:$PATH
ssh box true || skip_all 'no login by sshd here'

# hang_up: ends the connection that the commands share.
hang_up()
{
	local socket
	for socket in "$XDG_RUNTIME_DIR"/afw/ssh-*; do
		ssh -oControlPath="$socket" -O exit box 2>"$T/null"
	done
}

# It would keep the ssh there for a minute.
box_end()
{
	hang_up
	[ -z "$made" ] || { rm "$made" && rmdir --ignore-fail-on-non-empty /run/sshd; }
}
