#!/bin/bash
# afw commit commits an agent's uncommitted work as the user on its branch, as
# git would. Its hooks have another script.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README gone d/one d/two
cd "$T/repo" || exit 2
printf '*.log\n' >.gitignore
git add -A && git commit -qm ignore
tip() { git rev-parse "${1:-af/x}"; }

exit_is 0 'a session' afw new x --no-start -- cat
tree=$T/.af_worktrees/repo-x
refused 1 'all of its work is committed' 'nothing is left to commit' afw commit x -m no
echo more >>"$tree/README"; rm "$tree/gone"; echo new >"$tree/new"; ln -s new "$tree/link"
mkdir "$tree/dir"; echo 'in dir' >"$tree/dir/a b"; chmod +x "$tree/d/two"
echo ignored >"$tree/x.log"; echo staged >"$tree/staged"; git -C "$tree" add staged
echo unstaged >>"$tree/staged"
mkdir "$tree/nested"; git init -q "$tree/nested"; git -C "$tree/nested" commit -q --allow-empty -m n; echo n >"$tree/nested/n"
refused 2 'a message is needed: -m' 'without a message or a terminal' afw commit x
refused 2 'the message is empty' 'an empty message' afw commit x -m ' '
afw diff --staged x >"$T/staged"
is "$(grep ^+ "$T/staged" | tr '\n' ' ')" '+++ b/staged +staged ' 'diff --staged has the index'
afw diff -u x >"$T/uncommitted"
is "$(grep -c '^diff --git' "$T/uncommitted")|$(grep -c '^+unstaged' "$T/uncommitted")" '7|1' \
	'diff -u has all that a commit would'
refused 2 'uncommitted cannot be combined with --staged' 'not both' afw diff -u --staged x
old=$(tip)
exit_is 0 'a commit' env GIT_COMMITTER_NAME=Ann afw commit x -m 'all of it'
like "$out" 'af/x: [0-9a-f]+, 7 files.*  README.*  dir/a b.*  gone' 'shows what it has'
like "$err" 'afw: x: left out: nested/, a git repository of its own' 'and says what it has not'
is "$(afw diff -u x)" '' 'after which diff -u has nothing'
is "$(git log -1 --format='%s|%an|%cn|%P' af/x)" "all of it|Test|Ann|$old" 'by the user'
is "$(git diff --name-status "$old" af/x | tr '\t\n' ' ;')" \
	'M README;M d/two;A dir/a b;D gone;A link;A new;A staged;' 'has all that git would add'
is "$(git show af/x:staged)" $'staged\nunstaged' 'as the files are'
is "$(git -C "$tree" status --short)" '?? nested/' 'nothing is left but a repository of its own'
like "$(git -C "$tree" reflog -1)|$(git reflog -1 af/x)" 'commit: all of it.*\|.*commit: all of it' \
	'both reflogs have it'
is "$(git fsck --strict 2>&1 | grep -v dangling)" '' 'the repository is whole'
exit_is 0 'and it can be merged' afw merge x

# A directory that is a link now: it is committed as the link, never its files.
mkdir "$T/secret"; echo secret >"$T/secret/one"
rm -r "$tree/d"; ln -s "$T/secret" "$tree/d"
printf 'from a file\n\nand more\n' >"$T/message"
exit_is 0 'a link in the place of a directory' afw commit x -F "$T/message" --json
is "$(json files_committed)|$(json commit)" "3|$(tip)" 'is reported in JSON'
is "$(git ls-tree -r --name-only af/x d; git cat-file -p af/x:d)" $'d\n'"$T/secret" 'is a link'
is "$(git log -1 --format=%B af/x)" $'from a file\n\nand more' 'with the message of a file'

# --- files that git no longer tracks ----------------------------------------------
mkdir "$tree/build"; echo secret >"$tree/.env"; echo o >"$tree/build/o"; echo kept >"$tree/kept.o"
git -C "$tree" add .env build kept.o; git -C "$tree" commit -qm env
printf '*.o\n.env\nbuild/\n' >>"$tree/.gitignore"; git -C "$tree" rm -qr --cached .env build
echo more >>"$tree/kept.o"
exit_is 0 'git rm --cached of files that are ignored now' afw commit x -m 'not tracked'
like "$out" ', 4 files.*  .env.*  .gitignore.*  build/o.*  kept.o' 'is shown'
is "$(git show --name-status --format= af/x | tr '\t\n' ' ;')" \
	'D .env;M .gitignore;D build/o;M kept.o;' 'and committed; a tracked file is, as before'
is "$(git -C "$tree" status --short; cat "$tree/.env" "$tree/build/o")" $'?? nested/\nsecret\no' \
	'the files stay'

git -C "$tree" rm -q --cached README
run afw commit x -m nothing
like "$code $err" '^1 .*all of its work is committed' 'without .gitignore it is no change'
git -C "$tree" reset -q

head=$(git -C "$tree" rev-parse HEAD)
git -C "$tree" update-index --add --cacheinfo "160000,$head,sub"
mkdir "$tree/sub"
exit_is 0 'a submodule that was staged as new' afw commit x -m sub
like "$out" 'sub' 'is listed'
is "$(git ls-tree af/x sub)" "160000 commit $head"$'\tsub' 'and committed'
git -C "$tree" rm -q --cached sub
exit_is 0 'one that was removed' afw commit x -m 'no sub'
is "$(git ls-tree af/x sub)" '' 'is removed'
rmdir "$tree/sub"

# --- files that were staged and deleted -----------------------------------------
for hook in '' pre-commit; do
	[ -z "$hook" ] || { mkdir -p .git/hooks; echo '#!/bin/sh' >.git/hooks/$hook; chmod +x .git/hooks/$hook; }
	echo scratch >"$tree/scratch"; git -C "$tree" add scratch; rm "$tree/scratch"
	echo later >"$tree/later"; git -C "$tree" add -N later; rm "$tree/later"
	echo deleted >>"$tree/README"
	exit_is 0 "files that were staged and deleted ${hook:+with a hook}" afw commit x -m deleted
	is "${out#*, }|$(git show --name-only --format= af/x)|$(git -C "$tree" status --short)" \
		$'1 file\n  README|README|?? nested/' 'are not committed'
done
rm .git/hooks/pre-commit

# --- git's filters are run, as by git add ----------------------------------------
printf '*.bin filter=up\n' >"$tree/.gitattributes"; echo b >"$tree/b.bin"
git config filter.up.clean 'tr a-z A-Z'
exit_is 0 'a filter' afw commit x -m filter
is "$(git show af/x:b.bin)" B 'is run'
git config filter.up.clean false; git config filter.up.required true
echo c >"$tree/b.bin"
was=$(git -C "$tree" diff --cached --name-only)
run afw commit x -m filter
like "$code $err" "^1 .*git has failed .exit code 128.: .*filter 'up' failed" 'one that fails'
is "$(git -C "$tree" diff --cached --name-only)" "$was" 'stages nothing'
git config --remove-section filter.up
git -C "$tree" checkout -q .; rm -f "$tree/.git/index.afw"
echo b >"$tree/c.bin"
git -C "$tree" checkout -q --detach
refused 4 'is on no branch, not on its branch' 'a session that is on no branch' afw commit x -m no
like "$(afw ls)" ' \(no branch\) ' 'which ls shows'
git -C "$tree" switch -q -c other; git -C "$tree" commit -q --allow-empty -m theirs
refused 4 'is on other, not on.*switch -C af/x`' 'another branch' afw commit x -m no
like "$(afw status x)" ' af/x, from main [^;]*; its worktree is on other' 'which status shows'
git -C "$tree" switch -q -C af/x
git -C "$tree" branch -m nice
exit_is 0 'a branch that the agent has renamed' afw commit x -m renamed
like "$out|$(afw ls)" '^nice: .* nice ' 'is its branch from then on'
exit_is 0 'which is merged' afw merge x
git -C "$tree" branch -m af/x; git -C "$tree" reset -q HEAD^
touch .git/worktrees/repo-x/index.lock
run afw commit x -m no
like "$code $err" '^1 .*index.lock.*git has failed' 'an index that is locked'
rm .git/worktrees/repo-x/index.lock

# --- the user's editor -------------------------------------------------------------
cat >"$T/editor" <<END
#!/bin/sh
cp "\$1" "$T/shown"
echo 'by the editor' >>"\$1"
END
chmod +x "$T/editor"
tmux_run 80 24 env EDITOR="$T/editor" afw commit x
tmux_wait_for '  c.bin'
is "$(git log -1 --format=%B af/x)" 'by the editor' 'the editor writes the message'
like "$(<"$T/shown")" $'# On branch af/x.*\n#\tnew file:   c.bin' 'and shows the files'
tmux_stop
echo again >"$tree/again"
tmux_run 80 24 env EDITOR=true afw commit x
waits_for 'tmux_dead && [ "$(tm display-message -p -t =t: "#{pane_dead_status}")" = 1 ]' \
	'an editor that writes nothing'
tmux_stop
is "$(git -C "$tree" status --short again)|$(ls "$T"/afw-*.txt 2>&1 | grep -c '/afw-.*txt$')" \
	'?? again|0' 'commits nothing'

# --- in a sandbox -----------------------------------------------------------------
if "$BUILD/afw-supervisor" confine | tail -1 | grep -q yes; then
	exit_is 0 'a session in a sandbox' afw new s --sandbox landlock -- cat
	tree=$T/.af_worktrees/repo-s own=$(session_dir s)/git
	inside() { afw exec s -- bash -c "$1" >"$T/inside" 2>&1; }
	inside 'echo own >own; git add own; git commit -qm own; echo left >left; rm d/one; echo s >s; git add s'
	exit_is 0 'is committed' afw commit s -m 'by me'
	is "$(git log -2 --format=%s af/s)" $'by me\nown' 'behind its own commits'
	is "$(tip af/s)" "$(git -C "$own" rev-parse af/s)" 'there and at home'
	inside 'git status --short; git log -1 --format=%s; git fsck 2>&1 | grep -v dangling'
	is "$(<"$T/inside")" 'by me' 'its git is clean, too'
	is "$(git -C "$tree" status --short)" '' 'and the one outside'
	inside 'echo next >next; git add next; git commit -qm next'
	exit_is 0 'it continues' afw merge s
	is "$(git log -1 --format=%s main)" next 'and all of it can be merged'
	git config filter.up.clean 'tr a-z A-Z'; printf '*.up filter=up\n' >"$tree/.gitattributes"; echo a >"$tree/a.up"
	refused 9 'a.up has the filter up.*hint: .git -C [^ ]* add -A && git' 'a filter' afw commit s -m no
	is "$(ls .git/worktrees/repo-s | grep -c afw-)" 0 'leaves no file'
	rm "$tree/a.up" "$tree/.gitattributes"; git config --remove-section filter.up
	inside 'echo z >z; git checkout -q -b side'
	refused 4 'in its sandbox it is not on its branch' 'another branch inside' afw commit s -m no
	inside 'git checkout -q af/s; touch "$(git rev-parse --git-dir)/index.lock"'
	refused 4 'a git is running in its sandbox' 'a lock inside' afw commit s -m no
	inside 'g=$(git rev-parse --git-dir); rm "$g/index.lock"; mv "$g/refs" "$g/r"; ln -s '"$T/secret"' "$g/refs"'
	run afw commit s -m no
	is "$code|$(ls "$T/secret")" '1|one' 'a link inside is not followed'
else
	skip 12 'no landlock here'
fi
done_testing
