#!/bin/bash
# Work in a sparse worktree: a file that the patterns leave out is not a change;
# an existing file is compared like any other.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/repositories.sh"
make_origin README in/a in/b out/o out/x/y

# in_trash: what afw keeps, when it is done with its looks
in_trash()
{
	wait_for '(for pid in $(own_pids); do
		! grep -qsz "^rm\$" "/proc/$pid/cmdline" || exit 1; done)'
	afw trash
}

# as_git: git's tree of all that is in the current directory's worktree
as_git()
{
	cp "$(git rev-parse --git-dir)/index" "$T/index"
	GIT_INDEX_FILE=$T/index git add --sparse -A &&
		GIT_INDEX_FILE=$T/index git write-tree
}

# works NAME: in the clone that is the current directory
works()
{
	local w tree
	w=$(dirname "$PWD")/.af_worktrees/r-$1
	exit_is 0 "$1: new" afw new "$1" "${@:2}" -- cat || return
	is "$(afw diff "$1")" '' "$1: there is no difference"
	exit_is 1 "$1: nothing to commit" afw commit "$1" -m none
	rm "$w/in/b"
	echo new >"$w/in/new"
	echo more >>"$w/in/a"
	run afw diff --stat "$1"
	is "$(grep -c '|' <<<"$out")" 3 "$1: diff has three files"
	waits_for "[ \"\$(state_of $1 files_changed)\" = 3 ]" "$1: status, too"
	is "$(state_of "$1" uncommitted) $(state_of "$1" untracked)" '3 1' \
		"$1: one of them is new"
	tree=$(cd "$w" && as_git)
	exit_is 0 "$1: commit" afw commit "$1" -m work
	is "$(git rev-parse "af/$1^{tree}")" "$tree" "$1: it is git's commit"
	is "$(git -C "$w" status --porcelain)" '' "$1: git has no change then"
	is "$(git -C "$w" ls-files -t | grep -c '^S')" 2 \
		"$1: two files are still left out"
	mkdir "$w/out"
	echo over >"$w/out/o"
	run afw diff --uncommitted --stat "$1"
	like "$out" '^ out/o ' "$1: a file outside that is there is a change"
	tree=$(cd "$w" && as_git)
	exit_is 0 "$1: commit" afw commit "$1" -m outside
	is "$(git rev-parse "af/$1^{tree}")" "$tree" "$1: it is git's commit"
	is "$(git diff --name-status "af/$1^!")" $'M\tout/o' "$1: of that one"
	echo staged >"$w/out/staged"
	git -C "$w" add --sparse out/staged
	git -C "$w" sparse-checkout reapply
	nok_cmd "$1: a new file is staged and left out" test -e "$w/out/staged"
	echo more >>"$w/in/a"
	exit_is 0 "$1: commit" afw commit "$1" -m staged
	is "$(git diff --name-only "af/$1^!" | tr '\n' ' ')" 'in/a out/staged ' "$1: is committed"
}

clone cone
git sparse-checkout set in
works cone
exit_is 0 'a session without work' afw new clean -- cat
exit_is 0 'is removed' afw rm --stop clean
unlike "$(in_trash)" 'clean' 'and needs no place in the trash'
exit_is 0 'a session with a file outside' afw new outside -- cat
mkdir ../.af_worktrees/r-outside/out
echo y >../.af_worktrees/r-outside/out/o
exit_is 0 'is removed' afw rm --stop outside
like "$(in_trash)" 'outside' 'and kept'
clone partial --filter=blob:none --sparse
git sparse-checkout set in
works partial
is "$(git rev-list --objects --missing=print main | grep -c '^?')" 2 \
	'partial: what is left out was not fetched'
clone patterns
git sparse-checkout set --no-cone '/*' '!/out'
works patterns

# A file that takes the place of a directory that is left out.
clone replaced
git sparse-checkout set in
exit_is 0 'a session' afw new x -- cat
w=../.af_worktrees/r-x
echo file >"$w/out"
exit_is 0 'a file named as a directory' afw commit x -m replaced
like "$out" ', 3 files.*  out.*  out/o.*  out/x/y' 'is shown, with what it replaces'
is "$(git ls-tree -r --name-only af/x | tr '\n' ' ')|$(git -C "$w" status --short)" \
	'README in/a in/b out |' 'and committed'

# In a sandbox, git has the patterns, and misses no file that they leave out.
has=$("$BUILD/afw-supervisor" confine | tr '\n' ' ')
[[ $has =~ ^([0-9]+)\ yes\ $ ]] && [ "${BASH_REMATCH[1]}" -ge 6 ] || {
	skip 24 "no landlock here: $has"
	done_testing
	exit
}
# boxed NAME: as works, with commits that git makes in the sandbox
boxed()
{
	local w
	w=$(dirname "$PWD")/.af_worktrees/r-$1
	printf '#!/bin/sh\necho "hook:$1" >&2\n' >.git/hooks/pre-commit
	chmod +x .git/hooks/pre-commit
	exit_is 0 "$1: new" afw new "$1" --sandbox landlock -- cat || return
	run afw exec "$1" -- sh -c 'git status --short; echo inside >>in/a
		git commit -qam inside; git status --short
		git ls-files -t | grep -c "^S"'
	is "$out" "$2" "$1: inside, git has the patterns and is clean"
	exit_is 0 "$1: diff" afw diff --stat "$1"
	like "$out" ' in/a .*1 file changed' "$1: has the commit"
	is "$(git -C "$w" status --porcelain; git -C "$w" ls-files -t | grep -c '^S')" \
		"$2" "$1: outside, git sees the same"
	echo outside >>"$w/in/a"
	exit_is 0 "$1: commit" afw commit "$1" -m outside
	exit_is 0 "$1: merge" afw merge "$1"
	is "$(git show -s --format=%s) $(git status --porcelain)" 'outside ' \
		"$1: it is merged"
}
clone box --sparse
git sparse-checkout set in
boxed box 2
clone partial-box --filter=blob:none --sparse
git sparse-checkout set in
boxed partial-box 2
clone pattern-box --filter=blob:none --sparse
git sparse-checkout set --no-cone /in/a
boxed pattern-box 4
done_testing
