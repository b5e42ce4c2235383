#!/bin/bash
# rm moves everything in the worktree to the trash, and restore restores it
# unchanged; purge deletes it for good, and nothing else.
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
exit_is 0 'rm' afw rm one
like "$out" 'branch af/one stays' 'the branch has a commit of its own'
[ ! -e "$W" ]
ok $? 'the worktree is gone'
like "$(git worktree list)" '\.trash/.*detached HEAD.* locked' \
	'git has it in the trash, locked'
is "$(afw ls -q)$(ls "$RUN")" '' 'the session is gone'
refused 3 'no session' 'nowhere' afw status one
exit_is 0 'ls' afw trash ls --json
is "$(json 0.name)" one 'it is in the trash'
nok_cmd 'its content was not checked' json_has 0.holds
exit_is 0 'ls --holds' afw trash ls --holds
like "$out" 'HOLDS.* (is changed|is in no commit|is staged|is deleted)' 'says that it holds work'
exit_is 0 'ls' afw trash ls --holds --json
like "$(json 0.holds)" ' is ' 'in words'
kept=$(json 0.trash)
is "$(sha1sum <"$kept/untracked")" "$(printf 'a\r\nb\n\0c' | sha1sum)" \
	'with its files'
is "$(git for-each-ref refs/afw)" '' 'no reference is made'
exit_is 0 'for people' afw trash
like "$out" 'one +repo +[0-9]+[smh] +14d +[0-9]+K +1[0-9]' \
	'a table, with its size, and when it goes'

# the name is free; then it is in the way
git branch -m af/one af/kept
new one
refused 4 'session of that name \(.*afw rm one' 'restore where a new one is' \
	afw trash restore one
exit_is 0 'rm of clean work' afw rm one
waits_for '[ "$(afw trash ls -q | wc -l)" = 1 ]' \
	'leaves nothing in the trash'
git branch -m af/kept af/one
mkdir "$W"
refused 1 'not the directory' 'a directory in its place' afw trash restore one
rmdir "$W"
exit_is 0 'restore' afw trash restore one
all "$T/after"
is "$(diff "$T/before" "$T/after")" '' 'everything is as it was'
is "$(afw ls -q)" one 'the session too'
nok_cmd 'its trash is gone' test -e "$T/.af_worktrees/.trash"
refused 3 'no session .one. in the trash' 'once' afw trash restore one
exit_is 0 'rm' afw rm one
git worktree add -q "$T/other" af/one
exit_is 0 'its branch is checked out' afw trash restore one
like "$err" 'HEAD is detached: .*af/one is checked out elsewhere' 'is reported'
git worktree remove "$T/other"
git -C "$W" checkout -q af/one 2>"$T/null"
all "$T/after"
is "$(diff "$T/before" "$T/after")" '' 'nothing is lost by that'
exit_is 0 'it starts' afw start one
waits_for 'afw status one --json | grep -q "\"running\""' 'and runs'

# with the branch deleted
exit_is 0 'rm of a running one' afw rm --stop --trash -D one
nok_cmd 'the branch is gone' git rev-parse -q --verify af/one
git worktree prune
git gc -q --prune=now
git branch af/one main
exit_is 0 'its name is taken' afw trash restore one
like "$err" 'HEAD is detached: the branch af/one has moved on' 'is reported'
git branch -qD af/one
git -C "$W" checkout -qb af/one
all "$T/after"
is "$(diff "$T/before" "$T/after")" '' 'everything is as it was'

# purge
exit_is 0 'trash' afw rm -t one
refused 2 'no terminal' 'purge asks' afw trash purge
exit_is 0 'not old enough' afw trash purge --older-than 1h --yes
like "$out" 'nothing' 'is kept'
new one2
exit_is 0 'purge' afw trash purge one --yes
is "$out" 'one: purged' 'says so'
is "$(ls "$T/.af_worktrees") $(ls .git/worktrees)" 'repo-one2 repo-one2' \
	'no directory, and no entry'
is "$(ls -A "$DATA/trash")" '' 'no files'
ok_cmd 'the branch, not merged, stays' git rev-parse -q --verify af/one
is "$(afw ls -q)" one2 'and the other session'

exit_is 0 'trash' afw rm -t one2
exit_is 0 'restore' afw trash restore one2
is "$(git -C "${W%one}one2" status --short)" '' 'it is whole'
exit_is 0 'and goes' afw rm one2

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

exit_is 0 'trash' afw rm -t two

# on a terminal it asks
tmux_start 80 5 sh -c 'afw trash purge; echo over; cat'
tmux_wait_for 'Delete repo/two with all work in it for good? [y/N]' \
	'asks, and says what for'
tmux_keys Enter
tmux_wait_for over
exit_is 0 'ls' afw trash ls --json
is "$(json 0.name)" two 'no answer is no'
tmux_stop
tmux_start 80 5 sh -c 'afw trash purge; echo over; cat'
tmux_wait_for '[y/N]'
tmux_keys y Enter
tmux_wait_for 'two: purged' 'y is yes'
tmux_stop
refused 2 'not one of ls' 'an unknown word' afw trash empty
refused 2 'trash restore: NAME is missing' 'restore what' afw trash restore
exit_is 0 'ls' afw trash
is "$out" 'the trash is empty' 'is empty'

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
refused 4 'any of several' 'elsewhere a name of two sessions is ambiguous' \
	afw trash restore same
refused 4 'any of several' 'and not for purge' afw trash purge -y same
cd "$T/a/first" || exit
exit_is 0 'here it is this one' afw trash restore same
like "$out" "in $T/a/.af_worktrees/first-same" 'restored'
exit_is 0 'rm' afw rm same
exit_is 0 'purge here' afw trash purge -y same
exit_is 0 'ls' afw trash ls --json
is "$(json 0.repository)" "$T/b/second" 'leaves the other one'
nok_cmd 'alone' json_has 1

# the repository is gone
cd "$T/b/second" || exit
new left
mv "$T/b/second" "$T/b/elsewhere"
cd "$T" || exit
refused 1 "repository is not at $T/b/second.*hint: put it back.*$T/b/.af" \
	'rm of a session of it' afw rm left
refused 1 'hint: .*put it back' 'restore' afw trash restore same
# What has its name now is only a directory of another one.
git init -q "$T/b"
mkdir "$T/b/second"
exit_is 0 'purge' afw trash purge -y
rm -r "$T/b/second" "$T/b/.git"
is "$out" "same: purged; its repository is not at $T/b/second, so its files \
stay in $(echo "$T"/b/.af_worktrees/.trash/*)" 'says what it leaves'
is "$(cat "$T"/b/.af_worktrees/.trash/*/x)" x 'and leaves it'
is "$(ls -A "$DATA/trash")" '' 'the session is forgotten'
mv "$T/b/.af_worktrees" "$T/b/away"
exit_is 0 'rm does as the hint says' afw rm left
like "$out" 'its repository was not there' 'and says so'

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
