#!/bin/bash
# Sandbox landlock: what it may read and connect to, and the message if the
# system does not support all of it.
. "$(dirname "$0")/../lib.sh"
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN"
afw_env
needs_landlock
make_repo "$T/repo" README
cd "$T/repo" || exit 2
mkdir -p "$T/config/afw" modules "$T/allowed" "$T/denied" \
	"$HOME/allowed"
echo yes | tee "$HOME/allowed/file" modules/file "$T/allowed/file" "$T/denied/file" "$T/named" \
	>/dev/null
echo modules >>.git/info/exclude
"$BUILD/tests/tools/breakout" listen "$T/port" "$T/socket" &
LISTENER=$!
wait_for '[ -s "$T/port" ]'
PORT=$(cat "$T/port")
config()
{
	printf 'sandbox = landlock\nlink = modules\nsandbox_read = %s\n%s\n' \
		"~/allowed $T/allowed $BUILD/tests/tools" "$1" >"$T/config/afw/afw.ini"
}
config ''
exit_is 0 'a session' afw new x -e "NAMED=$T/named" -- cat
reads() { exit_is 0 "$1" afw exec x -- cat "$2"; is "$out" yes "$1: whole"; }
reads 'what is linked' modules/file
reads 'sandbox_read' "$T/allowed/file"
reads 'sandbox_read at home' "$HOME/allowed/file"
exit_is 13 'no socket to the host of a virtual machine' afw exec x -- \
	perl -e 'socket(my $s, 40, 1, 0) or die "errno $!\n"'
like "$err" 'Permission denied' 'is made'
exit_is 1 'not another directory' afw exec x -- cat "$T/denied/file"
exit_is 1 'a linked file cannot be written' \
	afw exec x -- bash -c 'echo no >modules/file'
exit_is 0 'any port' afw exec x -- "$BUILD/tests/tools/breakout" tcp "$PORT"
exit_is 0 'its environment' \
	afw exec x -- bash -c 'echo $HOME $TMPDIR; [ -w "$HOME" ] && [ -w /tmp ]'
is "$out" "$(session_dir x)/home /tmp" 'is its own'
is "$(tr '\0' '\n' <"/proc/$(state_of x pid)/environ" | grep -c ^NAMED=)" 1 \
	'it has what -e gave'
# The very file is in the rules, though exec does not get its variable.
reads 'a file that a variable of its names' "$T/named"
# The agent could make the link lead elsewhere.
ln -s "$T/denied" "$T/.af_worktrees/repo-x/way"
ln -s "$T/.af_worktrees/repo-x/way" "$T/near" && ln -s near/file "$T/through"
sed -i "s|^sandbox_read = |&$T/through |" "$T/config/afw/afw.ini"
exit_is 0 'a start' afw restart x
exit_is 1 'nothing by a link in its worktree' afw exec x -- cat "$T/denied/file"
exit_is 0 'rm' afw rm -s x

git clone -qs "$T/repo" "$T/borrows"
cd "$T/borrows" || exit 2
exit_is 0 'a repository with objects of another' afw new borrows -- cat
exit_is 0 'in which it commits' \
	afw exec borrows -- git commit -q --allow-empty -m borrowed
exit_is 0 'and status shows it' afw diff --stat borrows
is "$(git log -1 --format=%s af/borrows)" borrowed 'at home'
exit_is 0 'rm' afw rm -s borrows
cd "$T/repo" || exit 2

config "sandbox_ports = 1 $PORT"
exit_is 0 'ports by list' afw new x -- cat
exit_is 0 'one of them' afw exec x -- "$BUILD/tests/tools/breakout" tcp "$PORT"
exit_is 0 'rm' afw rm -s x
config 'sandbox_ports = none'
exit_is 0 'no port' afw new x -- cat
for way in tcp mptcp fast-open; do
	exit_is 1 "not by $way" \
		afw exec x -- "$BUILD/tests/tools/breakout" $way "$PORT"
done
exit_is 0 'rm' afw rm -s x
config 'sandbox_ports = 70000'
refused 1 'a port is a number from 1 to 65535' 'no port' afw new x -- cat
config 'sandbox_read = relative'
refused 1 'a path begins with / or ~/' 'no path' afw new x -- cat

# A system without namespaces.
without()
{
	unshare -Ur bash -c 'echo 0 >/proc/sys/user/max_user_namespaces &&
		exec "$@"' - "$@"
}
config ''
refused 1 'no namespace of users and mounts' 'a system without namespaces' \
	without afw new x -- cat
like "$err" 'hint: allow_degraded' 'and how to continue'
nok_cmd 'nothing was made' test -e "$T/.af_worktrees/repo-x"
like "$(without afw doctor)" 'warn  sandbox landlock +sandbox landlock: the sys' \
	'doctor agrees'
config 'allow_degraded = yes'
exit_is 0 'with allow_degraded' without afw new x -- cat
like "$(afw status x)" 'note +sandbox landlock: the system allows no' \
	'it continues, and reports that'
exit_is 1 'the remaining limits apply' \
	without afw exec x -- cat "$T/denied/file"
exit_is 0 'stop' without afw stop x
config ''
refused 1 'no namespace of users and mounts' 'start agrees' without afw start x
exit_is 0 'with namespaces again' afw start x
is "$(json degraded <(afw status x --json))" '[]' 'nothing is missing'
exit_is 0 'rm' afw rm -s x
kill "$LISTENER"
done_testing
