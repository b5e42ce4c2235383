#!/bin/bash
# rm moves the worktree to the trash by a rename; if it has no unsaved work, it
# is deleted there in the background.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../fake.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
W=$T/.af_worktrees
new()
{
	run afw new "$1" -- cat
	[ "$code" = 0 ] || diag "$err"
	[ "${2-}" = runs ] || run afw stop "$1"
}
# empties NAME: nothing is left of what was removed.
empties()
{
	waits_for '[ "$(afw trash)" = "the trash is empty" ] &&
		[ ! -e "$W" ] && [ ! -e .git/worktrees ]' "$1"
}
# restored NAME: it is restored from the trash, which is empty then.
restored()
{
	exit_is 0 "$1: comes back" afw trash restore "$1"
	is "$(afw trash)" 'the trash is empty' "$1: only once"
}
# last_read_at: waits until afw's work in the background has ended.
last_read_at()
{
	wait_for '(for pid in $(own_pids); do
		! grep -qsz "^rm\$" "/proc/$pid/cmdline" || exit 1; done)'
}

# One that runs is removed at once if it is idle and nothing was left in it.
exit_is 0 'an agent' afw new idle -a demo
wait_for '[ "$(state_of idle activity)" = idle ]'
exit_is 0 'idle, with all in commits' afw rm idle
like "$out" 'idle: removed, with its branch' 'goes in one step'
exit_is 0 'another' afw new busy -a demo
wait_for '[ "$(state_of busy activity)" = idle ]'
echo new >"$W/repo-busy/new"
refused 4 "remove 'busy': it is idle, with uncommitted files" \
	'one with a file in no commit' afw rm busy
like "$err" 'hint: .afw rm --stop busy. stops' 'gets a hint'
rm "$W/repo-busy/new"
run afw send busy "[[until $T/go]]"
wait_for '[ "$(state_of busy activity)" = working ]'
run afw send busy 'and then this'
wait_for '[ "$(state_of busy queued)" = 1 ]'
refused 4 'it is working, with queued messages' \
	'one at work' afw rm busy
tmux_start 120 10 afw rm busy
tmux_wait_for 'busy is working, with queued messages. Stop and remove it'
tmux_wait_for 'work in the trash? [y/N]'
tmux_keys Enter
tmux_wait_for "afw: remove 'busy': not confirmed"
is "$(state_of busy activity)" working 'without a yes it works on'
tmux_stop
tmux_start 80 10 afw rm busy
tmux_wait_for '[y/N]'
tmux_keys y Enter
tmux_wait_for 'busy: removed'
tmux_stop
waits_for '[ "$(afw ls -q)" = "" ]' 'with one it is gone'
exit_is 0 'purge' afw trash purge --yes

new one runs
echo x >"$W/repo-one/x"
refused 4 'afw rm --stop one' 'a running one' afw rm one
[ -d "$W/repo-one" ]
ok $? 'is left alone'
rm "$W/repo-one/x"
git config branch.af/one.remote origin
cp .git/config "$T/git-config"
exit_is 0 '--stop' afw rm --stop one
is "$out" 'one: removed, with its branch af/one; all of its work is in commits' \
	'says what it did, in one line'
[ ! -e "$W/repo-one" ] && ! git rev-parse -q --verify af/one >/dev/null
ok $? 'worktree and branch are gone'
is "$(afw ls -q)$(ls "$RUN")" '' 'and the session'
new one
exit_is 0 'the name is free at once' afw rm one
empties 'and nothing is left in the end'
ok_cmd "git's configuration is not rewritten" cmp -s "$T/git-config" .git/config

new dirty
echo x >>"$W/repo-dirty/README"
echo y >"$W/repo-dirty/untracked"
objects=$(find .git/objects -type f | wc -l)
exit_is 0 'uncommitted work' afw rm dirty --json
is "$(json removed) $(json branch_deleted) $(json trash)" \
	"true true $(echo "$W"/.trash/*)" 'JSON says where'
like "$(json holds)" '^(README is changed|untracked is in no commit)$' \
	'and what is there'
is "$(find .git/objects -type f | wc -l)" "$objects" \
	"nothing is written into git's object store"
last_read_at
exit_is 0 'ls' afw trash ls --json
is "$(json 0.name) $(json 0.files)" 'dirty 3' 'it stays, and is counted'
isnt "$(json 0.bytes)" 0 'with its size'
isnt "$(json 0.goes_at)" '' 'and when it goes'
git worktree prune
git gc -q --prune=now
restored dirty
is "$(<"$W/repo-dirty/untracked")$(tail -n 1 "$W/repo-dirty/README")" yx \
	'as it was'
is "$(git -C "$W/repo-dirty" branch --show-current)" af/dirty 'on its branch'
git -C "$W/repo-dirty" add -A
git -C "$W/repo-dirty" commit -qm work
exit_is 0 'committed' afw rm dirty
is "$out" "dirty: removed; branch af/dirty stays: it has commits that no other \
branch has; \`git branch -D af/dirty\` deletes it with them; all of its work is in \
commits" 'the branch has it and stays'
empties 'nothing else is left'
ok_cmd 'really' git show-ref -q --verify refs/heads/af/dirty

echo '*.o' >.gitignore
git add .gitignore
git commit -qm ignore
new built
touch "$W/repo-built/x.o" "$W/repo-built/"{a..z}.o # before and after .gitignore
exit_is 0 'an ignored file' afw rm built
last_read_at
restored built
ok_cmd 'is kept' test -e "$W/repo-built/x.o"
exit_is 0 '--delete-ignored' afw rm built --delete-ignored
empties 'if the user says so it goes'

# A worktree that is moved away, deleted, or on a disk that is not mounted.
new away runs
git -C "$W/repo-away" checkout -q --detach
git -C "$W/repo-away" commit -q --allow-empty -m lonely
echo x >"$W/repo-away/x"
mv "$W/repo-away" "$T/away"
exit_is 0 'ls, its worktree gone while it runs' afw ls
exit_is 0 'status too' afw status away
refused 1 'is gone' 'diff does not go' afw diff away
exit_is 0 'but stop' afw stop away
refused 1 'is gone.*hint: put it back.*git worktree repair' 'start' \
	afw start away
exit_is 0 'reconcile' afw reconcile
like "$out" 'git worktree repair' 'names the way'
exit_is 0 'a worktree that was moved away' afw rm away
like "$out" 'its worktree was gone already.*git worktree repair' 'is reported'
last_read_at
git worktree prune
git gc -q --prune=now
mkdir -p "$W" && mv "$T/away" "$W/repo-away"
restored away
is "$(git -C "$W/repo-away" log -1 --format=%s)" lonely 'its commits are there'
exit_is 0 'it is whole' afw start away
exit_is 0 'and goes' afw rm -s away
exit_is 0 'for good' afw trash purge away --yes

# A run that died between the worktree and the session's files.
new cut
echo x >"$W/repo-cut/x"
exit_is 0 'rm' afw rm -t cut
id=$(ls "$DATA/trash")
mv "$DATA/trash/$id" "$DATA/sessions/$id"
exit_is 0 'again, after it died half way' afw rm cut
restored cut
is "$(<"$W/repo-cut/x") $(git -C "$W/repo-cut" branch --show-current)" \
	'x af/cut' 'it is whole'
git worktree lock "$W/repo-cut"
refused 1 'is locked' 'a locked one is refused' afw rm cut
git worktree unlock "$W/repo-cut"
rm "$W/repo-cut/x"
exit_is 0 '--keep-branch' afw rm --keep-branch cut
ok_cmd 'the branch stays' git show-ref -q --verify refs/heads/af/cut
empties 'all else goes'
new force
git -C "$W/repo-force" commit -q --allow-empty -m empty
tip=$(git rev-parse af/force)
exit_is 0 '-D' afw rm -D force --json
is "$(json branch_deleted)" true 'the branch is gone'
last_read_at
git gc -q --prune=now
restored force
is "$(git rev-parse af/force)" "$tip" 'the branch is back'
git merge -q af/force
exit_is 0 'merged' afw rm -D force
empties 'nothing to keep'
refused 2 'not one of merged' 'an unknown word' afw rm force --branch no
refused 2 'delete-branch cannot be combined with --keep-branch' 'either or' afw rm force -D --keep-branch
refused 3 'no session' 'unknown' afw rm force

# What has been in the trash for long goes with the next rm.
for name in old older; do
	new $name
	touch "$W/repo-$name/x"
	afw rm $name >"$T/null"
done
last_read_at
sed -i 's/"removed_at":"20../"removed_at":"2015/' \
	"$DATA/trash/$(ls "$DATA/trash" | head -n 1)/trash.json"
new next
exit_is 0 'rm' afw rm next
waits_for '[ "$(afw trash ls -q | wc -l)" = 1 ]' \
	'after trash_keep it goes, and no other'
exit_is 0 'purge' afw trash purge --yes
empties 'all of it'

# Many are stopped together: each takes two seconds.
for i in 1 2 3 4 5 6; do
	afw new "slow$i" -- sh -c \
		'trap "sleep 2; exit" TERM; echo up; while :; do sleep 0.1; done' \
		>"$T/null"
done
wait_for '[ "$(afw ls | grep -c up)" = 6 ]'
start=$(now_ms)
exit_is 0 'rm -s of six' afw rm -s slow1 slow2 slow3 slow4 slow5 slow6
took=$(($(now_ms) - start))
[ "$took" -lt $((10000 * AFW_SLOW)) ]
ok $? "does not wait for one after another ($took ms)"
empties 'and removes them all'

# what the harness put in the session's directory
new home
dir=$(session_dir home) || exit
mkdir -p "$dir/home/a/b" "$T/precious"
echo x >"$T/precious/file"
ln -s "$T/precious" "$dir/home/link"
ln -s "$T/precious/file" "$dir/home/a/link"
chmod 0 "$dir/home/a/b"
exit_is 0 'links in its home' afw rm home
[ ! -e "$dir" ] && [ -f "$T/precious/file" ]
ok $? 'are removed, not followed'

# another process uses it
new held
hold held
refused 4 'held' 'that is refused' afw rm held
release_locks
exit_is 0 'then not' afw rm held

# a file that cannot be read
new newer
dir=$(session_dir newer) || exit
cp -a "$dir" "$T/copy"
sed -i 's/"v":[0-9]*/"v":9/' "$dir/spec.json"
refused 1 'newer afw' 'a newer one is left alone' afw rm "$(basename "$dir")"
like "$err" 'hint: the newer afw can' 'a newer afw is named'
cp "$dir/spec.json" "$T/spec"
echo '{"v' >"$dir/spec.json"
refused 1 "hint: to forget it, delete $dir" 'and so is what to do if no afw can' \
	afw rm "$(basename "$dir")"
cp "$T/spec" "$dir/spec.json"
sed -i 's/"v":9/"v":1/' "$dir/spec.json"
echo '{"v' >"$dir/state.json"
exit_is 0 'a broken state is no obstacle' afw rm newer
[ ! -e "$W/repo-newer" ]
ok $? 'the worktree is gone'

# git sees an entry that is being deleted as a whole, or not at all
calls='1 2 3 4'
[ -z "${SANITIZE-}" ] || calls='' # they do not go with ptrace
for n in $calls; do
	new gone
	git -C "$W/repo-gone" commit -q --allow-empty -m gone
	afw rm -t gone >/dev/null
	"$BUILD/tests/tools/fault_at" -x afw-worktree -n "$n" \
		-r "$T/repo/.git" -- afw trash purge gone --yes >/dev/null 2>&1
	is "$(git fsck --no-dangling 2>&1)" '' \
		"git fsck reports nothing, at call $n of a purge"
	afw trash purge gone --yes >/dev/null 2>&1
	git branch -q -D af/gone
done

# the repository is gone with all
new lone
rm -rf "$T/repo" "$W"
cd "$T" || exit
exit_is 0 'nothing left of the repository' afw rm lone
like "$out" 'repository was not there' 'said'
done_testing
