#!/bin/bash
# In a sparse repository, merge changes the files that git merge would change:
# of a file outside the patterns, only the index entry.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/repositories.sh"
make_origin README in/a in/b out/o out/p/q out/x/y top.txt
cd "$T/origin" || exit 2
seq 200 >out/long
git add -A && git commit -q -m long

# has: files, bits of the index, status and tree
has()
{
	find . -name .git -prune -o -type f -print | sort
	git ls-files -t -s
	git status --porcelain
	git rev-parse 'HEAD^{tree}'
}

# merges NAME [OPTION...]: a session changes files inside and outside, and the
# main worktree is as git makes its copy
merges()
{
	local name=$1 w
	w=$(dirname "$PWD")/.af_worktrees/r-$name
	exit_is 0 "$name: new" afw new "$name" -- cat || return
	(
		cd "$w" || exit 2
		mkdir -p in/new out/new out/x in
		echo more | tee -a in/a in/new/f out/o out/new/g out/x/y >out/z
		rm -f top.txt in/b
		git rm -q --cached --sparse out/p/q
		git add --sparse -A
		git commit -q -m work
	)
	cp -a "$PWD" "$T/$name/git"
	(cd "$T/$name/git" && git merge -q "${GIT_HOW---ff}" "af/$name" >/dev/null 2>&1)
	exit_is 0 "$name: merge --dry-run" afw merge -n "$name"
	exit_is 0 "$name: merge" afw merge "$name" "${@:2}"
	is "$(has)" "$(cd "$T/$name/git" && has)" "$name: it is as git has it"
	is "$(git status --porcelain)" '' "$name: git has no change there"
}

clone cone
git sparse-checkout set in
merges cone
clone patterns
git sparse-checkout set --no-cone '/*' '!/out/' '/out/new/' '!top.txt'
merges patterns
clone partial --filter=blob:none --sparse
git sparse-checkout set in
merges partial
clone diverged
git sparse-checkout set in
echo main >>README
git commit -q -a -m main
GIT_HOW=--no-ff merges diverged

# What is there is not overwritten, even if the patterns leave it out.
clone edited
git sparse-checkout set in
exit_is 0 'edited: new' afw new edited -- cat
mkdir ../.af_worktrees/r-edited/out out
echo theirs >../.af_worktrees/r-edited/out/o
echo theirs >../.af_worktrees/r-edited/out/new
exit_is 0 'edited: commit' afw commit edited -m work
echo mine >out/o
echo mine >out/new
before=$(has)
run afw merge edited
is "$code" 4 'edited: files outside that the user has made are in the way'
like "$out$err" 'out/new.*out/o' 'edited: and are named'
is "$(has)" "$before" 'edited: nothing is changed'
rm -r out
exit_is 0 'edited: without them' afw merge edited
is "$(git ls-files -t out/o out/new; ls)" \
	$'S out/new\nS out/o\nREADME\nin\ntop.txt' \
	'edited: only the index moves'

# A rename upstream of which nothing is here but the trees.
clone renamed --filter=blob:none --sparse
git sparse-checkout set in
exit_is 0 'renamed: new' afw new renamed -- cat
echo more >>../.af_worktrees/r-renamed/in/a
exit_is 0 'renamed: commit' afw commit renamed -m work
git -C "$T/origin" mv out/long out/renamed
echo changed >>"$T/origin/out/renamed"
git -C "$T/origin" commit -q -a -m rename
git pull -q
exit_is 0 'renamed: conflicts' afw conflicts renamed
exit_is 0 'renamed: merge' afw merge renamed
is "$(git log -1 --format=%s) $(git status --porcelain)" \
	"Merge branch 'af/renamed' into main " 'renamed: it is merged'
exit_is 0 'renamed: new again' afw new again -b 'HEAD^1^1' -- cat
echo again >>../.af_worktrees/r-again/in/b
exit_is 0 'renamed: commit' afw commit again -m again
exit_is 0 'renamed: rebase' afw merge --rebase --into main again
is "$(git log -1 --format=%s) $(git status --porcelain)" 'again ' \
	'renamed: it is rebased'

# Both have changed a file of which the other's content is not here.
clone both --filter=blob:none --sparse
git sparse-checkout set in
exit_is 0 'both: new' afw new both -- cat
w=$T/both/.af_worktrees/r-both
git -C "$w" sparse-checkout add out
sed -i 's/^5$/five/' "$w/out/renamed"
exit_is 0 'both: commit' afw commit both -m work
sed -i 's/^150$/many/' "$T/origin/out/renamed"
git -C "$T/origin" commit -q -a -m many
git pull -q
refused 1 'object not found' 'both: an object is missing' afw merge both
ok_cmd 'both: the command of the hint' \
	bash -c "$(sed -n 's/^hint: to fetch it: .\(.*\).$/\1/p' <<<"$err")"
exit_is 0 'both: merge' afw merge both
is "$(git show HEAD:out/renamed | grep -c '[a-z]')" 3 'both: has both changes'
done_testing
