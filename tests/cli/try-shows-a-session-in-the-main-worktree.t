#!/bin/bash
# afw try puts a session's state into the main worktree, and --end puts back what
# was there; what was edited meanwhile comes back to the session.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/repositories.sh"
git config --global advice.detachedHead false
W=$T/.af_worktrees
export DEMO_SPEED=20

# everything [DIR]: what the user has there.
everything()
{
	(
		cd "${1-.}" || exit
		cat "$(git rev-parse --git-dir)/HEAD"
		git rev-parse HEAD main
		git status --porcelain --ignored
		git ls-files -s
		find . \( -name .git -o -name .af_worktrees \) -prune -o -printf '%p %y %m %l\n' -type f \
			-exec sha1sum {} + | sort
	) 2>&1
}
# work DIR: what an agent does.
work()
{
	(
		cd "$1" || exit
		echo more >>README
		mkdir -p dir/new && echo new >dir/new/file
		git rm -q gone && chmod +x dir/a && ln -s a dir/link
		git add -A && git commit -qm work
		echo 'not committed' >>README
		echo untracked >untracked
		chmod 600 dir/b
	)
}
files()
{
	git -C "$1" ls-files -co --exclude-standard -z | sort -uz |
		(cd "$1" && xargs -0 sh -c 'for i; do [ ! -e "$i" ] ||
			stat -c "%n %A" "$i"; [ ! -f "$i" ] || sha1sum "$i"; done' -)
}
tries() { exit_is 0 "try $*" afw try "$@"; }
ends() { exit_is 0 "${*:-try} ends" afw try --end; }

# -- there and back -------------------------------------------------------------

make_repo "$T/repo" README dir/a dir/b gone ignored.txt
cd "$T/repo" || exit 2
git rm -q --cached ignored.txt
printf '*.txt\nempty/\n' >.gitignore
git add .gitignore && git commit -qm ignore
mkdir -p empty/deep own
echo mine >notes
exit_is 0 'a session' afw new one --no-start -- cat
work "$W/repo-one"
before=$(everything)
session=$(everything "$W/repo-one")
tries one
like "$out" "one: its state is in $T/repo now, as the commit [0-9a-f]+, which has its uncommitted" \
	'it says so'
is "$(files . | grep -v notes)" "$(files "$W/repo-one")" 'the files are those of the session'
is "$(cat README)" $'this is README\nmore\nnot committed' 'its uncommitted changes, too'
is "$(git status --porcelain)" '?? notes' 'all of it is in the commit'
is "$(git symbolic-ref -q HEAD)" '' 'which is on no branch'
is "$(git rev-parse HEAD~1)" "$(git rev-parse af/one)" 'but on top of the session'
is "$(cat notes ignored.txt)" $'mine\nthis is ignored.txt' 'untracked and ignored files stay'
run afw ls
like "$err" "repo has the state of one: .afw try --end., there," 'ls says it'
run afw doctor --json
like "$out" '"main worktree","result":"warn","detail":"[^"]*repo has the state of one"' 'and so does doctor'
run afw reconcile --json
like "$out" '"kind":"tried"' 'and reconcile'
exit_is 0 'a session that is made meanwhile' afw new after --no-start --json -- cat
is "$(git rev-parse af/after) $(json base)" "$(git rev-parse main) main" \
	'begins with the branch of before'
afw rm -y after >/dev/null
ends
is "$(everything)" "$before" 'everything is as before'
is "$(everything "$W/repo-one")" "$session" 'in the session, too'
is "$(ls .git | grep afw)" '' 'nothing is left in .git'
exit_is 0 'and reconcile finds nothing' afw reconcile
is "$out" 'everything is as it is recorded' 'at all'

# -- what was edited meanwhile ----------------------------------------------------

exit_is 0 'as an object, from elsewhere' env -C / afw try one --json
is "$(json uncommitted)" true 'with its members'
echo edited >>README
rm untracked
mkdir -p made/here && printf '#!/bin/sh\n' >made/here/x && chmod +x made/here/x
git add made
rm dir/link && mkdir dir/link && echo now >dir/link/is
echo private >secret && chmod 600 secret
echo 'my own' >>notes
exit_is 0 'and the end' afw try --end --json
is "$(json restored)" true 'has members, too'
like "$out" '"edited":\["README","dir/link","dir/link/is","made/here/x","secret","untracked"\]' 'which name what was edited'
is "$(everything | grep -v notes)" "$(grep -v notes <<<"$before")" 'the main worktree is as before'
is "$(cat notes)" $'mine\nmy own' 'except an untracked file that was edited'
echo mine >notes
cd "$W/repo-one" || exit 2
is "$(git status --porcelain)" ' M README
 D dir/link
?? made/
?? secret' 'the session has it, uncommitted'
is "$(tail -n 1 README; cat dir/link/is; stat -c %a made/here/x secret)" $'edited\nnow\n775\n600' 'as it was'
cd "$T/repo" || exit 2
exit_is 0 'an undo takes it out' afw undo one --redo -y --no-tell
is "$(everything "$W/repo-one")" "$session" 'all of it'

# Both the user and the agent.
git init -q "$W/repo-one/inner"
tries one
is "$(grep left <<<"$err")" 'afw: one: left out: inner/' 'a repository inside it is left out, as is said'
rm -r "$W/repo-one/inner"
echo mine >>README
echo other >other
echo theirs >>"$W/repo-one/README"
before=$(everything)
refused 4 "README was edited in $T/repo, and changed in 'one', too.*stash -u" \
	'what both have changed is refused' afw try --end
is "$(everything)" "$before" 'nothing is changed'
nok_cmd 'in the session neither' test -e "$W/repo-one/other"
exit_is 0 'the hint' git stash -u
ends
is "$(git stash show --include-untracked --name-only | sort)" $'README\nnotes\nother' 'git has it'
git stash drop -q
echo mine >notes
# The same change in both is no conflict.
tries one
echo same | tee -a README >>"$W/repo-one/README"
ends
is "$(git -C "$W/repo-one" status --porcelain README)" ' M README' 'the same change in both is there once'

# -- refused -----------------------------------------------------------------------

exit_is 0 'two' afw new two --no-start -- cat
tries one
refused 4 "has the state of 'one'.*try --end" 'one at a time' afw try two
refused 4 "its state is in $T/repo.*try --end" 'rm of that one' afw rm one
refused 4 "has the state of 'one' instead of main" 'a merge into its branch' afw merge two --into main
exit_is 0 'rm of another works' afw rm two
refused 2 'either a session or --end' 'both' afw try --end one
ends
refused 1 'has the state of no session.*afw try NAME' 'no end without a try' afw try --end
echo dirty >>README
refused 4 'has uncommitted changes: README.*stash' 'a change' afw try one
git add README
refused 4 $'has uncommitted changes: README\n' 'a staged one' afw try one
git rm -q gone
refused 4 'has uncommitted changes: README and more' 'several' afw try one
git reset -q --hard
echo dirty >>README
git checkout -q HEAD -- README
git rm -q --cached README
refused 4 'has uncommitted changes: README' 'a file that git no longer tracks' afw try one
git reset -q
echo another >untracked
refused 4 'untracked is untracked in .*, and the session has another one' \
	'an untracked file of the same name' afw try one
is "$(cat untracked; git symbolic-ref HEAD)" $'another\nrefs/heads/main' 'and it is not touched'
git -C "$W/repo-one" add untracked
echo /untracked >>.git/info/exclude
refused 4 'untracked is untracked in .*, and the session has another one' \
	'an ignored one' afw try one
is "$(cat untracked)" another 'is not touched, either'
sed -i '$d' .git/info/exclude
git -C "$W/repo-one" rm -q --cached untracked
rm untracked
exit_is 0 'a session here' afw new here --here --no-start -- cat
refused 4 "session 'here' works in" 'the main worktree of a session' afw try one
exit_is 1 'or itself' afw try here
exit_is 0 'rm' afw rm here
exit_is 0 'one without git' afw new scratch --scratch --no-start -- cat
run afw try scratch
isnt "$code" 0 'has nothing to try'
exit_is 0 'rm' afw rm scratch
git checkout -q -b side
git commit -q --allow-empty -m side
git merge -q --no-commit --no-ff main 2>/dev/null || :
git checkout -q main

# -- git goes on meanwhile -----------------------------------------------------------

tries one
git checkout -q main
exit_is 0 'the end after a checkout' afw try --end
like "$out" 'is on main already, and is left as it is' 'is none'
is "$(git status --porcelain)" '?? notes' 'and changes nothing'
tries one
echo committed >>README
git commit -qam mine
refused 4 'which was committed on top.*reset --soft' 'a commit' afw try --end
sh -c "$(grep -oE '`git[^`]*' <<<"$err" | tr -d '`')"
ends
is "$(tail -n 1 "$W/repo-one/README")" committed 'which is not committed any more comes back'
tries one
echo '{}' >.git/afw-try
refused 1 'afw-try: a member is missing.*check out a branch' 'a damaged record' afw try --end
echo '{' >.git/afw-try
refused 1 'afw-try: not JSON.*check out a branch' 'one that is no JSON' afw try one
git switch -q main
rm .git/afw-try
is "$(git status --porcelain)" '?? notes' 'the hint helps'
tries one
git branch -f main side
old=$(git rev-parse side~1)
exit_is 0 'the end if the branch was moved' afw try --end
like "$err" "main was moved meanwhile: .git -C $T/repo switch main" 'says so'
is "$(git rev-parse HEAD)" "$old" 'and has the old commit'
is "$(git status --porcelain)" '?? notes' 'with its files'
git switch -q main
tries one
rm -rf "$(session_dir one)"
echo edited >>README
refused 3 "the session 'one' is gone.*stash -u" 'a session that is gone' afw try --end
git checkout -q README
ends
is "$(git symbolic-ref HEAD)" refs/heads/main 'without edits it ends'
git worktree remove --force "$W/repo-one" && git branch -q -D af/one

# -- what an agent could have written -------------------------------------------------

exit_is 0 'three' afw new three --no-start -- cat
echo '* filter=evil' >"$W/repo-three/.gitattributes"
echo theirs >"$W/repo-three/file"
git -C "$W/repo-three" add -A && git -C "$W/repo-three" commit -qm three
for what in clean smudge; do
	git config filter.evil.$what "touch $T/ran; cat"
done
git config core.fsmonitor "$T/hook"
printf '#!/bin/sh\ntouch %s\n' "$T/ran" >"$T/hook"
for what in post-checkout post-commit reference-transaction post-index-change; do
	cp "$T/hook" .git/hooks/$what
	chmod +x .git/hooks/$what "$T/hook"
done
tries three
is "$(cat file)" theirs 'its files are there'
echo edited >>file
ends
is "$(cat "$W/repo-three/file")" $'theirs\nedited' 'and come back'
nok_cmd 'no hook or filter has run' test -e "$T/ran"
git config --unset core.fsmonitor
git config --remove-section filter.evil
rm .git/hooks/*
ln -s "$T" "$W/repo-three/link"
mkdir "$T/outside"
tries three
rm link && mkdir -p link/outside && echo x >link/outside/file
ends
is "$(ls "$T/outside")" '' 'no link is followed'
is "$(cat "$W/repo-three/link/outside/file")" x 'what replaces one comes back'
exit_is 0 'rm' afw rm -D three

# What the session no longer ignores is the user's.
exit_is 0 'four' afw new four --no-start -- cat
: >"$W/repo-four/.gitignore"
before=$(everything)
tries four
like "$out" $'\n  left alone ignored.txt' 'what it ignores no more is named'
echo more >>ignored.txt
ends
nok_cmd 'it is not brought' test -e "$W/repo-four/ignored.txt"
is "$(tail -n 1 ignored.txt)" more 'but stays where it is'
is "$(everything | grep -v ignored.txt)" "$(grep -v ignored.txt <<<"$before")" 'the rest is as before'
exit_is 0 'rm' afw rm -D four

# -- a sandboxed session ---------------------------------------------------------------

if [ -e "$BUILD/afw" ] && (needs_landlock) >"$T/null" 2>&1; then
	exit_is 0 'one in a sandbox' afw new box --sandbox landlock -- cat
	run afw exec box -- sh -c 'echo 1 >>README; git add -A; git commit -qm box; echo 2 >>README'
	tries box
	is "$(tail -n 2 README)" $'1\n2' 'a commit of its own git directory'
	echo 3 >>README
	ends
	is "$(tail -n 3 "$W/repo-box/README")" $'1\n2\n3' 'the edit is there'
	run afw exec box -- git log --format=%s -1
	is "$out" box 'its commits as before'
	exit_is 0 'rm' afw rm -D --stop box
fi

# -- from elsewhere ------------------------------------------------------------------------

exit_is 0 'a session' afw new far --no-start -- cat
exit_is 0 'try from elsewhere' env -C / afw try far
like "$err" 'hint: `afw try --end`, there, puts back what was there, and' 'says where it ends'
refused 1 'not in a repository.*hint: `afw ls` names the main worktrees' \
	'not elsewhere' env -C / afw try --end
run env -C / afw ls
like "$err" "$PWD has the state of far: .afw try --end., there," 'which it does'
ends
exit_is 0 'rm' afw rm far
# -- every kind of repository -----------------------------------------------------------

for kind in plain spaces module separate core_worktree shallow detached inside \
	ignorecase autocrlf shared sparse; do
	mkdir "$T/$kind" && cd "$T/$kind" || exit 2
	make_$kind >"$T/null" 2>&1 && cd "$repo" || { fail "$kind is made"; continue; }
	exit_is 0 "$kind: a session" afw new "$kind" --no-start -- cat
	run afw status "$kind" --json
	at=$(json worktree)
	echo more >>"$at/README"
	echo new >"$at/new"
	before=$(everything)
	tries "$kind"
	is "$(cat README new)" "$(cat "$at/README" "$at/new")" "$kind: its files"
	is "$(git status --porcelain)" '' "$kind: and all of them are in the commit"
	echo edited >>new
	ends "$kind"
	is "$(everything)" "$before" "$kind: as before"
	is "$(cat "$at/new")" $'new\nedited' "$kind: the edit is in the session"
	exit_is 0 "$kind: rm" afw rm -D "$kind"
done
mkdir "$T/narrow" && cd "$T/narrow" && base narrow && cd "$repo" || exit 2
exit_is 0 'a session of one directory' afw new narrow --sparse dir --no-start -- cat
run afw status narrow --json
echo more >>"$(json worktree)/dir/a"
git commit -q --allow-empty -m more
before=$(everything)
tries narrow
is "$(tail -n 1 dir/a; cat out/side)" $'more\nthis is out/side' 'what it leaves out stays'
is "$(git status --porcelain)" '' 'and all of it is in the commit'
echo edited >>out/side
refused 4 'out/side was edited in' 'an edit of that cannot be brought' afw try --end
git stash -q
ends narrow
is "$(everything)" "$before" 'and is as before'
exit_is 0 'rm' afw rm -D narrow
mkdir "$T/bare" && cd "$T/bare" && make_bare_beside && cd "$repo" || exit 2
exit_is 0 'in a bare repository' afw new bare --no-start -- cat
refused 1 'is bare: it has no main worktree' 'there is nothing to put it in' afw try bare
done_testing
