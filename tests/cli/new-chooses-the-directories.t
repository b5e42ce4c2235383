#!/bin/bash
# afw new --sparse makes a worktree of some directories, as git sparse-checkout set
# does, and --no-sparse one of all files. The user's own checkout stays as it is.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/repositories.sh"
make_origin README top.txt in/a in/deep/b in/deeper/c out/o out/x/y \
	'sp ace/f' 'st*r/g' 'st/g' 'q"\uote/h' $'ta\tb/i' -dash/j 'ü/k'

# seen WORKTREE: its files, the bits of its index, its status and patterns
seen()
{
	(
		cd "$1" || exit
		find . -name .git -prune -o -type f -print | sort
		git ls-files -t
		git status --porcelain
		git sparse-checkout list 2>&1
	)
}

# sets NAME DIR...: new gives what git gives
sets()
{
	local name=$1 w args=()
	shift
	w=$(dirname "$PWD")/.af_worktrees/$(basename "$PWD")-$name
	for i in "$@"; do args+=("--sparse=$i"); done
	exit_is 0 "$name: new" afw new "$name" "${args[@]}" -- cat
	is "$err" '' 'has no warning'
	git worktree add -q --no-checkout --detach ../git HEAD
	git -C ../git sparse-checkout set --cone --skip-checks -- "$@"
	git -C ../git read-tree -mu HEAD
	is "$(seen "$w")" "$(seen ../git)" 'it has what git gives it'
	is "$(git -C "$w" config --worktree --list | grep -v index.sparse)" \
		"$(git -C ../git config --worktree --list | grep -v index.sparse)" \
		'and the configuration'
	git worktree remove ../git
}

clone full
before=$(seen .)
sets one in/deep
is "$(cd ../.af_worktrees/r-one && find . -type f -name '[a-z]*' | sort)" \
	$'./in/a\n./in/deep/b\n./top.txt' 'one: its files, and those above'
sets several out 'sp ace' 'st*r' 'q"\uote' $'ta\tb' -dash 'ü'
exit_is 0 'the root alone' afw new root --sparse . -- cat
is "$(cd ../.af_worktrees/r-root && ls)" $'README\ntop.txt' 'has the files of the root'
exit_is 0 'a path as a shell completes it' afw new slash --sparse ./in/deep/ -- cat
is "$(git -C ../.af_worktrees/r-slash sparse-checkout list)" in/deep 'is that directory'
is "$(seen .)" "$before" 'the checkout of the user has all files'
exit_is 0 'all files of a full one' afw new all --no-sparse -- cat
is "$(cd ../.af_worktrees/r-all && git ls-files -t | grep -c '^S')" 0 'are all there'

# A narrow session is a session as any other.
w=../.af_worktrees/r-one
echo more >>"$w/in/deep/b"
waits_for '[ "$(state_of one files_changed)" = 1 ]' 'one: the change is counted alone'
exit_is 0 'one: commit' afw commit one -m work
exit_is 0 'one: merge' afw merge one
is "$(git show --name-only --format= HEAD)" in/deep/b 'has the one file'
exit_is 0 'one: rm' afw rm --stop one
unlike "$out" 'kept in the trash' 'keeps nothing'

clone narrow
git sparse-checkout set --cone in
before=$(seen .)
sets other out
exit_is 0 'all of a sparse one' afw new all --no-sparse -- cat
is "$(cd ../.af_worktrees/r-all && git ls-files -t | grep -c '^S'; git status --porcelain)" \
	0 'has all files'
is "$(seen .)" "$before" 'the checkout of the user is as narrow as before'
clone patterns
git sparse-checkout set --no-cone '/*' '!/out/' '!**/deeper/'
sets cone in
exit_is 0 'all of one with patterns' afw new all --no-sparse -- cat
is "$(cd ../.af_worktrees/r-all && git ls-files -t | grep -c '^S')" 0 'has all files'
clone index --sparse
git sparse-checkout set --sparse-index in
sets other out/x
exit_is 0 'all beside a sparse index' afw new all --no-sparse -- cat
is "$(cd ../.af_worktrees/r-all && git ls-files -t | grep -c '^S')" 0 'has all files'
clone old
git config core.sparseCheckout true
printf '/*\n!/*/\n/in/\n' >.git/info/sparse-checkout
git read-tree -mu HEAD
exit_is 0 'all of one from before the worktree configuration' afw new all --no-sparse -- cat
is "$(git -C ../.af_worktrees/r-all ls-files -t | grep -c '^S'; git ls-files -t in out)" \
	$'0\nH in/a\nH in/deep/b\nH in/deeper/c\nS out/o\nS out/x/y' 'has all files, and that one not'
mkdir "$T/bare" && cd "$T/bare" && git clone -q --bare "$T/origin" .bare
echo 'gitdir: ./.bare' >.git
git worktree add -q main main && cd main || exit 2
exit_is 0 'beside a bare one' afw new bare --sparse out -- cat
is "$(ls ../.af_worktrees/*-bare)" $'README\nout\ntop.txt' 'has its files'
is "$(git -C "$T/bare/.bare" rev-parse --is-bare-repository; git status --porcelain)" true \
	'and the repository is bare still'

# -- mistakes -------------------------------------------------------------------
cd "$T/full/r" || exit 2
nothing_made='[ -z "$(git branch --list "af/bad")$(ls -d ../.af_worktrees/r-bad .git/worktrees/r-bad 2>/dev/null)" ]'
for i in none in/a ../full /etc .git '' $'in\x01'; do
	refused 2 'main has no directory "[^[:cntrl:]]*"' "--sparse '$(printf %q "$i")'" \
		afw new bad --sparse "$i" -- cat
done
like "$err" 'hint: --sparse takes paths from the top' 'with a hint'
hint=${err##*; \`} hint=${hint%%\`*}
run bash -c "$hint"
like "$hint $out" 'git ls-tree .*in.*out' 'whose command lists the directories'
ok_cmd 'nothing is made' eval "$nothing_made"
refused 2 'main has no directory' 'a dry run finds it, too' afw new bad -n --sparse none -- cat
refused 2 'cannot be combined' '--sparse and --no-sparse' \
	afw new bad --sparse in --no-sparse -- cat
refused 2 'cannot be combined' '--sparse and --from' afw new bad --sparse in --from all
refused 2 'cannot be combined' '--no-sparse and --here' afw new bad --no-sparse --here -- cat

# Patterns of control bytes match nothing, and are not printed raw.
clone control
git sparse-checkout set --no-cone '/in/'
printf '/in/\n\001\033[31m/**/\002\n' >.git/info/sparse-checkout
run afw new control -- cat
is "$code" 1 'a pattern of control bytes that afw cannot match is refused'
like "$err" 'hint: replace it' 'with a hint'
nok_cmd 'and is not printed as it is' grep -q $'[\001\002\033]' <<<"$err"
printf '/in/\n\001\033\377\n' >.git/info/sparse-checkout
exit_is 0 'one that matches nothing' afw new control -- cat
is "$(cd ../.af_worktrees/r-control && ls)" in 'leaves the others'
done_testing
