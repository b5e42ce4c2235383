#!/bin/bash
# rm: what would be lost goes to the trash, the rest goes whole.
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

# restored NAME: it comes back from the trash, which is empty then.
restored()
{
	exit_is 0 "$1: comes back" afw trash restore "$1"
	is "$(afw trash)" 'the trash is empty' "$1: only once"
	is "$(git for-each-ref refs/afw)" '' "$1: nothing is kept twice"
}

new dirty
echo x >>"$W/repo-dirty/README"
echo y >"$W/repo-dirty/untracked"
exit_is 0 'uncommitted work' afw rm dirty
like "$out" 'trash: 1 file changed, 1 untracked \(2 files in commit [0-9a-f]{10}\)' \
	'is kept, and said'
like "$out" 'afw trash restore dirty' 'with the way back'
is "$(afw ls -q)" '' 'the session is gone'
[ ! -e "$W/repo-dirty" ]
ok $? 'and the worktree'
restored dirty
is "$(cat "$W/repo-dirty/untracked")" y 'as it was'
is "$(tail -n 1 "$W/repo-dirty/README")" x 'what was changed too'
git -C "$W/repo-dirty" add -A
exit_is 0 'what is staged only' afw rm dirty --json
is "$(json saved)" '2 files changed' 'JSON says what'
isnt "$(json trash)" '' 'and where'
restored dirty
git -C "$W/repo-dirty" commit -qm work
exit_is 0 'committed' afw rm dirty
is "$out" "dirty: removed; branch af/dirty stays: the branch af/dirty has \
commits that no other branch has" 'the branch has the work and stays'
ok_cmd 'really' git show-ref -q --verify refs/heads/af/dirty
is "$(afw trash)" 'the trash is empty' 'nothing else is left'
waits_for 10 '[ ! -e "$W" ]' 'no directory'

# What git cannot look at.
new deep
cd "$W/repo-deep" || exit
perl -e 'for (1 .. 250) { mkdir "d"; chdir "d" or die } open F, ">f" or die'
# the names of so many .git directories are more than an answer has room for
perl -e 'for (1 .. 6) { $d = "n" x 240; mkdir $d; chdir $d or die }
	for (1 .. 3000) { mkdir; mkdir "$_/.git" or die }'
cd "$T/repo" || exit
exit_is 0 'directories 250 deep' afw rm deep
like "$out" 'trash: what git could not look at \(.*too deep' 'are kept'
like "$err" 'is in no commit, only in the directory' 'and said where'
restored deep
[ -e "$W/repo-deep/$(printf 'd/%.0s' {1..250})f" ]
ok $? 'whole'
rm -rf "$W/repo-deep"/[dn]*
exit_is 0 'then not' afw rm deep
new broken
echo x >"$W/repo-broken/file"
echo junk >"$T/repo/.git/worktrees/repo-broken/index"
exit_is 0 'an index that nobody can read' afw rm broken
restored broken
is "$(cat "$W/repo-broken/file")" x 'its files come back'
rm "$T/repo/.git/worktrees/repo-broken/index"
git -C "$W/repo-broken" reset -q --hard
rm "$W/repo-broken/file"
exit_is 0 'then not' afw rm broken

# A repository of commits alone, with all of its files gone, or ignored.
new nested
cd "$W/repo-nested" || exit
git init -q sub
git -C sub commit -q --allow-empty -m lonely
cd "$T/repo" || exit
for option in --json --delete-ignored; do
	exit_is 0 'a repository of commits alone' afw rm nested $option
	ok_cmd "is kept, with $option too" \
		test -d "$W"/.trash/*/tree/sub/.git/objects
	restored nested
done
is "$(git -C "$W/repo-nested/sub" log --format=%s)" lonely 'with its commits'
rm -rf "$W/repo-nested/sub"
mkdir "$W/repo-nested/env"
echo '*' >"$W/repo-nested/env/.gitignore"
echo note >"$W/repo-nested/env/notes"
exit_is 0 'a directory that ignores itself' afw rm nested
like "$out" 'trash: ignored files' 'is kept'
restored nested
git init -q "$W/repo-nested/env/dep"
exit_is 0 'a repository in what is ignored' afw rm nested --delete-ignored
is "$out" 'nested: removed, with its branch af/nested' \
	'goes with it, if the user says so'

# What is nowhere but in the index.
new staged
echo x >"$W/repo-staged/new"
git -C "$W/repo-staged" add new
blob=$(git -C "$W/repo-staged" rev-parse :new)
rm "$W/repo-staged/new"
exit_is 0 'staged as new, and no file any more' afw rm staged
like "$out" 'trash: 1 file changed' 'is kept'
git gc -q --prune=now
is "$(git cat-file -p "$blob")" x 'also from gc'
restored staged
is "$(git -C "$W/repo-staged" status --short)" 'AD new' 'and comes back'
git -C "$W/repo-staged" reset -q --hard
git -C "$W/repo-staged" checkout -q --orphan fresh
echo x >"$W/repo-staged/README"
git -C "$W/repo-staged" add -A
exit_is 0 'staged on a branch without a commit' afw rm staged
like "$out" 'trash: 1 file changed' 'is kept, too'
restored staged
is "$(cat "$W/repo-staged/README")" x 'and comes back'
git -C "$W/repo-staged" checkout -qf af/staged
exit_is 0 'clean again' afw rm staged
is "$out" 'staged: removed, with its branch af/staged' 'it goes'

new odd
cd "$W/repo-odd" || exit
echo '*.log' >>"$(git rev-parse --git-path info/exclude)"
echo note >notes.log
cd "$T/repo" || exit
exit_is 0 'an ignored file' afw rm odd
like "$out" 'trash: ignored files' 'is work too'
restored odd
is "$(cat "$W/repo-odd/notes.log")" note 'comes back'
mkdir "$W/repo-odd/none.log"
rm "$W/repo-odd/notes.log"
exit_is 0 'an empty directory' afw rm odd
is "$out" 'odd: removed, with its branch af/odd' 'is none'
new odd
echo note >"$W/repo-odd/notes.log"
exit_is 0 '--delete-ignored' afw rm odd --delete-ignored
is "$out" 'odd: removed, with its branch af/odd' 'if the user says so'
new odd
git -C "$W/repo-odd" update-index --assume-unchanged README
echo hidden >"$W/repo-odd/README"
exit_is 0 'a file that git does not look at' afw rm odd
like "$out" 'files that git does not look at' 'is kept'
restored odd
is "$(cat "$W/repo-odd/README")" hidden 'as it is'
git -C "$W/repo-odd" update-index --no-assume-unchanged README
git -C "$W/repo-odd" checkout -q -- README
git -C "$W/repo-odd" checkout -q --detach
git -C "$W/repo-odd" commit -q --allow-empty -m lonely
lonely=$(git -C "$W/repo-odd" rev-parse HEAD)
exit_is 0 'a commit that no branch has' afw rm odd
like "$out" "commit ${lonely:0:10}, which no branch has" 'is kept'
git gc -q --prune=now
restored odd
is "$(git -C "$W/repo-odd" rev-parse HEAD)" "$lonely" 'and comes back'
git -C "$W/repo-odd" checkout -q af/odd
git -C "$W/repo-odd" -c protocol.file.allow=always submodule add -q \
	"$T/repo" sub 2>/dev/null
git -C "$W/repo-odd" commit -qm 'a submodule'
git -C "$W/repo-odd/sub" commit -q --allow-empty -m 'in it alone'
in=$(git -C "$W/repo-odd/sub" rev-parse HEAD)
git -C "$W/repo-odd" commit -qam 'points at it'
exit_is 0 'a submodule' afw rm odd
like "$out" 'trash: a submodule' 'has its own commits: is kept'
restored odd
is "$(git -C "$W/repo-odd/sub" rev-parse HEAD)" "$in" 'comes back with them'
exit_is 0 'and goes again' afw rm odd
afw trash purge odd --yes >/dev/null 2>&1
rm -rf "$W"/.trash "$DATA"/trash/*
git for-each-ref --format='%(refname)' refs/afw | xargs -r -n 1 git update-ref -d
git branch -qD af/odd

# A run that died between the worktree and the session's files.
new cut
echo x >"$W/repo-cut/x"
exit_is 0 'rm' afw rm cut
id=$(ls "$DATA/trash")
mv "$DATA/trash/$id" "$DATA/sessions/$id"
exit_is 0 'again, after it died half way' afw rm cut
restored cut
is "$(cat "$W/repo-cut/x")" x 'it is whole'
rm "$W/repo-cut/x"
exit_is 0 'clean again' afw rm cut
is "$(afw trash)" 'the trash is empty' 'leaves nothing'

# Nothing goes where it cannot be saved.
if [ "$(id -u)" != 0 ]; then
	new unsaved
	echo x >"$W/repo-unsaved/secret"
	chmod 0 "$W/repo-unsaved/secret"
	refused 1 'secret' 'what cannot be read' afw rm unsaved
	[ -e "$W/repo-unsaved/secret" ]
	ok $? 'stays, with all else'
	rm -f "$W/repo-unsaved/secret"
	exit_is 0 'then not' afw rm unsaved
fi
new locked
git worktree lock "$W/repo-locked"
echo x >"$W/repo-locked/x"
refused 1 'is locked' 'a locked one is refused' afw rm locked
git worktree unlock "$W/repo-locked"
rm "$W/repo-locked/x"
exit_is 0 'then not' afw rm locked

new gone
rm -rf "$W/repo-gone"
exit_is 0 'a worktree deleted by hand' afw rm gone
is "$out" \
	'gone: removed, with its branch af/gone; its worktree was gone already' \
	'says so'
is "$(git worktree list | wc -l)" 1 'git knows nothing of it'
new gone
git -C "$W/repo-gone" commit -q --allow-empty -m alone
rm -rf "$W/repo-gone"
afw send gone --when-idle -- later >/dev/null
exit_is 0 'one with a message and a commit' afw rm -D gone
like "$out" 'branch af/gone stays: .*; its worktree .* already; 1 message' 'loses neither'
like "$out" 'afw trash restore gone' 'says where the message is'
ok_cmd 'the branch is there' git show-ref -q --verify refs/heads/af/gone
exit_is 0 'the session comes back' afw trash restore gone
is "$(afw status gone --json | "$BUILD/tests/tools/jsonget" queued)" 1 \
	'with its message'
rm -rf "$(session_dir gone)/queue"
git branch -qD af/gone
exit_is 0 'or goes into the trash' afw rm --trash gone
exit_is 0 'and for good' afw trash purge gone --yes

new keep
exit_is 0 '--keep-branch' afw rm --keep-branch keep
ok_cmd 'the branch stays' git show-ref -q --verify refs/heads/af/keep
new force
git -C "$W/repo-force" commit -q --allow-empty -m empty
tip=$(git rev-parse af/force)
exit_is 0 '-D' afw rm -D force --json
is "$(json removed)" true 'JSON'
is "$(json branch_deleted)" true 'the branch is gone'
is "$(json saved)" 'the commits of af/force' 'its commits are kept'
git gc -q --prune=now
restored force
is "$(git rev-parse af/force)" "$tip" 'the branch is back'
git merge -q af/force
exit_is 0 'merged' afw rm -D force
is "$out" 'force: removed, with its branch af/force' 'nothing to keep'
refused 2 'none of merged' 'a word nobody knows' afw rm force --branch no
refused 2 'exclude' 'either or' afw rm force -D --keep-branch
refused 3 'no session' 'unknown' afw rm force

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
dir=$(session_dir newer) || exit
cp -a "$dir" "$T/copy"
sed -i 's/"v":1/"v":9/' "$dir/spec.json"
refused 1 'newer afw' 'a newer one is left alone' afw rm "$(basename "$dir")"
like "$err" 'hint: the newer afw can' 'who can is said'
cp "$dir/spec.json" "$T/spec"
echo '{"v' >"$dir/spec.json"
refused 1 "hint: to forget it, delete $dir" 'so is what to do with what none can' \
	afw rm "$(basename "$dir")"
cp "$T/spec" "$dir/spec.json"
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
