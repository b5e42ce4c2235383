#!/bin/bash
# Bare ones, submodules, git directories apart, one directly below /: what is
# done there is counted, shown and taken away as anywhere.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/plain"

# status_has NAME KEY VALUE
status_has()
{
	[ "$(afw status --json "$1" | "$BUILD/tests/tools/jsonget" "$2")" = "$3" ]
}

# kind NAME DIR WORKTREES: a session called NAME of the repository DIR.
kind()
{
	local w
	cd "$2" || exit 2
	exit_is 0 "$1: new" afw new "$1" -- cat
	w=$(echo "$3"/.af_worktrees/*-"$1")
	ok_cmd "$1: it stands beside" test -e "$w/README"
	echo more >>"$w/README"
	waits_for "status_has $1 files_changed 1" "$1: a file is counted"
	git -C "$w" commit -q -a -m two
	waits_for "status_has $1 ahead 1" "$1: a commit is counted"
	# Only git's entry tells of this one.
	git -C "$w" commit -q --allow-empty -m three
	waits_for "status_has $1 ahead 2" "$1: a commit without files, too"
	run afw diff --stat "$1"
	like "$code $out" '^0 +README ' "$1: diff"
	run afw reconcile
	unlike "$out" "$1" "$1: reconcile has nothing to say"
	exit_is 0 "$1: rm" afw rm --stop "$1"
	nok_cmd "$1: it is gone" test -e "$w"
	cd "$T" || exit 2
}

git clone -q --bare "$T/plain" "$T/bare.git"
kind bare "$T/bare.git" "$T"
git clone -q --bare "$T/plain" "$T/hidden/.git"
kind hidden "$T/hidden/.git" "$T/hidden"
git clone -q "$T/plain" "$T/super"
git -C "$T/super" -c protocol.file.allow=always submodule --quiet add \
	"$T/plain" lib/sub
kind module "$T/super/lib/sub" "$T/super/lib"
git clone -q --separate-git-dir "$T/apart.git" "$T/plain" "$T/sep"
kind apart "$T/sep" "$T"

if [ -w / ] && ! [ -e /.af_worktrees ] && top=$(mktemp -d /afw.XXXXXX); then
	git clone -q "$T/plain" "$top"
	kind top "$top" ''
	rm -rf "$top" /.af_worktrees
else
	skip 9 'nothing can be made below /'
fi
done_testing
