#!/bin/bash
# `make dist` packs what is tracked, the same bytes from each clone; a version
# about which share/NEWS.md says nothing is refused.
. "$(dirname "$0")/../lib.sh"
[ -e "$ROOT/.git" ] || skip_all 'no git repository'
afw_env
git config --global --add safe.directory '*'
# dist CLONE: as a user's make runs it, with other ids, umask and times of files.
dist()
{
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$T/$1" dist
}
git clone -q "$ROOT" "$T/one"
(umask 077 && git clone -q "$ROOT" "$T/two")
version=$(sed -n 's/.*AFW_VERSION "\(.*\)".*/\1/p' "$T/one/src/base/version.h")
tarball=build/afw-$version.tar.gz
exit_is 0 'make dist' dist one
is "$out" "$T/one/$tarball" 'prints what it made'
touch "$T/two/README.md"
echo x >"$T/two/not-tracked"
exit_is 0 'in another clone' dist two
like "$err" 'not committed is not packed' 'says what is left out'
ok_cmd 'makes the same bytes' cmp "$T/one/$tarball" "$T/two/$tarball"
is "$(tar -tzf "$T/one/$tarball" | grep -v '/$' | sort)" \
	"$(git -C "$ROOT" ls-tree -r --name-only HEAD | sed "s,^,afw-$version/," | sort)" \
	'it has all that is tracked'
mkdir "$T/unpacked"
tar -C "$T/unpacked" -xzf "$T/one/$tarball"
exit_is 0 'a build of it' make -s -C "$T/unpacked/afw-$version" \
	BUILD="$T/b" "$T/b/commit.h"
is "$(<"$T/b/commit.h")" '#define AFW_COMMIT ""' 'names no commit'
sed -i "s/$version/99.1/" "$T/one/src/base/version.h"
exit_is 2 'a version without news' dist one
like "$err" 'share/NEWS.md says nothing about 99.1' 'is refused'
done_testing
