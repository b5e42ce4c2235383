#!/bin/bash
# A container that denies openat2(2) makes no difference; a file system without
# locks is named.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README
cd "$T/repo" || exit 2
deny=$BUILD/tests/tools/deny
"$deny" openat2=EPERM -- true || skip_all 'no seccomp filters here'

for why in EPERM ENOSYS; do
	exit_is 0 "$why: new" "$deny" openat2=$why -- \
		afw new one --no-start -- cat
	w=$T/.af_worktrees/repo-one
	echo "$why" >>"$w/README"
	mkdir -p "$w/a/b" && echo b >"$w/a/b/c"
	ln -s /etc "$w/link.$why"
	exit_is 0 "$why: commit" "$deny" openat2=$why -- afw commit -m two one
	is "$(git -C "$w" status --porcelain)" '' "$why: all is in the commit"
	is "$(git -C "$w" cat-file -p "HEAD:link.$why")" /etc \
		"$why: a link is one, and nobody followed it"
	exit_is 0 "$why: merge" "$deny" openat2=$why -- afw merge one
	exit_is 0 "$why: rm" "$deny" openat2=$why -- afw rm one
	wait_for '! [ -e "$T/.af_worktrees" ]'
done

hint='file locks.*local disk'
refused 1 "No locks available.*$hint" 'no locks for sessions' \
	"$deny" ofd=ENOLCK -- afw new two --no-start -- cat
refused 1 "No locks available.*$hint" 'no locks for git directories' \
	"$deny" flock=ENOLCK -- afw new two --no-start -- cat
is "$(git worktree list | wc -l) $(git branch --list 'af/*')" '1 ' \
	'and nothing is made'
wait_for '! [ -e "$T/.af_worktrees" ]'
is "$(ls -A .git/worktrees 2>&1)" "$(ls -A /nonexistent 2>&1 |
	sed s,/nonexistent,.git/worktrees,)" 'and none is left'
refused 1 "No locks available.*$hint" 'no locks for afw.ini' \
	"$deny" flock=ENOLCK -- afw config set sandbox none
done_testing
