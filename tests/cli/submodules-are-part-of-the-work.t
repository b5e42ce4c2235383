#!/bin/bash
# The commit of a submodule is part of the work: it is counted, printed and
# committed as git does. One that exists only in the worktree's submodule is
# neither pushed nor deleted.
. "$(dirname "$0")/../lib.sh"
afw_env
git config --global protocol.file.allow always
make_repo "$T/lib" a
make_repo "$T/repo"
cd "$T/repo" || exit
git submodule --quiet add "$T/lib" mod
git commit -qm submodule
W=$T/.af_worktrees/repo-x
M=$W/mod
new()
{
	run afw new x "$@" -- cat
}
# kept WHY [HOW LONG]: rm keeps it for that reason, and restore restores it.
kept()
{
	exit_is 0 "rm: $1" afw rm --stop x
	like "$out" "kept in the trash ${2:-for 14 days}, because $1" 'keeps it'
	run afw trash restore x
}

new
(cd "$M" && echo inside >a && git commit -qam inside)
waits_for '[ "$(state_of x files_changed) $(state_of x uncommitted)" = "1 1" ]' \
	'a commit in a submodule is one changed file, though no file is touched'
is "$(afw diff x)" "$(git -C "$W" diff)" 'diff prints it as git'
is "$(afw diff x --stat)" "$(git -C "$W" diff --stat)" 'the table too'
is "$(afw diff x --staged)" '' 'it is not staged'
exit_is 4 'merge' afw merge x
like "$out|$err" '  mod.*uncommitted changes' 'refuses, and names it'
exit_is 0 'commit' afw commit x -m bump
like "$out" $'1 file\n  mod' 'lists it'
is "$(git rev-parse af/x:mod)|$(git -C "$W" status --short)" \
	"$(git -C "$M" rev-parse HEAD)|" 'as git add and git commit'
is "$(afw diff x)" "$(git -C "$W" diff main)" 'diff prints it when it is committed'

lost="the commit of the submodule mod is only in $M"
git remote add origin "$T/origin"
refused 4 "pr 'x': $lost" 'a pull request of what is only there' afw pr x
hint=${err#*\`} hint=${hint%%\`*}
before=$(git rev-parse main)
kept 'its submodule mod has commits that no remote has' 'until you purge it'
exit_is 0 'in the trash' afw rm x
exit_is 0 'ls' afw trash ls --json
nok_cmd 'it has no time limit' json_has 0.goes_at
sed -i 's/"removed_at":"20../"removed_at":"2015/' "$DATA/trash/"*/trash.json
run afw new other -- cat
exit_is 0 'a later rm' afw rm --stop other
exit_is 0 'does not delete it' afw trash restore x
git -C "$M" tag local
refused 4 "pr 'x': $lost" 'a tag that was made there is at no remote' afw pr x
ok_cmd 'the hint' eval "$hint"
is "$hint" "git -C $M push origin HEAD:refs/heads/af/x" 'pushes it'
exit_is 0 'merge, when a remote has it' afw merge x
is "$(git rev-parse main:mod) $(git rev-parse main^)" \
	"$(git -C "$M" rev-parse HEAD) $before" 'merges it'
hint=${err#*\`} hint=${hint%%\`*}
is "$hint" "git -C $T/repo submodule update" 'and says what is left to do'
ok_cmd 'git does it' eval "$hint"
is "$(git status --porcelain)" '' 'so that nothing is changed'
exit_is 0 'rm' afw rm x
like "$out" 'all of its work is in commits' 'keeps nothing of an unchanged submodule'
waits_for '[ ! -e "$T/.af_worktrees" ] && [ ! -e .git/worktrees ]' 'it is deleted'

new
touch "$M/new"
kept 'in its submodule mod, new is in no commit'
rm "$M/new"
echo more >>"$M/a"
kept 'in its submodule mod, a is changed'
git -C "$M" checkout -q HEAD~1 -f
kept 'in its submodule mod, another commit is checked out'
git -C "$M" checkout -q HEAD@{1}
git -C "$M" commit -q --allow-empty -m lone
git -C "$M" checkout -q HEAD@{1}
git -C "$M" tag lone HEAD@{1}
git -C "$W" submodule --quiet deinit mod
kept 'its submodule mod has commits that no remote has' 'until you purge it'
ln -sf refs/heads/none .git/worktrees/repo-x/modules/mod/HEAD
kept 'its submodule mod has commits that no remote has' 'until you purge it'
# Many newer commits, which the main worktree's submodule has, too.
rm .git/worktrees/repo-x/modules/mod/HEAD
echo ref: refs/heads/main >.git/worktrees/repo-x/modules/mod/HEAD
for ((i = 0; i < 10000; i++)); do
	echo "commit refs/heads/big
committer x <x@x> $((4000000000 + i)) +0000
data 0
"
done | git -C mod fast-import --quiet
git -C .git/worktrees/repo-x/modules/mod update-ref refs/heads/big "$(git -C mod rev-parse big)"
kept 'its submodule mod has commits that no remote has' 'until you purge it'
rm -r .git/worktrees/repo-x/modules
touch .git/worktrees/repo-x/next.lock
kept 'it has a lock of git'
rm .git/worktrees/repo-x/next.lock
exit_is 0 'rm' afw rm x
empties='[ ! -e "$T/.af_worktrees" ]'
waits_for "$empties" 'all is deleted'

# In a sandbox, git does not read the repository that the agent can write.
if "$BUILD/afw-supervisor" confine | tail -1 | grep -q yes; then
	make_repo "$T/below" b
	git -C mod checkout -q -b below
	git -C mod submodule --quiet add "$T/below" below
	git -C mod commit -qm below
	git -C mod push -q origin HEAD:below
	git -C mod fetch -q
	git commit -qam below
	exit_is 0 'new' afw new x --sandbox landlock -- cat
	own=$(session_dir x)/git/modules/mod
	is "$(afw exec x -- git status --porcelain; afw exec x -- git -C mod/below rev-parse --absolute-git-dir)" \
		"$own/modules/below" 'its submodules have git directories that it can write'
	before=$(find .git/modules -type f -exec sha1sum {} + | sort)
	run afw exec x -- sh -c "touch '$PWD/.git/modules/mod/config' '$PWD/.git/modules/mod/objects/x'"
	isnt "$code" 0 "not the user's"
	for i in mod/below mod; do
		run afw exec x -- git -C $i commit -q --allow-empty -am "lone $i"
		is "$code$err" 0 "$i: it commits"
	done
	afw exec x -- sh -c "git -C mod config core.fsmonitor 'touch $T/ran'; git -C mod config core.sshCommand 'touch $T/ran'
		git -C mod config alias.rev-list '!touch $T/ran'; ln -s '$T' mod/link"
	waits_for '[ "$(state_of x uncommitted)" = 1 ]' 'its commit is counted'
	exit_is 0 'commit' afw commit x -m bump
	git remote remove origin
	git remote add origin "$T/origin"
	refused 4 'hint: .afw exec NAME -- git -C mod push origin HEAD:af/x' 'a pull request' \
		afw pr x
	exit_is 0 'merge' afw merge x
	git submodule --quiet update --init --recursive
	is "$(git -C mod/below log -1 --format=%s)" 'lone mod/below' 'copies the commits'
	afw exec x -- sh -c 'git -C mod commit -q --allow-empty -m lone; git -C mod checkout -q HEAD^'
	exit_is 0 'rm' afw rm --stop x
	like "$out" 'kept in the trash until you purge it' 'keeps a commit that is on no branch'
	nok_cmd 'no command of the agent was run' test -e "$T/ran"
else
	skip 18 'no landlock here'
fi
done_testing
