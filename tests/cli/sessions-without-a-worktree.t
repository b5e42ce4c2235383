#!/bin/bash
# new --here and --worktree: sessions in directories that afw did not make. They
# have a diff, checkpoints and undo; no command moves, changes or deletes such a
# directory, its branch or git's entry for it. new --scratch: one without git,
# whose files go to the trash with the session.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/undo.sh"
afw_env
make_repo "$T/repo" README src/a
git -C "$T/repo" worktree add -q "$T/feat" -b feat
cd "$T/repo" || exit 2
echo mine >mine

# theirs: all of the user's directories, and what git knows of them.
theirs()
{
	all_of "$T/repo"
	all_of "$T/feat"
	git for-each-ref --format='%(refname) %(objectname)' refs/heads
	git worktree list
}

# turn NAME COMMANDS
turn()
{
	exit_is 0 "a turn of $1" afw send "$1" --wait -- "$2"
}

before=$(theirs)

# -- bad input ---------------------------------------------------------------

make_repo "$T/other"
mkdir "$T/plain"
ln -s "$T/feat" "$T/link"
refused 1 'other is in the repository .*/other, not .*/repo' 'a worktree of another repository' \
	afw new no --worktree "$T/other" -- cat
refused 1 'plain is not in a git repository' 'a directory without git' \
	afw new no --worktree "$T/plain" -- cat
refused 1 'No such file' 'one that does not exist' \
	afw new no --worktree "$T/none" -- cat
refused 9 'link is a symbolic link.*it leads to .*/feat' 'a symlink' \
	afw new no --worktree "$T/link" -- cat
refused 9 'is in the main worktree.*--here' 'the main worktree' \
	afw new no --worktree . -- cat
mkdir "$T/feat/sub"
refused 9 'sub is not the top of a worktree: .*/feat is' 'a directory in one' \
	afw new no --worktree ../feat/sub -- cat
rmdir "$T/feat/sub"
refused 2 'cannot be combined' 'both' afw new no --here --worktree ../feat -- cat
refused 2 'cannot be combined' 'a base' afw new no --here -b main -- cat
refused 2 'one agent' 'several agents' afw new no --here -a 'demo*2'
refused 1 'sandbox needs a worktree that afw has made.*--sandbox none' 'a sandbox' \
	afw new no --here --sandbox landlock -- cat
refused 2 'this machine' 'a host' afw -H ssh://root@127.0.0.1/none new no --here -- cat
git switch -q --detach
refused 1 'no branch is checked out' 'a detached HEAD' afw new no --here -- cat
git switch -q main
git init -q --bare "$T/bare"
refused 1 'bare' 'a bare repository' env -C "$T/bare" afw new no --here -- cat
exit_is 1 'an agent that cannot start' afw new no --here -- "$T/none"
exit_is 0 'a dry run' afw new no --here -n -- cat
like "$out" "worktree +$T/repo" 'says where'
is "$(afw ls -q)" '' 'no session is left'
is "$(theirs)" "$before" 'all is as it was'

# Killed in the middle, at any time.
for ms in 005 010 015 020 030 040 060; do
	timeout -s KILL "0.$ms" "$BUILD/afw" new "k$ms" --here -- sleep 1000
done >/dev/null 2>&1
exit_is 0 'reconcile after kills' afw reconcile --apply
for name in $(afw ls -q); do
	run afw rm --stop "$name"
done
is "$(afw ls -q)" '' 'their sessions can be removed'
is "$(theirs)" "$before" 'and all is as it was'

# -- here --------------------------------------------------------------------

cd src || exit 2
exit_is 0 'new --here' afw new one --here -- bash -c "$undo_agent"
like "$out" "in $T/repo on branch main" 'in this checkout, on its branch'
is "$err" '' 'without a warning'
cd ..
exit_is 0 'is ready' afw wait one --for idle -t 240s
clean=$(all_of .)
turn one 'echo more >>README; rm src/a; echo x >new; git add -A; git commit -qm work; echo y >y'
worked=$(all_of .)
waits_for '[ "$(state_of one ahead)" = 1 ]' 'its commit is counted'
waits_for '[ "$(state_of one files_changed)" = 5 ]' 'and the files'
exit_is 0 'diff' afw diff one --no-pager
like "$out" '\+more' 'shows its work'
exit_is 0 'checkpoints' afw checkpoints one
like "$out" 'turn-end' 'are taken'
git gc -q --prune=now
exit_is 0 'undo' afw undo one --yes --no-tell
is "$(all_of .)" "$clean" 'restores files, index and branch'
exit_is 0 'redo' afw undo one --yes --no-tell --redo
is "$(all_of .)" "$worked" 'and brings them back'
git switch -q -c topic
waits_for 'afw status one | grep -q "topic"' 'another branch there is seen'
git switch -q main
git branch -q -D topic

for command in commit merge pr; do
	refused 1 "it works in $T/repo.*use git there" "$command" afw "$command" one
done
refused 2 'no worktree of its own' 'land' afw land one
refused 1 'no worktree of its own' 'conflicts' afw conflicts one

exit_is 0 'a second one there' afw new two --here -- bash -c "$undo_agent"
like "$err" "session 'one' \(.*\) works in $T/repo, too" 'is warned of the first'
refused 4 "'two' works in $T/repo, too.*afw stop two" 'undo meanwhile' \
	afw undo one --yes
refused 2 'which session' 'no name means one of them' afw undo --yes
exit_is 0 'stop' afw stop two
exit_is 0 'undo once it is stopped' afw undo one --yes --no-tell
exit_is 0 'and again' afw undo one --yes --no-tell --redo
exit_is 0 'start' afw start two
like "$(afw status two)" "$T/repo" 'continues there'
exit_is 0 'a session from it' afw new three --from one --no-brief -- cat
is "$(cat "$T/.af_worktrees/repo-three/y")" y 'has its files'
exit_is 0 'which is idle' afw wait three --for idle -t 240s
exit_is 0 'a long turn' afw send one -- 'until [ -e ../go ]; do sleep 0.1; done'
wait_for '[ "$(state_of one activity)" = working ]'
refused 9 "main is the branch of session 'one', which is not done" \
	'nothing is merged below a turn' afw merge three
touch ../go
exit_is 0 'its end' afw wait one --for idle,completed -t 240s
refused 9 'was made by afw.*--from' 'a worktree of afw with --here' \
	env -C "$T/.af_worktrees/repo-three" afw new four --here -- cat
refused 9 'was made by afw.*--from' 'and with --worktree' \
	afw new four --worktree "$T/.af_worktrees/repo-three" -- cat

# -- an adopted worktree -----------------------------------------------------

exit_is 0 'new --worktree' afw new feat --worktree ../feat -- bash -c "$undo_agent"
like "$out" "in $T/feat on branch feat" 'in that one'
exit_is 0 'is ready' afw wait feat --for idle -t 240s
refused 4 "is the worktree of session 'feat'" 'not twice' \
	afw new again --worktree ../feat -- cat
clean=$(all_of ../feat)
turn feat 'echo done >file; git add -A; git commit -qm feat'
exit_is 0 'undo' afw undo feat --yes --no-tell
is "$(all_of ../feat)" "$clean" 'undoes'
exit_is 0 'redo' afw undo feat --yes --no-tell --redo
refused 1 "it works in $T/feat" 'merge' afw merge feat
turn feat 'echo more >file; git commit -qam more'
git merge -q --no-edit feat
waits_for '[ "$(state_of feat merged)" = true ]' 'what git merges is seen'

# -- nothing is removed ------------------------------------------------------

before=$(theirs)
mkdir -p "$T/.trash/0123" "$T/.purged-$(printf '%032d' 0)"
run afw reconcile --apply
unlike "$out" "$T/(repo|feat|other|plain)" 'reconcile reports no directory of the user'
ok_cmd 'and deletes none beside them' \
	test -d "$T/.trash/0123" -a -d "$T/.purged-$(printf '%032d' 0)"
exit_is 0 'doctor' afw doctor
exit_is 0 'rm --merged' afw rm --merged --yes --stop
like "$out" "feat: removed; $T/feat is left as it is" 'forgets the session alone'
is "$(theirs)" "$before" 'all is as it was'
exit_is 0 'adopted again' afw new feat --worktree ../feat -- cat
exit_is 0 'rm --trash' afw rm --stop --trash --delete-ignored one
like "$out" "$T/repo is left as it is" 'says so'
exit_is 0 'restore' afw trash restore one
exit_is 0 'start' afw start one
exit_is 0 'rm -D' afw rm --stop -D --force one
exit_is 0 'one more' afw new one --here -- cat
exit_is 0 'rm' afw rm --stop -D --trash one two feat
exit_is 0 'purge' afw trash purge --yes
is "$(theirs)" "$before" 'all is as it was, still'

# What a caller says does not help: afw-worktree refuses by itself.
ask() { printf '%s\n' "$1" | "$BUILD/afw-worktree" 2>&1; }
place="\"repository\":\"$T/repo\",\"branch\":\"feat\",\"base_commit\":\"$(git rev-parse feat)\""
id="\"id\":\"$(printf '%032d' 1)\""
like "$(ask "{\"op\":\"remove\",$place,$id,\"worktree\":\"$T/feat\",\"worktree_id\":\"feat\",\"adopted\":true}")" \
	'afw did not make .*/feat, and leaves it alone' 'an adopted one is not removed'
like "$(ask "{\"op\":\"remove\",$place,$id,\"worktree\":\"$T/feat\",\"worktree_id\":\"feat\"}")" \
	'not where afw puts worktrees' 'nor if that was forgotten'
like "$(ask "{\"op\":\"remove\",$place,$id,\"worktree\":\"$T/repo\",\"worktree_id\":\".\"}")" \
	'worktree_id is not one' 'nor the main worktree'
like "$(ask "{\"op\":\"sweep\",$place,$id,\"in_place\":true,\"worktree\":\"$T/feat\",\"worktree_id\":\"feat\",\"adopted\":true}")" \
	'leaves it alone' 'nor swept'
is "$(theirs)" "$before" 'and nothing has changed'
exit_is 0 'rm of the own one' afw rm --stop -D three
exit_is 0 'purge it' afw trash purge --yes

# -- scratch -----------------------------------------------------------------

cd "$T/plain" || exit 2
refused 2 'cannot be combined' '--fetch' afw new no --scratch --fetch -- cat
refused 2 'cannot be combined' '--scratch --here' afw new no --scratch --here -- cat
refused 2 'cannot be combined' '--scratch with a base' afw new no --scratch -b main -- cat
refused 1 'sandbox needs a worktree.*--sandbox none' 'in a sandbox' \
	afw new no --scratch --sandbox landlock -- cat
refused 1 'none' 'a missing program' afw new no --scratch -- "$T/none"
exit_is 0 'new --scratch, in no repository' afw new one --scratch -- \
	sh -c 'pwd; mkdir sub; echo work >sub/note; cat'
scratch=$AF_DATA_DIR
[ -n "$scratch" ] || scratch=$XDG_DATA_HOME/afw
like "$out" "in $scratch/sessions/[0-9a-f]{32}/scratch"$ 'says where, and no branch'
waits_for 'afw exec one -- cat sub/note | grep -q work' 'the agent works there'
refused 4 'has a session of that name' 'a name is used once' afw new one --scratch -- cat
for command in diff checkpoint checkpoints undo merge commit pr; do
	refused 1 'it works in .*/scratch, without git' "$command" afw $command one
done
refused 1 'without git' 'new --from' env -C "$T/repo" afw new no --from one -- cat
run afw reconcile --apply
is "$code$out$err" '0everything is as it is recorded' 'reconcile has nothing to report'
exit_is 0 'stop' afw stop one
exit_is 0 'start' afw start one
exit_is 0 'rm' afw rm --stop one
like "$out" 'kept in the trash for .*its directory has files' 'keeps its files'
is "$(afw trash ls --json | grep -o '"files":[0-9]*')" '"files":1' 'trash lists them'
exit_is 0 'restore' afw trash restore one
is "$(afw exec one -- cat sub/note 2>/dev/null)" work 'brings them back'
exit_is 0 'rm again' afw rm one
exit_is 0 'purge' afw trash purge --yes one
exit_is 0 'several' afw new many --scratch -a 'demo*2' --no-start
exit_is 0 'rm of empty ones' afw rm many-demo-1 many-demo-2
is "$(afw trash ls -q; ls "$scratch/sessions")" '' 'leaves nothing'

# One that fills the disk (the mount is seen below this one process alone).
mkdir "$T/small"
cat >"$T/fills" <<'END'
mount -t tmpfs -o size=1m tmpfs "$1" || exit 77
export AF_DATA_DIR=$1/afw
exec 2>&1
afw new full --scratch -- sh -c 'cat /dev/zero >fill; exec cat'
afw wait full --for idle --timeout 5s
for i in $(seq 100); do [ "$(df --output=avail "$1" | tail -n 1)" = 0 ] && break; sleep 0.05; done
afw ls
afw rm --stop full
afw trash restore full
ls -s "$1"/afw/sessions/*/scratch/fill
afw rm full
afw trash purge --yes
afw new more --scratch -- cat && afw rm --stop more
END
run unshare -m bash "$T/fills" "$T/small"
if [ "$code" != 77 ] && [[ $err != *unshare* ]]; then
	like "$out" 'full: removed; kept in the trash.*full: restored.*full: purged' \
		'a full disk loses nothing'
	like "$out" '[1-9][0-9]+ .*/scratch/fill' 'and restores the file'
	like "$out" 'more: removed'$ 'and purge makes room'
else
	skip 3 'cannot mount'
fi
done_testing
