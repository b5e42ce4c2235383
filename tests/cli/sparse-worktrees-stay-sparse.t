#!/bin/bash
# A sparse or partial clone: a new worktree has the files that git's own
# `git worktree add` gives it. A file outside the patterns is not a change.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/repositories.sh"
make_origin README in/a in/deep/b in/deeper/c out/o out/x/y \
	'sp ace/f' 'st*r/g' top.txt
cd "$T/origin" || exit 2
git switch -q -c two
echo two | tee in/a in/deep/new >/dev/null
echo three >out/o
git add -A && git commit -q -m two
git switch -q main

# has WORKTREE: its files, the bits of its index, its status and patterns
has()
{
	(
		cd "$1" || exit
		export GIT_ADVICE=0 # a newer git has some on sparse indexes
		find . -name .git -prune -o -print | sort
		git ls-files -t
		git status --porcelain
		git sparse-checkout list
		git config --list --show-scope | grep -E '^(worktree|local)' |
			grep -v index.sparse
	) 2>&1
}

# as_git NAME [BASE]: new gives what git gives
as_git()
{
	local w
	w=$(dirname "$PWD")/.af_worktrees/$(basename "$PWD")-$1
	git worktree add -q --detach ../git "${2-HEAD}"
	exit_is 0 "$1: new" afw new "$1" -b "${2-HEAD}" -- cat || return
	unlike "$err" 'sparse' "$1: new has no warning"
	is "$(has "$w")" "$(has ../git)" "$1: it has what git gives it"
	like "$(git -C "$w" ls-files -t)" '(^|.)S [a-z]' "$1: not all files"
	is "$(git -C "$w" status --porcelain)" '' "$1: git has no change there"
	git worktree remove ../git
}

clone partial --filter=blob:none --sparse
git sparse-checkout set in/deep
as_git partial
clone cone
git sparse-checkout set --cone --skip-checks in 'sp ace' 'st*r'
as_git cone
clone top
git sparse-checkout set --cone
as_git top
clone patterns
git sparse-checkout set --no-cone '/*' '!/out/x' '!**/deeper/' '!deep/**' \
	'/in/deep/b' '\#no' 'sp\ ace/'
as_git patterns
clone listed
git sparse-checkout set --no-cone '*.txt' '!t*p.txt' 'deep/' '/in/?'
as_git listed
clone nested
git sparse-checkout set --cone in/deep out/x
as_git nested origin/two
clone index --sparse
git sparse-checkout set --sparse-index in
as_git index
# What scalar(1) sets.
clone scalar --filter=blob:none --sparse
git config core.repositoryFormatVersion 0
git config index.version 4
git config core.untrackedCache true
git config feature.manyFiles false
git sparse-checkout set in
git update-index --force-write-index
as_git scalar
clone empty
git sparse-checkout set --no-cone '/nothing'
as_git empty
clone before
git config core.sparseCheckout true
printf '/*\n!/*/\n/in/\n' >.git/info/sparse-checkout
git read-tree -mu HEAD
as_git before
clone other
git sparse-checkout set --no-cone '/in/'
git worktree add -q ../linked
cd ../linked || exit 2
git sparse-checkout set --no-cone '/out/o'
git config --worktree user.name Linked
exit_is 0 'other: new from a linked worktree' afw new other -- cat
is "$(has ../.af_worktrees/r-other)" "$(has .)" \
	"it has that one's patterns and configuration"
clone unusual
git sparse-checkout set --no-cone '/in/**/c'
refused 1 '/in/\*\*/c.*git sparse-checkout' \
	'a pattern that afw cannot match is named' afw new unusual -- cat
is "$(git branch --list 'af/*'; ls .git/worktrees 2>/dev/null)" '' \
	'nothing is left of it'

# What is missing is fetched by the command of the hint, and nothing else.
clone missing --filter=blob:none --sparse
git sparse-checkout set in
missing()
{
	git rev-list --objects --missing=print --no-object-names origin/two |
		grep -c '^?'
}
is "$(missing)" 6 'objects are missing'
refused 1 'in/a' 'a base without its objects' afw new missing -b origin/two -- cat
like "$err" 'hint: to fetch it: .git ' 'with a hint'
is "$(git worktree list | wc -l)$(git branch --list 'af/*')" 1 'leaves nothing'
ok_cmd 'the command of the hint' bash -c "$(sed -n 's/^hint: to fetch it: .\(.*\).$/\1/p' <<<"$err")"
is "$(missing)" 5 'fetches what is needed alone'
exit_is 0 'and new works' afw new missing -b origin/two -- cat
is "$(cat ../.af_worktrees/r-missing/in/a)" two 'with its file'
git clone -q --bare --filter=blob:none "file://$T/origin" "$T/bare.git"
cd "$T/bare.git" || exit 2
refused 1 'README|in/|out/' 'a bare one without objects' afw new bare -- cat
ok_cmd 'the command of the hint' bash -c "$(sed -n 's/^hint: to fetch it: .\(.*\).$/\1/p' <<<"$err")"
exit_is 0 'and new works' afw new bare -- cat
git clone -q --filter=tree:0 --sparse "file://$T/origin" "$T/trees"
cd "$T/trees" || exit 2
git sparse-checkout set in
refused 1 'origin/two' 'one without trees' afw new trees -b origin/two -- cat
ok_cmd 'the command of the hint' bash -c "$(sed -n 's/^hint: to fetch it: .\(.*\).$/\1/p' <<<"$err")"
exit_is 0 'and new works' afw new trees -b origin/two -- cat
done_testing
