#!/bin/bash
# Spares: `new` takes a worktree that an earlier `new` or `rm` has made ahead. It
# is exactly what a new one would be, also after other commits, and nobody sees
# it as a session. What somebody has changed is not used, and not removed.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README a d/b d/c e/f
cd "$T/repo" || exit 2
W=$T/.af_worktrees
afw config set spare_free 0
printf '%s\n' .env /deps out >.gitignore
git add . && git commit -qm ignore
new() { afw new "$1" --no-start -- cat >"$T/new" 2>&1 || fail "new $1: $(cat "$T/new")"; }
spares() { find "$W" -maxdepth 1 -name '.spare-*' | wc -l; }
# Complete, and nobody makes more.
ready()
{
	[ "$(ls -d .git/worktrees/-spare-*/afw-spare 2>/dev/null | wc -l)" = "$1" ] &&
		[ "$(spares)" = "$1" ] && ! pgrep -f "^$BUILD/.*afw-worktree" >/dev/null
}
wait_spares() { wait_for "ready $1" "$1 spares"; }
# Another one than the one with that inode, which was of no use.
wait_other()
{
	wait_for "ready 1 && [ \$(inode \"$W\"/.spare-*) != $1 ]" 'another spare'
}
# What git and find see of a worktree, but for its name.
picture()
{
	(cd "$W/repo-$1" && git status --porcelain --ignored &&
		find . -not -path ./.git -printf '%p %m %y %l\n' | sort &&
		find . -type f -not -path ./.git -exec sha256sum {} + | sort &&
		git ls-files -s && git rev-parse 'HEAD^{tree}')
}
inode() { stat -c %i "$1"; }

# -- none are made without the option ------------------------------------------
exit_is 0 'new' afw new plain --no-start -- cat
is "$(spares)" 0 'no spare by default'

# -- one is made, and taken -------------------------------------------------------
afw config set spares 1
exit_is 0 'new' afw new first --no-start -- cat
wait_spares 1
spare=$(echo "$W"/.spare-*)
ino=$(inode "$spare")
is "$(afw ls -q | sort | xargs)" 'first plain' 'ls does not show it'
like "$(git worktree list)" "$spare +[0-9a-f]+ \(detached HEAD\)" 'git does'
git worktree prune
ok_cmd 'git worktree prune leaves it' test -e ".git/worktrees/-${spare##*/.}/HEAD"
exit_is 0 'reconcile' afw reconcile
is "$out" 'everything is as it is recorded' 'it is in order'
exit_is 0 'new' afw new two --no-start -- cat
is "$(inode "$W/repo-two")" "$ino" 'new has taken it'
is "$(git -C "$W/repo-two" rev-parse --abbrev-ref HEAD)" af/two 'on its branch'
is "$(git -C "$W/repo-two" status --porcelain)" '' 'git finds nothing changed'
is "$(picture two)" "$(picture plain)" 'it is what a new one is'
is "$(cd .git/worktrees/repo-two && echo *)" "$(cd .git/worktrees/repo-plain && echo *)" \
	"git's entry, too"
wait_spares 1
echo change >"$W/repo-two/a"
is "$(git -C "$W/repo-two" diff --stat | wc -l)" 2 'a change there is seen'
exit_is 0 'rm' afw rm two
like "$out" 'kept in the trash .* a is changed' 'and is kept as any other'
wait_spares 1

# -- other commits since: only what differs is written -------------------------------
echo more >>a && chmod +x d/b && git rm -q -r e && mkdir -p g/h && echo new >g/h/i &&
	ln -s a link && git add . && git commit -qm other
ino=$(inode "$W"/.spare-*)
unchanged=$(inode "$W"/.spare-*/d/c)
new three
is "$(inode "$W/repo-three")" "$ino" 'a spare of an older commit is taken'
is "$(inode "$W/repo-three/d/c")" "$unchanged" 'a file that did not change stays'
wait_spares 1
afw config set spares 0
rm -rf "$W"/.spare-* && git worktree prune
new fresh
is "$(picture three)" "$(picture fresh)" 'it is what a new one is'
is "$(git -C "$W/repo-three" status --porcelain)" '' 'git finds nothing changed'
is "$(git -C "$W/repo-three" write-tree)" "$(git rev-parse 'HEAD^{tree}')" \
	"its index has the commit's tree"
afw config set spares 1
new four && wait_spares 1
echo '* text' >.gitattributes && git add . && git commit -qm attributes
ino=$(inode "$W"/.spare-*)
new five
isnt "$(inode "$W/repo-five")" "$ino" 'not if attributes changed: other files depend on them'
is "$(git -C "$W/repo-five" status --porcelain)" '' 'a new one was made'
wait_other "$ino"

# -- copied files, and setup_spare ----------------------------------------------------
echo secret >.env && mkdir deps && echo lib >deps/lib
afw config set copy '.env deps'
ino=$(inode "$W"/.spare-*)
afw config set setup_spare 'sh -c "pwd >out; nice >>out"'
afw config set setup 'sh -c "pwd >made"'
new six
is "$(head -1 "$W/repo-six/out")" "$W/repo-six" 'a spare of another configuration is not taken'
wait_other "$ino"
like "$(cat "$W"/.spare-*/out)" $'/.spare-[0-9a-f]+\n19$' \
	'the old one was replaced; setup_spare has run in it, at the lowest priority'
ok_cmd 'setup has not' test ! -e "$W"/.spare-*/made
new seven
like "$(cat "$W/repo-seven/out")" '/\.spare-' 'the next one has it'
is "$(cat "$W/repo-seven/.env" "$W/repo-seven/deps/lib" "$W/repo-seven/made")" \
	$'secret\nlib\n'"$W/repo-seven" 'and the copies, and setup'
wait_spares 1
is "$(afw status seven --json | "$BUILD/tests/tools/jsonget" files_changed)" \
	"$(afw status six --json | "$BUILD/tests/tools/jsonget" files_changed)" \
	'copies count as little as ever'
ino=$(inode "$W"/.spare-*)
echo other >>.env
new eight
isnt "$(inode "$W/repo-eight")" "$ino" 'not if a copied file has changed since'
is "$(tail -1 "$W/repo-eight/.env")" other 'the new one is copied'
wait_other "$ino"
ino=$(inode "$W"/.spare-*)
touch deps/more
new nine
ok_cmd 'nor if there is one more' test -e "$W/repo-nine/deps/more"
afw config set setup_spare false
afw config set spares 2
exit_is 1 'new with a setup_spare that fails' afw new no --no-start -- cat
like "$err" 'the setup command false failed with exit code 1' 'says so'
like "$err" 'afw config -v setup_spare' 'and where it is set'
afw config unset setup_spare
afw config unset setup
afw config unset copy

# -- what somebody changed is not used, and stays ---------------------------------------
afw config set spares 1
new ten && wait_spares 1
spare=$(echo "$W"/.spare-*)
for change in 'echo mine >mine' 'echo mine >>README' 'chmod 600 a' 'rm a' 'mkdir empty' \
	'echo x >d/new' 'git commit -q --allow-empty -m mine'; do
	(cd "$spare" && eval "$change")
	n=$((${n-0} + 1))
	exit_is 0 "new beside a spare with: $change" afw new "c$n" --no-start -- cat
	ok_cmd 'the spare is not taken' test -d "$spare"
	exit_is 0 'reconcile' afw reconcile --apply
	like "$out" "the spare worktree $spare was changed" 'reconcile says so'
	ok_cmd 'and leaves it' test -d "$spare"
	like "$out" 'make a branch of commits that were made there' \
		'the hint loses no commit'
	wait_for 'ready 2' 'another one is made'
	grep -o '`git [^`]*`' <<<"$out" | tr -d '`' >"$T/hint"
	exit_is 0 'the hint shows and removes it' sh -ec "$(<"$T/hint")"
	nok_cmd 'with what was changed' test -d "$spare"
	afw config set spares 0
	wait_for '! pgrep -f "^$BUILD/.*afw-worktree"' 'nobody makes one'
	rm -rf "$W"/.spare-* && git worktree prune
	afw config set spares 1
	new "e$n" && wait_spares 1
	spare=$(echo "$W"/.spare-*)
done

# -- two at once ------------------------------------------------------------------------
wait_spares 1
for name in left middle right; do
	afw new $name --no-start -- cat >"$T/$name" 2>&1 &
	pids+=($!)
done
n=0
for pid in "${pids[@]}"; do wait "$pid" && n=$((n + 1)); done
is "$n" 3 'three at once, with one spare: each gets a worktree'
is "$(for name in left middle right; do
	git -C "$W/repo-$name" status --porcelain
	git -C "$W/repo-$name" rev-parse --abbrev-ref HEAD
done | xargs)" 'af/left af/middle af/right' 'and it is its own'
wait_for 'ready 1' 'one spare, after three runs that make some'

# -- no more than the disk allows, and fewer when fewer are wanted ----------------------
afw config set spares 0
afw rm e1 >"$T/rm"
wait_for '[ "$(spares)" = 0 ]' 'rm removes those that are too many'
wait_for '! ls -d .git/worktrees/-spare-* 2>/dev/null' "with git's entries"
afw config set spare_free 100
afw config set spares 1
new full
wait_for '! pgrep -f "^$BUILD/.*afw-worktree"' 'the run that would make one has ended'
is "$(spares)" 0 'none if less of the disk is free than spare_free'
run afw doctor
like "$out" 'warn +spares +less than 100 % of the disk of .* is free' 'doctor says so'
like "$out" 'hint: spares: `afw config set spare_free N`' 'and what to do'
exit_is 0 'reconcile' afw reconcile
is "$out" 'everything is as it is recorded' 'and nothing is left of it'
# -- auto: for a repository with two sessions of a day --------------------------------
make_repo "$T/other"
cd "$T/other" || exit 2
exit_is 0 'the hint' afw config set spare_free 0
run afw doctor
unlike "$out" 'spares' 'ends that'
afw config set spares auto
new alone
wait_for '! pgrep -f "^$BUILD/.*afw-worktree"' 'nobody makes one'
is "$(spares)" 0 'none after the first session'
new beside
wait_spares 1
refused 1 'it must be auto or a number' 'another value is refused' afw config set spares many
done_testing
