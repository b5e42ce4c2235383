#!/bin/bash
# What a set-up command has started goes with it when it fails, also what has
# left its session.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >"$T/setup" <<END
#!/bin/sh
setsid sh -c 'trap "" TERM HUP; echo \$\$ >$T/pid; exec sleep 1000' &
while [ ! -s $T/pid ]; do :; done
exit 3
END
chmod +x "$T/setup"
echo "setup = $T/setup" >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 1 'the set-up fails' afw new one -- cat
like "$err" 'exit code 3' 'as it said'
pid=$(cat "$T/pid")
like "$pid" '^[0-9]+$' 'it had started something'
ok_cmd 'that is gone' has_ended "$pid"
is "$(git branch --list 'af/*')" '' 'and so is the rest'
done_testing
