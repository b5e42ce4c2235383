#!/bin/bash
# rm --trash: whatever is in the worktree is in a commit and in the directory,
# and comes back as it was; purge deletes it for good, and nothing else.
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
refused 1 'not committed.*' 'rm refuses' afw rm one
like "$err" 'rm --trash' 'and says what would help'
exit_is 0 'rm --trash' afw rm --trash one
like "$out" 'one: removed to the trash: [0-9]+ files in commit' 'says so'
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
exit_is 0 'restore after a gc' afw trash restore one
all "$T/after"
is "$(diff "$T/before" "$T/after")" '' 'everything is as it was, the branch too'

# purge
exit_is 0 'trash' afw rm -t one
refused 2 'no terminal' 'purge asks' afw trash purge
exit_is 0 'not old enough' afw trash purge --older-than 1h --yes
like "$out" 'nothing' 'is kept'
new one2
exit_is 0 'purge' afw trash purge one --yes
is "$out" 'one: purged' 'says so'
is "$(git for-each-ref refs/afw)" '' 'no reference'
is "$(ls -A "$T/.af_worktrees")" 'repo-one2' 'no directory'
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

# on a terminal it asks
tmux_start 80 5 sh -c 'afw trash purge; echo over; cat'
tmux_wait_for '[y/N]'
ok $? 'asks'
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
done_testing
