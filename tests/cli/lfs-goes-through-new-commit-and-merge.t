#!/bin/bash
# A repository with git LFS, with Debian's git-lfs and its local store: new,
# commit (also in a sandbox), merge, land, undo, diff and --from.
. "$(dirname "$0")/../lib.sh"
git lfs version >/dev/null 2>&1 || skip_all 'no git-lfs here'
afw_env
git lfs install --skip-repo >/dev/null
git init -q "$T/repo" && cd "$T/repo" || exit 2
git lfs track '*.bin' >/dev/null
git config core.hooksPath "$T/none" # git-lfs's own would need its program
head -c 300000 /dev/urandom >a.bin
head -c 2000 /dev/urandom >b.bin
git add -A && git commit -qm first

# same A B: two files are, and are no pointers.
same() { cmp "$1" "$2" >&2 && ! grep -q git-lfs "$1"; }
# kept FILE: what the commit has of it is a pointer to an object in the store.
kept()
{
	local id
	id=$(git show "${2-main}:$1" | sed -n 's/^oid sha256://p')
	[ -n "$id" ] && [ "$(sha256sum <".git/lfs/objects/${id:0:2}/${id:2:2}/$id")" = "$id  -" ]
}

exit_is 0 'new' afw new x --no-start -- cat
tree=$T/.af_worktrees/repo-x
unlike "$err" 'LFS' 'lacks nothing'
exit_is 0 'a file has its contents' same "$tree/a.bin" a.bin
is "$(git -C "$tree" status --porcelain)$(git -C "$tree" diff-files)" '' 'and is unchanged for git'

printf more >>"$tree/a.bin"
printf new >"$tree/c.bin"
exit_is 0 'fetch -u' afw fetch -u x
exit_is 0 'a session from its uncommitted changes' afw new y --from x --no-start -- cat
exit_is 0 'has them' same "$T/.af_worktrees/repo-y/a.bin" "$tree/a.bin"
exit_is 0 'all of them' same "$T/.af_worktrees/repo-y/c.bin" "$tree/c.bin"
exit_is 0 'a diff' afw diff x
like "$out" 'a.bin' 'names the file'
unlike "$out" 'b.bin' 'and no other'
exit_is 0 'commit' afw commit x -m 'change it'
exit_is 0 'a pointer and its contents are stored' kept a.bin af/x
cp -a "$T/repo" "$T/twin"
exit_is 0 'merge' afw merge x
git -C "$T/twin" merge -q af/x
exit_is 0 'makes the files of git' diff -r -x .git "$T/repo" "$T/twin"
is "$(git status --porcelain)$(git diff-files)" '' 'for which they are unchanged'
exit_is 0 'the main worktree has the contents' same c.bin "$tree/c.bin"

# -- land: the check sees the contents ---------------------------------------------
exit_is 0 'new with a check' afw new l --no-start -o 'check=grep -q land c.bin' -- cat
printf land >"$T/.af_worktrees/repo-l/c.bin"
exit_is 0 'commit' afw commit l -m 'to be landed'
exit_is 0 'land' afw land --yes l
like "$out" 'l: merged into main .*, check passed' 'the check has seen the contents'
is "$(cat c.bin)" land 'and so does the user'
is "$(git status --porcelain)$(git diff-files)" '' 'and nothing is changed'

# -- an object that is not here ------------------------------------------------------
exit_is 0 'new' afw new gone --no-start -- cat
exit_is 0 'and one more' afw new gone2 --no-start -- cat
run afw new gone3 --no-start -- cat
for s in gone gone2 gone3; do
	printf "of $s" >"$T/.af_worktrees/repo-$s/$s.bin"
	afw commit $s -m $s >/dev/null
	find .git/lfs/objects -name "$(printf "of $s" | sha256sum | cut -c1-64)" -delete
done
exit_is 0 'land' afw land --yes gone
like "$err" "1 file of git LFS left as pointers; run .git -C $T/repo lfs pull" 'says what it left'
exit_is 0 'land all at once' afw land --yes --batch gone2 gone3
like "$err" '2 files of git LFS left as pointers' 'says so, too'
like "$(cat gone.bin)" '^version' 'the pointer is there'

# -- undo ---------------------------------------------------------------------------
exit_is 0 'a checkpoint' afw checkpoint x
printf wrong >"$tree/a.bin"
exit_is 0 'undo' afw undo x 3
exit_is 0 'restores the contents' same "$tree/a.bin" a.bin
is "$(git -C "$tree" status --porcelain)" '' 'unchanged for git'

# -- in a sandbox -------------------------------------------------------------------
if "$BUILD/afw-supervisor" confine | tail -1 | grep -q yes; then
	exit_is 0 'new in a sandbox' afw new s --sandbox landlock -- cat
	tree=$T/.af_worktrees/repo-s
	exit_is 0 'has the contents' same "$tree/a.bin" a.bin
	afw exec s -- bash -c 'echo boxed >>a.bin; echo d >d.bin; chmod +x d.bin; rm b.bin; echo t >text'
	exit_is 0 'commit' afw commit s -m 'from a sandbox'
	like "$out" ', 4 files' 'has all'
	exit_is 0 'a pointer and its contents are stored' kept a.bin af/s
	exit_is 0 'of a new file, too' kept d.bin af/s
	is "$(git ls-tree af/s d.bin | cut -c1-6)" 100755 'with its mode'
	is "$(git -C "$tree" status --porcelain)" '' 'and the files are unchanged for git outside'
	afw exec s -- bash -c 'git config filter.lfs.clean "git-lfs clean -- %f"; export GIT_CONFIG_COUNT=0
		printf own >own.bin; git add own.bin; git commit -qm own' >&2
	exit_is 0 'merge' afw merge s
	exit_is 0 'of what the agent commits by its own git-lfs, the contents are here' kept own.bin
	exit_is 0 'has the contents' same a.bin "$tree/a.bin"
	is "$(git status --porcelain)$(git diff-files)" '' 'unchanged for git'
	exit_is 1 'an object is missing' git lfs fsck --objects
	is "$(grep -o 'openError: [^ ]*' <<<"$out" | sort | tr '\n' ' ')" \
		'openError: gone.bin openError: gone2.bin openError: gone3.bin ' \
		'only of those that were deleted'
	head -c 20M /dev/urandom >"$T/big"
	for s in two one; do
		afw new $s --sandbox landlock -- cat >/dev/null
		cp "$T/big" "$T/.af_worktrees/repo-$s/big.bin"
	done
	afw commit two -m two >&2 &
	exit_is 0 'commit of a file that another session commits, too' afw commit one -m one
	ok_cmd 'and the other' wait $!
	exit_is 0 'its contents are stored' kept big.bin af/one
	is "$(find .git/lfs -name '*afw*')" '' 'and no unfinished ones'
fi
done_testing
