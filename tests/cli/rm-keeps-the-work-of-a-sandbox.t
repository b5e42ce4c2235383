#!/bin/bash
# A session in a sandbox stages and commits in a git directory of its own. rm
# keeps in the trash what only that has.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/undo.sh"
afw_env
needs_landlock
make_repo "$T/repo" README
cd "$T/repo" || exit
# kept NAME WHY: rm keeps it because of WHY.
kept()
{
	exit_is 0 "$1: rm" afw rm --stop "$1"
	like "$out" "$1: removed.*; kept in the trash .* because $2" "$1: is kept"
}
# goes NAME: rm leaves nothing.
goes()
{
	exit_is 0 "$1: rm" afw rm --stop "$1"
	like "$out" "$1: removed.*all of its work is in commits" "$1: goes"
}

# What the user has when the session is made, and deletes later, is the user's.
git branch user "$(git commit-tree -m user -p HEAD 'HEAD^{tree}')"
git update-ref refs/remotes/origin/gone \
	"$(git commit-tree -m remote -p HEAD 'HEAD^{tree}')"
git tag -a -m file file "$(git hash-object -w README)"
echo stashed >>README
git stash -q
exit_is 0 'a session in a sandbox' afw new idle --sandbox landlock -- cat
git branch -q -D user
git update-ref -d refs/remotes/origin/gone
git stash drop -q
git tag -d file >"$T/null"
goes idle

# A checkpoint imports the commit, but no branch has it.
exit_is 0 'one with turns' \
	afw new one --sandbox landlock -- bash -c "$undo_agent"
run afw wait one --for idle -t 20s
run afw send one --wait -- \
	'git checkout -qb feature; git commit -q --allow-empty -m valuable'
run afw send one --wait -- 'git checkout -q af/one'
tip=$(git -C "$(session_dir one)/git" rev-parse feature)
waits_for 'git cat-file -e "$tip"' 'its commit on another branch is imported'
kept one 'its own git directory has commits that no branch has'
exit_is 0 'restore' afw trash restore one
is "$(git -C "$(session_dir one)/git" rev-parse feature)" "$tip" \
	'it comes back'
git branch feature "$tip"
goes one

exit_is 0 'one in a merge' afw new merging --sandbox landlock -- cat
run afw exec merging -- git merge -q --no-ff --no-commit feature
kept merging 'a git operation is unfinished'

exit_is 0 'one with staged content' afw new staged --sandbox landlock -- cat
run afw exec staged -- sh -c 'echo v1 >f; git add f; rm f'
kept staged 'something is staged'
exit_is 0 'restore' afw trash restore staged
exit_is 0 'it is there' afw exec staged -- git show :f
is "$out" v1 'as it was'
run afw exec staged -- git reset -q
goes staged
echo '*.o' >.gitignore
git add .gitignore
git commit -qm ignore
exit_is 0 'one that stages an ignored file' \
	afw new forced --sandbox landlock -- cat
run afw exec forced -- sh -c 'echo o >x.o; git add -f x.o'
exit_is 0 'rm' afw rm --stop --delete-ignored forced
like "$out" 'because something is staged' 'it is kept as well'

# A submodule is not checked out; one that the agent has made is work.
git update-index --add --cacheinfo "160000,$(git rev-parse HEAD),lib/sub"
git commit -qm submodule
exit_is 0 'a submodule' afw new sub --sandbox landlock -- cat
goes sub
exit_is 0 'a submodule' afw new used --sandbox landlock -- cat
run afw exec used -- git init -q --bare \
	"$(session_dir used)/git/modules/lib/sub"
kept used 'its own git directory has submodules'

# The disk of the repository is not mounted.
exit_is 0 'purge' afw trash purge -y
exit_is 0 'one that commits' afw new away --sandbox landlock -- cat
run afw exec away -- sh -c 'git checkout -q --detach
	git commit -q --allow-empty -m lone'
tip=$(git -C "$(session_dir away)/git" rev-parse HEAD)
run afw stop away
mkdir "$T/away"
cd "$T" || exit
mv repo .af_worktrees away
kept away 'its repository was not there'
exit_is 0 'ls' afw trash ls --holds
like "$out" 'away .* its repository was not there' 'lists why'
mv away/repo away/.af_worktrees .
cd repo || exit
exit_is 0 'restore, when it is back' afw trash restore away
exit_is 0 'log' afw exec away -- git rev-parse HEAD
is "$out" "$tip" 'has its commit'
kept away 'its own git directory has commits that no branch has'
done_testing
