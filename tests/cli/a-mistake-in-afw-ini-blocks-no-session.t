#!/bin/bash
# A wrong line in a configuration file does not block access to the sessions:
# commands that list, show and end them warn and continue.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
ini=$XDG_CONFIG_HOME/afw/afw.ini
mkdir -p "${ini%/*}"

exit_is 0 'a session' afw new one -- sh -c 'echo hello; exec cat'
waits_for 'afw capture one | grep -q hello' 'it runs'

printf 'setpu = make\nstop_timeout = soon\ndetach_key = C-t\n' >"$ini"
warning="^afw: $ini:1: unknown key 'setpu' \\(did you mean 'setup'.*stop_timeout"
for c in ls status capture logs; do
	exit_is 0 "$c" afw $c
	like "$err" "$warning" 'warns, with the nearest key'
done
like "$err" 'hint: .*afw config check' 'names the command that lists mistakes'
exit_is 0 'ls as JSON' afw ls --json
is "$(json 0.name)" one 'is still JSON'
refused 1 'unknown key .setpu' 'new does not start what may be meant otherwise' \
	afw new two -- cat
is "$(grep -c setpu <<<"$err")" 1 'and says why once'
refused 1 'unknown key .setpu' 'config check' afw config check
exit_is 1 'doctor' afw doctor
exit_is 0 'stop' afw stop one
like "$err" "$warning" 'warns'
is "$(state_of one phase)" stopped 'and ends the agent'
exit_is 0 'rm' afw rm one

chmod 666 "$ini"
exit_is 0 'a file that others may write to' afw ls
like "$err" "read $ini: everyone may write" 'is left out, with a warning'
done_testing
