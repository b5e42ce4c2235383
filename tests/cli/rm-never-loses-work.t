#!/bin/bash
# rm: refuses what would be lost, takes the rest away whole.
. "$(dirname "$0")/../lib.sh"
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

new one runs
refused 4 'still .*afw stop one' 'a running one' afw rm one
[ -d "$W/repo-one" ]
ok $? 'is left alone'
exit_is 0 '--stop' afw rm --stop one
is "$out" 'one: removed, with its branch af/one' 'says what it did'
[ ! -e "$W/repo-one" ] && ! git rev-parse -q --verify af/one >/dev/null
ok $? 'worktree and branch are gone'
is "$(ls "$DATA/sessions" "$DATA/trash" | grep -v :)" '' 'and its files'
is "$(ls "$RUN")" '' 'and its socket'

new dirty
echo x >>"$W/repo-dirty/README"
echo y >"$W/repo-dirty/untracked"
refused 1 'not committed: 1 file changed, 1 untracked' 'uncommitted work' \
	afw rm dirty
is "$(cat "$W/repo-dirty/untracked")" y 'is left as it was'
is "$(afw ls -q)" dirty 'and the session too'
git -C "$W/repo-dirty" add -A
git -C "$W/repo-dirty" commit -qm work
exit_is 0 'committed' afw rm dirty
like "$out" 'branch af/dirty stays' 'the branch has the work and stays'
ok_cmd 'really' git show-ref -q --verify refs/heads/af/dirty

new gone
rm -rf "$W/repo-gone"
exit_is 0 'a worktree deleted by hand' afw rm gone
like "$out" 'was gone already' 'says so'
is "$(git worktree list | wc -l)" 1 'git knows nothing of it'

new keep
exit_is 0 '--keep-branch' afw rm --keep-branch keep
ok_cmd 'the branch stays' git show-ref -q --verify refs/heads/af/keep
new force
git -C "$W/repo-force" commit -q --allow-empty -m empty
exit_is 0 '-D' afw rm -D force --json
is "$(json removed)" true 'JSON'
is "$(json branch_deleted)" true 'the branch is gone'
refused 2 'none of merged' 'a word nobody knows' afw rm force --branch no
refused 2 'exclude' 'either or' afw rm force -D --keep-branch
refused 3 'no session' 'unknown' afw rm force

# what the harness put in the session's directory
new home
dir=$(session_dir home)
mkdir -p "$dir/home/a/b" "$T/precious"
echo x >"$T/precious/file"
ln -s "$T/precious" "$dir/home/link"
ln -s "$T/precious/file" "$dir/home/a/link"
chmod 0 "$dir/home/a/b"
exit_is 0 'links in its home' afw rm home
[ ! -e "$dir" ] && [ -f "$T/precious/file" ]
ok $? 'are removed, not followed'

# somebody else is at work on it
new held
perl "$ROOT/tests/hold_lock.pl" "$(session_dir held)" >"$T/held" < <(
	exec -a holder tail -f /dev/null) &
holder=$!
waits_for 5 'grep -q held "$T/held"' 'its lock is held'
refused 4 'still' 'that is refused' afw rm held
kill "$holder" && wait "$holder" 2>/dev/null
exit_is 0 'then not' afw rm held

# what nobody can read
new newer
dir=$(session_dir newer)
cp -a "$dir" "$T/copy"
sed -i 's/"v":1/"v":9/' "$dir/spec.json"
refused 1 'newer afw' 'a newer one is left alone' afw rm "$(basename "$dir")"
sed -i 's/"v":9/"v":1/' "$dir/spec.json"
echo '{"v' >"$dir/state.json"
exit_is 0 'a broken state is no obstacle' afw rm newer
[ ! -e "$W/repo-newer" ]
ok $? 'the worktree is gone'

# the repository is gone with all
new lone
rm -rf "$T/repo" "$W"
cd "$T" || exit
exit_is 0 'nothing left of the repository' afw rm lone
like "$out" 'repository was gone already' 'said'
done_testing
