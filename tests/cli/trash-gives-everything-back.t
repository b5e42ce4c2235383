#!/bin/bash
# rm: whatever is in the worktree is in a commit and in the directory, and
# comes back as it was; purge deletes it for good, and nothing else.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README tracked gone
cd "$T/repo" || exit
printf 'ignored\nbuild/\n' >.gitignore
echo '* text eol=crlf' >.gitattributes
git add -A 2>/dev/null
git commit -qm second
W=$T/.af_worktrees/repo-one

# all FILE: every name below W with its kind, mode and content.
all()
{
	(cd "$W" && find . -path ./.git -prune -o -printf '%p %y %m %l\n' |
		sort && find . -type f ! -path ./.git -print0 | sort -z |
		xargs -0 sha1sum && git status --porcelain=v2 --ignored &&
		git stash list && git rev-parse HEAD && git branch --show-current
	) >"$1" 2>&1
}
new()
{
	exit_is 0 "new $1" afw new "$1" -- cat
	exit_is 0 'stop' afw stop "$1"
}

new one
(
	cd "$W" || exit
	git commit -q --allow-empty -m 'on the branch'
	echo changed >tracked
	git add tracked 2>/dev/null
	echo 'changed again' >tracked
	rm gone
	printf 'a\r\nb\n\0c' >untracked
	printf '#!/bin/sh\n' >script
	chmod +x script
	echo x >ignored
	mkdir -p build/deep empty
	echo y >build/deep/file
	ln -s /nowhere link
	ln -s "$T" dirlink
	mkfifo fifo
	printf 'n' >"$(printf 'odd\n"name\377')"
)
all "$T/before"
staged=$(git -C "$W" rev-parse :tracked)
exit_is 0 'rm' afw rm one
like "$out" 'trash: 2 files changed, 5 untracked, ignored files \([0-9]+ files' \
	'says what it keeps'
like "$out" 'branch af/one stays' 'the branch has a commit of its own'
[ ! -e "$W" ]
ok $? 'the worktree is gone'
is "$(git worktree list | wc -l)" 1 'git knows nothing of it'
is "$(afw ls -q)" '' 'the session is gone'
is "$(ls "$RUN")" '' 'and its socket'
refused 3 'no session' 'nowhere' afw status one

exit_is 0 'ls' afw trash ls --json
is "$(json 0.name)" one 'it is in the trash'
ref=$(json 0.ref) kept=$(json 0.trash)
is "$ref" "refs/afw/trash/$(json 0.id)" 'its commit has a name'
is "$(json 0.unsaved)" '[]' 'nothing is missing in it'
is "$(git show "$ref:untracked" | sha1sum)" \
	"$(printf 'a\r\nb\n\0c' | sha1sum)" 'untracked files are in it as they are'
is "$(git show "$ref:build/deep/file")" y 'ignored ones'
is "$(git show "$ref:tracked")" 'changed again' 'changed ones'
is "$(git ls-tree "$ref" link script | cut -d' ' -f1 | tr '\n' ' ')" \
	'120000 100755 ' 'links and modes'
nok_cmd 'not what was deleted' sh -c "git cat-file -e $ref:gone 2>/dev/null"
ok_cmd 'what was staged is reachable' sh -c \
	"git rev-list --objects $ref | grep -q $staged"
ok_cmd 'git finds nothing wrong' git fsck --strict --no-dangling
is "$(cat "$kept/tree/untracked" | sha1sum)" \
	"$(printf 'a\r\nb\n\0c' | sha1sum)" 'the directory is kept too'
exit_is 0 'for people' afw trash
like "$out" 'one +repo' 'a table'

# the name is free; then it is in the way
git branch -m af/one af/kept
new one
refused 4 'session of that name again' 'restore where a new one is' \
	afw trash restore one
exit_is 0 'rm of clean work' afw rm one
is "$(afw trash ls --json | "$BUILD/tests/tools/jsonget" 1)" '' \
	'puts nothing in the trash'
git branch -m af/kept af/one
mkdir "$W"
refused 1 'not the directory' 'a directory in its place' afw trash restore one
rmdir "$W"
git worktree add -q "$T/other" af/one
refused 4 'checked out elsewhere' 'its branch is checked out' \
	afw trash restore one
git worktree remove "$T/other"
exit_is 0 'restore' afw trash restore one
all "$T/after"
is "$(diff "$T/before" "$T/after")" '' 'everything is as it was'
is "$(afw ls -q)" one 'the session too'
nok_cmd 'its trash is gone' test -e "$T/.af_worktrees/.trash"
nok_cmd 'and the reference' git rev-parse -q --verify "$ref"
refused 3 'no session .one. in the trash' 'once' afw trash restore one
exit_is 0 'it starts' afw start one
waits_for 5 'afw status one --json | grep -q "\"running\""' 'and runs'

# with the branch deleted
exit_is 0 'rm of a running one' afw rm --stop --trash -D one
nok_cmd 'the branch is gone' git rev-parse -q --verify af/one
git worktree prune
git gc -q --prune=now
git branch af/one main
refused 4 'branch af/one is not where it was.*git branch -m' \
	'a branch of that name elsewhere' afw trash restore one
git branch -m af/one af/another
exit_is 0 'restore after a gc' afw trash restore one
all "$T/after"
is "$(diff "$T/before" "$T/after")" '' 'everything is as it was, the branch too'
git branch -qD af/another

# purge
exit_is 0 'trash' afw rm -t one
refused 2 'no terminal' 'purge asks' afw trash purge
exit_is 0 'not old enough' afw trash purge --older-than 1h --yes
like "$out" 'nothing' 'is kept'
new one2
exit_is 0 'purge' afw trash purge one --yes
is "$out" 'one: purged' 'says so'
is "$(git for-each-ref refs/afw)" '' 'no reference'
waits_for 10 '[ "$(ls -A "$T/.af_worktrees")" = repo-one2 ]' 'no directory'
is "$(ls -A "$DATA/trash")" '' 'no files'
ok_cmd 'the branch, not merged, stays' git rev-parse -q --verify af/one
is "$(afw ls -q)" one2 'and the other session'

# what no commit can have is never deleted
git init -q "$T/.af_worktrees/repo-one2/nested"
echo z >"$T/.af_worktrees/repo-one2/nested/file"
exit_is 0 'with a nested repository' afw rm -t one2
like "$err" 'nested/.git is in no commit' 'says what is not saved'
ref=$(afw trash ls --json | "$BUILD/tests/tools/jsonget" 0.ref)
is "$(git show "$ref:nested/file")" z 'its files are'
refused 9 'nested/.git' 'purge leaves it' afw trash purge --yes
exit_is 0 'restore' afw trash restore one2
ok_cmd 'has it' test -d "$T/.af_worktrees/repo-one2/nested/.git"
rm -rf "$T/.af_worktrees/repo-one2/nested"
exit_is 0 'clean again' afw rm one2

# two at once
new two
afw rm -t two >"$T/null"
for i in 1 2 3; do
	{ afw trash restore two >"$T/r$i" 2>&1; echo $? >"$T/c$i"; } &
done
wait
is "$(cat "$T"/c[123] | grep -c '^0$')" 1 'restored once'
is "$(cat "$T"/c[123] | grep -c '^[34]$')" 2 'the others: conflict, or gone'
is "$(afw ls -q)" two 'and it is there'
echo x >"$T/.af_worktrees/repo-two/x"

# died after the worktree was moved, before the session's files were
exit_is 0 'trash' afw rm -t two
id=$(afw trash ls --json | "$BUILD/tests/tools/jsonget" 0.id)
mv "$DATA/trash/$id" "$DATA/sessions/$id"
exit_is 0 'again' afw rm -t two
exit_is 0 'restore' afw trash restore two
is "$(cat "$T/.af_worktrees/repo-two/x")" x 'is whole'
exit_is 0 'and away' afw rm -t two

# what only git's entry for the worktree names: the log of HEAD, a conflict
new three
W=$T/.af_worktrees/repo-three
(
	cd "$W" || exit
	echo precious >tracked
	git checkout -q --detach
	git commit -qam precious
	git rev-parse HEAD >"$T/named"
	git checkout -q af/three
	echo mine >tracked
	git stash -q
	echo theirs >tracked
	git commit -qam theirs
	git stash apply -q
	git ls-files -u | cut -d' ' -f2 >>"$T/named"
	git stash drop -q
	rm tracked
) >"$T/null" 2>&1
is "$(wc -l <"$T/named")" 4 'a commit and three sides of a conflict'
exit_is 0 'to the trash' afw rm three
git gc -q --prune=now
ok_cmd 'gc' git fsck --strict --no-dangling
exit_is 0 'restore' afw trash restore three
lost=$(git cat-file --batch-check <"$T/named" | grep missing)
is "$lost" '' 'gc has left all that git had kept'
ok_cmd 'and its logs are whole' git -C "$W" fsck --no-dangling
exit_is 0 'to the trash' afw rm three
exit_is 0 'for good' afw trash purge -y three
git gc -q --prune=now
is "$(git cat-file --batch-check <"$T/named" | grep -c missing)" 2 \
	'purge keeps nothing of it'

# on a terminal it asks
tmux_start 80 5 sh -c 'afw trash purge; echo over; cat'
tmux_wait_for 'Delete repo/two with all work in it for good? [y/N]'
ok $? 'asks, and says what for'
tmux_keys Enter
tmux_wait_for over
exit_is 0 'ls' afw trash ls --json
is "$(json 0.name)" two 'no answer is no'
tmux_stop
tmux_start 80 5 sh -c 'afw trash purge; echo over; cat'
tmux_wait_for '[y/N]'
tmux_keys y Enter
tmux_wait_for 'two: purged'
ok $? 'y is yes'
tmux_stop
refused 2 'none of ls' 'a word nobody knows' afw trash empty
refused 2 'which one' 'restore what' afw trash restore
exit_is 0 'ls' afw trash
is "$out" 'the trash is empty' 'is empty'

# what a branch follows goes with it, and comes back with it
git init -q --bare "$T/origin.git"
git remote add origin "$T/origin.git"
cp .git/config "$T/config"
follows()
{
	git config --get-regexp '^branch\.af/' | paste -sd '|'
}
pushed()
{
	new "$1"
	git -C "$T/.af_worktrees/repo-$1" push -q -u origin "af/$1"
}
pushed up.b
pushed up
exit_is 0 'rm of what is merged' afw rm up
is "$(follows)" "branch.af/up.b.remote origin|branch.af/up.b.merge \
refs/heads/af/up.b" 'leaves what another branch follows'
exit_is 0 'the trash' afw rm -t up.b
is "$(diff .git/config "$T/config")" '' 'all that is left is as it was'
new up
is "$(follows)" '' 'a new branch follows nothing'
exit_is 0 'restore' afw trash restore up.b
is "$(git rev-parse --abbrev-ref 'af/up.b@{u}')" origin/af/up.b \
	'one that comes back follows what it did'
exit_is 0 'rm' afw rm -t up.b
sed -i 's/"remote":"origin"/"remote":"ext::sh -c true"/' \
	"$T"/.af_worktrees/.trash/*/record.json
exit_is 0 'restore' afw trash restore up.b
is "$(follows)" '' 'nothing that somebody has put into the record'
exit_is 0 'rm' afw rm up up.b

# of several repositories, this one is meant
make_repo "$T/a/first"
make_repo "$T/b/second"
for dir in a/first b/second; do
	cd "$T/$dir" || exit
	new same
	echo x >"../.af_worktrees/${dir#*/}-same/x"
	exit_is 0 'rm' afw rm same
done
cd "$T" || exit
refused 4 'any of several' 'elsewhere a name of two is none' \
	afw trash restore same
refused 4 'any of several' 'nor for purge' afw trash purge -y same
cd "$T/a/first" || exit
exit_is 0 'here it is this one' afw trash restore same
like "$out" "in $T/a/.af_worktrees/first-same" 'restored'
exit_is 0 'rm' afw rm same
exit_is 0 'purge here' afw trash purge -y same
exit_is 0 'ls' afw trash ls --json
is "$(json 0.repository) $(json 1)" "$T/b/second " 'leaves the other one'

# the repository is gone
cd "$T/b/second" || exit
new left
mv "$T/b/second" "$T/b/elsewhere"
cd "$T" || exit
refused 1 "repository $T/b/second is gone.*hint: put it back.*$T/b/.af" \
	'rm of a session of it' afw rm left
refused 1 'hint: .*put it back' 'restore' afw trash restore same
# What has its name now is only a directory of another one.
git init -q "$T/b"
mkdir "$T/b/second"
exit_is 0 'purge' afw trash purge -y
rm -r "$T/b/second" "$T/b/.git"
is "$out" "same: purged; its repository $T/b/second is gone, so its files \
stay in $(echo "$T"/b/.af_worktrees/.trash/*)" 'says what it leaves'
is "$(cat "$T"/b/.af_worktrees/.trash/*/tree/x)" x 'and leaves it'
is "$(ls -A "$DATA/trash")" '' 'the session is forgotten'
mv "$T/b/.af_worktrees" "$T/b/away"
exit_is 0 'rm does as the hint says' afw rm left
like "$out" 'its repository was gone already' 'and says so'

# a name that is a command to the terminal
odd=$T/$'\033]0;evil\007'
make_repo "$odd"
cd "$odd" || exit
new odd
cd "$T"/.af_worktrees/*-odd && touch untracked && cd "$odd" || exit
for cmd in 'rm odd' 'trash ls' 'trash restore odd' 'rm odd' \
	'trash purge odd --yes'; do
	# shellcheck disable=SC2086
	run afw $cmd
	unlike "$code $out$err" $'^[^0]|[\033\007]' "$cmd: shows it harmlessly"
done
done_testing
