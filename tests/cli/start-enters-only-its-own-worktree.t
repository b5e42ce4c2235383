#!/bin/bash
# Programs of a session run in the directory that afw made, or not at all: not
# in another that was put in its place.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
W=$T/.af_worktrees/repo-one
afw new one -- sh -c 'pwd >>"$T_OUT"; exec cat' >/dev/null 2>&1
export T_OUT=$T/where

# runs_not WHAT: by none of the commands that would.
runs_not()
{
	local cmd
	rm -f "$T_OUT"
	for cmd in start resume restart 'exec one -- pwd'; do
		[[ $cmd == exec* ]] || cmd="$cmd one"
		refused 1 "is not the directory that afw made there.*$2" \
			"$1: ${cmd%% *}" afw $cmd
	done
	nok_cmd "$1: nothing ran" test -e "$T_OUT"
	run afw reconcile
	like "$out" "one: $W is not the directory that afw made" \
		"$1: reconcile reports it"
}

for backend in pty tmux; do
	afw new b-$backend --backend $backend -- \
		sh -c 'pwd; echo end; exec cat' >/dev/null 2>&1
	waits_for "afw capture b-$backend | grep -q end" "$backend: it runs"
	like "$(afw capture b-$backend)" "$T/.af_worktrees/repo-b-$backend" \
		"$backend: in its worktree"
done
afw rm --stop b-pty b-tmux >/dev/null 2>&1

afw stop one >/dev/null
# The sweep after rm deletes the directory of worktrees with the last of them.
wait_for '[ ! -e "$T/.af_worktrees/.trash" ]'
mv "$W" "$T/away"
ln -s "$T/repo" "$W"
runs_not 'a link to the main repository' 'symbolic link'
rm "$W"
git clone -q . "$W"
runs_not 'another directory' 'another directory'
rm -rf "$W"
echo >"$W"
runs_not 'a file' 'something else'
rm "$W"
refused 1 'worktree .* is gone.*git worktree repair' 'nothing' afw start one
mv "$T/.af_worktrees" "$T/real"
ln -s "$T/real" "$T/.af_worktrees"
mv "$T/away" "$W"
refused 1 "$T/.af_worktrees is not a directory but a link" \
	'a link on the way' afw start one
rm "$T/.af_worktrees"
mv "$T/real" "$T/.af_worktrees"
exit_is 0 'put back it starts' afw start one
afw rm --stop one >/dev/null 2>&1

# A program is found in PATH as the user has it, not in the worktree.
mkdir bin
printf '#!/bin/sh\necho theirs\n' >bin/claude
cp bin/claude claude
chmod +x bin/claude claude
git add . && git commit -q -m evil
PATH=bin::.:$PATH
for how in "exec two -- claude" "new three -a claude" "new four -- claude"; do
	[[ $how == new* ]] || afw new two -- cat >/dev/null 2>&1
	run timeout 60 afw $how
	isnt "$code" 0 "a relative part of PATH: $how"
	unlike "$out$err" theirs 'runs nothing of the worktree'
done
afw rm --stop two >/dev/null 2>&1
done_testing
