# places.sh - the host "slurm", with a place for each session: its engine is four
# small scripts, and each place a real sshd with a home of its own. To be read
# after box.sh.
# shellcheck shell=bash
mkdir -p "$T/engine" "$T/places" "$XDG_CONFIG_HOME/afw/hosts"
config=$XDG_CONFIG_HOME/afw/afw.ini
cat >"$XDG_CONFIG_HOME/afw/hosts/fake.ini" <<END
up = $T/engine/up {name}
proxy = $T/engine/proxy {place} {key}
down = $T/engine/down {place}
state = $T/engine/state {place}
END
cat >"$T/engine/up" <<END
#!/bin/sh
mkdir -p "$T/places/\$1/run" && chmod 700 "$T/places/\$1/run"
[ -e "$T/places/\$1/state" ] || echo running >"$T/places/\$1/state"
sed "s|$T/box/home|$T/places/\$1|; s|$T/box/run|$T/places/\$1/run|
	s|^AuthorizedKeysFile.*|AuthorizedKeysFile $T/places/\$1/key|" \\
	"$T/box/sshd" >"$T/places/\$1/sshd"
echo "\$1"
END
cat >"$T/engine/proxy" <<END
#!/bin/sh
echo "ssh-ed25519 \$2" >"$T/places/\$1/key"
exec env AF_TEST_ID=$T $sshd -i -f "$T/places/\$1/sshd"
END
cat >"$T/engine/down" <<END
#!/bin/sh
rm "$T/places/\$1/state"
END
cat >"$T/engine/state" <<END
#!/bin/sh
[ ! -e "$T/places/\$1/state" ] || cat "$T/places/\$1/state"
END
chmod +x "$T/engine"/*
printf '[host.slurm]\nengine = fake\neach = yes\nup_timeout = 20s\n' >"$config"
