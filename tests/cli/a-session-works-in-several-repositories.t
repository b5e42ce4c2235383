#!/bin/bash
# new --with: one session with a worktree in each of several repositories. diff,
# commit, merge, rm, trash and the counts are of all of them; what knows only one
# refuses.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/src/web" README
make_repo "$T/src/api" README lib/a
make_repo "$T/src/docs" README
cd "$T/src/web" || exit 2
all='web api docs'
trees=$T/src/.af_worktrees/web-fix
with=(--with ../api --with ../docs)

# theirs: the repositories of the user, and what git knows of them.
theirs()
{
	local r
	for r in $all; do
		git -C "../$r" for-each-ref --format="$r %(refname) %(objectname)"
		git -C "../$r" worktree list
		git -C "../$r" status --porcelain
	done
	ls -A ..
}

# log_of REPOSITORY [BRANCH]
log_of() { git -C "../$1" log --format=%s "${2-main}"; }
change() { for r in $all; do echo "$1" >>"$trees/$r/README"; done; }
# subjects [BRANCH]: of the commits in each.
subjects()
{
	local r
	for r in $all; do
		echo "$r: $(log_of "$r" "$@" | paste -sd,)"
	done
}

before=$(theirs)

# -- bad input ---------------------------------------------------------------

mkdir "$T/plain"
make_repo "$T/other/api"
git -C ../docs worktree add -q "$T/wt" -b wt
git -c protocol.file.allow=always -C ../docs submodule --quiet add "$T/src/api" sub
refused 1 '--with: ../none: No such file' 'a path that does not exist' \
	afw new no --with ../none -- cat
refused 2 '--with: the path is empty' 'no path' afw new no --with '' -- cat
refused 1 'plain is not in a git repository' 'a directory without git' \
	afw new no --with "$T/plain" -- cat
refused 2 'src/web is the repository that it is made in' 'its own repository' \
	afw new no --with . -- cat
refused 2 'src/api is named twice' 'one that is named twice' \
	afw new no --with ../api --with ../api/ -- cat
refused 4 "two repositories are called 'api': .*src/api and .*other/api" 'the same name' \
	afw new no --with ../api --with "$T/other/api" -- cat
refused 9 'wt is not the main worktree of a repository: .*/docs is' "a repository's other worktree" \
	afw new no --with "$T/wt" -- cat
refused 9 'api/lib is not the main worktree of a repository: .*/api is' 'a directory in one' \
	afw new no --with ../api/lib -- cat
refused 9 'docs/sub is a submodule' 'a submodule' afw new no --with ../docs/sub -- cat
refused 2 'cannot be combined' 'a checkout of the user' afw new no --here --with ../api -- cat
refused 2 'one agent' 'several agents' afw new no --with ../api -a 'demo*2'
refused 2 'this machine' 'a host' afw -H ssh://root@127.0.0.1/none new no --with ../api -- cat
git -C ../docs reset -q --hard 2>/dev/null
git -C ../docs clean -qffd
rm -rf ../docs/.git/modules
git -C ../docs worktree remove "$T/wt"
git -C ../docs branch -q -D wt

mkdir ../api/.af
echo 'copy = local' >../api/.af/afw.ini
refused 9 'src/api/.af/afw.ini is not trusted.*afw trust .*/api' 'an .af/ that is not trusted' \
	afw new no "${with[@]}" -- cat
exit_is 0 'without it' afw new no "${with[@]}" --untrusted -n -- cat
like "$out" "with +$T/src/.af_worktrees/web-no/api .*/docs" 'a dry run names the worktrees'
rm -r ../api/.af
git -C ../docs branch af/no
refused 4 'docs: the branch af/no exists already' 'a branch that is taken in one' \
	afw new no "${with[@]}" -- cat
git -C ../docs branch -q -D af/no
exit_is 1 'an agent that cannot start' afw new no "${with[@]}" -- "$T/none"
is "$(afw ls -q)" '' 'no session is left'
is "$(theirs)" "$before" 'and all is as it was'

# Killed in the middle, at any time.
for ms in 010 020 030 040 050 070 090; do
	timeout -s KILL "0.$ms" "$BUILD/afw" new "k$ms" "${with[@]}" -- sleep 1000
done >/dev/null 2>&1
# A kill in the middle of a branch leaves git's own lock of it.
find ../*/.git/refs -name '*.lock' -delete
exit_is 0 'reconcile after kills' afw reconcile --apply
for name in $(afw ls -q); do
	run afw rm --stop "$name"
done
for r in $all; do
	(cd "../$r" && afw reconcile --apply) >/dev/null 2>&1
done
wait_for '[ ! -e ../.af_worktrees ]'
is "$(afw ls -q)" '' 'their sessions can be removed'
is "$(theirs)" "$before" 'and all is as it was then, too'

# -- a session ---------------------------------------------------------------

echo secret >../api/local
echo local >>../api/.git/info/exclude
mkdir ../api/.af
echo 'copy = local' >../api/.af/afw.ini
echo .af >>../api/.git/info/exclude
exit_is 0 'trust' afw trust -y ../api
exit_is 0 'new' afw new fix "${with[@]}" -- sleep 1000
like "$out" "in $trees/web, with $trees/api, $trees/docs on branch af/fix" 'says where'
is "$(afw exec fix -- cat ../api/README)" 'this is README' 'the others have their names'
is "$(cat "$trees/api/local")" secret 'each is made as its own .af/ says'
is "$(afw ls -q)" fix 'the list has one session'
run afw status fix --json
is "$(json with.1.worktree) $(json with.1.branch)" "$trees/docs af/fix" 'status has the others'
like "$(afw status fix)" "with +$trees/api" 'and prints them'
is "$(cd "$trees/docs" && afw status --json | sed -n 's/.*"name":"\([^"]*\)".*/\1/p')" fix \
	'a command in one of its worktrees finds it'
refused 4 'a worktree of this name already' 'the same name in another repository' \
	env -C ../api afw new fix -- cat

refused 9 "new 'then': --after 'fix': it works in 3 repositories" 'nothing starts after it' \
	afw new then --after fix -- cat
like "$err" 'hint: `afw wait fix` waits for it; make this one then$' 'but there is another way'
exit_is 7 'which waits' afw wait fix -t 100ms

change more
echo new >"$trees/api/new"
run afw diff fix
is "$(grep '^+++' <<<"$out")" '+++ b/web/README
+++ b/api/README
+++ b/api/new
+++ b/docs/README' 'diff has the files of all, below the names of their repositories'
mkdir "$T/apply" && for r in $all; do git archive --remote="../$r" --prefix="$r/" main | tar -x -C "$T/apply"; done
ok_cmd 'and git can apply it' git -C "$T/apply" apply -p1 - <<<"$out"
like "$(afw diff fix --stat)" ' web/README .* api/new .* docs/README ' 'so has --stat'
run afw diff fix --comments
like "$out" '\+\+\+ b/docs/README' 'and --comments'


exit_is 4 'merge of uncommitted work' afw merge fix
like "$err" "web: merge 'fix': its worktree has uncommitted changes" 'is refused'
refused 2 'message for all of its repositories' 'commit without a message' afw commit fix
exit_is 0 'commit' afw commit fix -m 'Change all'
is "$(subjects af/fix)" "web: Change all,first
api: Change all,first
docs: Change all,first" 'commits in each'
echo again >>"$trees/api/README"
exit_is 0 'commit of one' afw commit fix -m 'Change api'
like "$out" '^af/fix of api: ' 'commits only there'
refused 1 'all of its work is committed' 'commit of none' afw commit fix -m no
waits_for '[ "$(afw ls -o changes,files | tail -1 | tr -s " ")" = "+5 -0 4" ]' 'the counts are sums'

# -- what knows one repository -----------------------------------------------

for words in 'undo fix' 'checkpoints fix' 'checkpoint fix' 'diff -t fix' 'land fix' \
	'merge --check fix' 'pr fix' 'try fix' 'new no --from fix -- cat' \
	'new no --after fix -- cat'; do
	# shellcheck disable=SC2086
	refused 9 "^afw: [^:]*: (--[a-z]+ )?('fix': )?it works in 3 repositories, and" \
		"afw $words" afw $words
done
exit_is 3 'land without a name' afw land -n
like "$err" 'fix works in several repositories, and does not land: `afw merge fix`' 'leaves it out'
exit_is 0 'conflicts' afw conflicts fix
like "$err" 'fix: conflicts in its other repositories are not looked for' 'says what it lacks'
exit_is 0 'a session of one' afw new one -- cat
run afw conflicts one
like "$err" 'fix: conflicts in its other' 'so it does for another session'
exit_is 0 'rm' afw rm -s one
waits_for '! git worktree list | grep -q trash' 'it is deleted'

# -- merge: all or none ------------------------------------------------------

before=$(theirs)
echo mine >>../docs/README
exit_is 4 'files of the user in the last' afw merge fix
like "$err" 'docs: .*src/docs has changes of its own' 'are named'
git -C ../docs checkout -q README
is "$(theirs)" "$before" 'nothing is changed'
exit_is 0 'a dry run' afw merge -n fix
is "$(grep -c 'without a conflict' <<<"$out")" 3 'of all'
git -C ../docs switch -q -c other
echo other >>../docs/README
git -C ../docs commit -qam other
git -C ../docs branch -q -f main other
git -C ../docs switch -q main
git -C ../docs branch -q -D other
before=$(theirs)
exit_is 4 'a conflict in the last' afw merge fix
like "$err" 'docs: .*conflicts with main; nothing is changed.*In ../docs, please merge' 'says where'
is "$(theirs)" "$before" 'nothing is changed then'
git -C ../docs reset -q --hard HEAD~
before=$(theirs)
# The last branch cannot move, after a dry run that could not know it.
mkdir ../docs/.git/refs/heads/main.lock
refused 1 "docs: merge 'fix': lock the branch main" 'a branch that is locked' afw merge fix
rmdir ../docs/.git/refs/heads/main.lock
is "$(theirs)" "$before" 'those before it are moved back'
is "$(subjects)" "web: first
api: first
docs: first" 'with their branches'
exit_is 0 'merge' afw merge fix
is "$(subjects)" "web: Change all,first
api: Change api,Change all,first
docs: Change all,first" 'merges in all'
is "$(cat ../web/README ../docs/README | grep -c more)" 2 'with their files'
is "$(grep -c hint <<<"$err")" 1 'one hint says what is next'
exit_is 0 'again' afw merge fix --json
is "$(grep -c '"how":"up-to-date"' <<<"$out")" 3 'changes nothing'
waits_for 'afw ls -o changes | grep -q merged' 'it is merged'
echo last >>"$trees/docs/README"
(cd "$trees/docs" && git commit -qam last)
run afw rm --merged -y
is "$(afw ls -q)" fix 'rm --merged leaves one that is merged in some'

# -- rm, trash ---------------------------------------------------------------

echo untracked >"$trees/api/left"
exit_is 0 'rm' afw rm -s fix
like "$out" 'branch af/fix of docs stays.*.git -C /[^ ]*/docs branch -D af/fix. deletes it' 'the hint names it'
like "$out" 'branch af/fix of docs stays.*kept in the trash .*api: left is in no commit' \
	'keeps what is in no commit of any'
is "$(git -C ../api branch --list 'af/*')" '' 'and no branch that is merged'
nok_cmd 'its worktrees are gone' test -e "$trees/web"
like "$(afw trash ls --holds)" 'api: left is in no commit' 'trash ls says what it holds'
exit_is 0 'reconcile' afw reconcile
like "$out" 'everything is as it is recorded' 'finds nothing'
mkdir "$trees/docs"
touch "$trees/docs/mine"
refused 1 'docs: .*not the directory that afw made' 'restore, where one is taken' afw trash restore fix
is "$(ls "$trees")" docs 'restores none'
rm -r "$trees/docs"
exit_is 0 'restore' afw trash restore fix
is "$(cat "$trees/api/left")$(cd "$trees/docs" && git log -1 --format=%s)" untrackedlast 'restores all'
is "$(cd "$trees/api" && git symbolic-ref HEAD)" refs/heads/af/fix 'on their branches'
exit_is 0 'start' afw start fix

# -- damage ------------------------------------------------------------------

mv "$trees/docs" "$T/away"
exit_is 0 'reconcile, if one is missing' afw reconcile
like "$out" 'docs is gone' 'finds it'
exit_is 0 'stop' afw stop fix
refused 1 'docs is gone' 'start refuses' afw start fix
mkdir "$trees/docs"
refused 1 'docs: .*is not the directory that afw made' 'rm of another directory' afw rm fix
ok_cmd 'it has put back those before' test -e "$trees/web/.git" -a -e "$trees/api/left"
rmdir "$trees/docs"
mv "$T/away" "$trees/docs"
exit_is 0 'reconcile' afw reconcile
exit_is 0 'rm in the end' afw rm fix
exit_is 0 'purge' afw trash purge -y fix
nok_cmd 'leaves no directory' test -e ../.af_worktrees
is "$(for r in $all; do git -C "../$r" worktree list | wc -l; done | paste -sd' ')" '1 1 1' "nor git's entries"

# -- landlock ----------------------------------------------------------------

needs_landlock
exit_is 0 'in a sandbox' afw new box "${with[@]}" --sandbox landlock -- sleep 1000
trees=$T/src/.af_worktrees/web-box
exit_is 0 'it commits in each' afw exec box -- sh -ec '
	for r in ../web ../api ../docs; do cd $r; echo box >>README; git commit -qam Box; done'
exit_is 1 'it cannot write' afw exec box -- touch ../docs/.git
like "$err" 'Read-only' 'a .git'
run afw exec box -- sh -c "rm $T/src/docs/README; echo x >$T/src/docs/README ../bad"
is "$(git -C ../docs status --porcelain)$(ls "$trees")" $'api\ndocs\nweb' \
	'nor in a repository of the user, nor beside its worktrees'
run afw diff box
is "$(subjects af/box | grep -c Box)" 3 'the commits are imported in each'
echo box >"$trees/docs/box"
exit_is 0 'commit' afw commit box -m 'In the box'
is "$(log_of docs af/box | head -1)" 'In the box' "runs in the other's worktree"
exit_is 0 'merge' afw merge box
is "$(subjects | grep -c Box)" 3 'merges all'
exit_is 0 'rm' afw rm -s box
done_testing
