#!/bin/bash
# afw doctor prints a line for each check; a failure is exit code 1.
. "$(dirname "$0")/../lib.sh"
afw_env
cd "$T" || exit 2
result()
{
	afw doctor --json >"$T/doctor" </dev/null
	local i
	for ((i = 0; ; i++)); do
		json_has "$i" "$T/doctor" || break
		[ "$(json "$i.check" "$T/doctor")" = "$1" ] || continue
		json "$i.result" "$T/doctor"
		return
	done
	echo none
}
is "$(result 'data directory')" ok 'a good data directory'
is "$(result 'control sockets')" ok 'sockets can be made'
is "$(result afw-guard)$(result afw-tools)" okok 'all programs are there'
version=$(sed -n 's/.*AFW_VERSION "\(.*\)".*/\1/p' "$ROOT/src/base/version.h")
like "$(<"$T/doctor")" "\"afw\",\"result\":\"ok\",\"detail\":\"$version in .*update: " \
	'afw itself: its version, and how it is updated'
like "$(<"$T/doctor")" 'afw-worktree \(libgit2 [0-9]' 'and what it found'
like "$(afw --version)" "^afw $version( \([0-9a-f]{8,}(-dirty)?\))?$" \
	'--version names the commit of a checkout'
is "$(result configuration)" ok 'no configuration'
is "$(result 'sandbox none')" ok 'a sandbox'
is "$(result locale)" ok 'a UTF-8 locale'
is "$(LC_ALL=C result locale)" warn 'LC_ALL=C'
is "$(TERM=dumb result terminal)" warn 'TERM=dumb'
long=$T/$(printf 'd%.0s' {1..100})
is "$(AF_DATA_DIR=$long result 'control sockets')" ok 'below a long path too'
make_repo "$T/repo"
cd "$T/repo" || exit 2
# A file, not a mode: root may write anywhere.
mkdir -m 700 "$T/odd"
touch "$T/odd/afw"
refused 1 "$T/odd/afw.*hint: XDG_RUNTIME_DIR names another place" \
	'a runtime directory that cannot be used' \
	env XDG_RUNTIME_DIR="$T/odd" afw new x -- cat
cd "$T" || exit 2
touch "$T/file"
is "$(AF_DATA_DIR=$T/file result 'data directory')" fail \
	'a file in place of the data directory'
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'setpu = x' >"$XDG_CONFIG_HOME/afw/afw.ini"
is "$(result configuration)" fail 'a mistake in the configuration'
exit_is 1 'a failure' afw doctor
like "$out" 'fail +configuration +.*afw.ini:1: unknown key' 'is explained'
printf '[command.git]\nkey = V\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
is "$(result configuration)" fail 'a section that lacks something'
mkdir "$T/mixed"
cp "$BUILD/afw" "$BUILD"/afw-* "$T/mixed/" 2>"$T/null"
printf '#!/bin/sh\necho afw-tools 0.1\n' >"$T/mixed/afw-tools"
rm "$T/mixed/afw-guard"
printf '#!/bin/sh\necho it lacks a library >&2; exit 127\n' >"$T/mixed/afw-guard"
printf '#!/bin/sh\necho afw-dashboard\n' >"$T/mixed/afw-dashboard.new"
mv "$T/mixed/afw-dashboard.new" "$T/mixed/afw-dashboard"
chmod +x "$T/mixed/"*
rm "$XDG_CONFIG_HOME/afw/afw.ini"
run "$T/mixed/afw" doctor
is "$code" 1 'programs of different versions'
like "$out" "fail +afw-tools +.*is of version 0.1, afw is $version" 'are named'
like "$out" 'fail +afw-dashboard +.*is another program' \
	'as is one that does not say which'
like "$out" 'fail +afw-guard +.*does not start: it lacks a library' \
	'as is one that does not start'

# Alone it misses the other programs.
mkdir "$T/alone"
cp "$BUILD/afw" "$T/alone/"
run "$T/alone/afw" doctor
if grep -qE '^ok +afw-supervisor' <<<"$out"; then
	skip 2 'afw is installed: it finds those programs'
else
	is "$code" 1 'without its other programs'
	like "$out" 'fail +afw-supervisor' 'it is not whole'
fi
done_testing
