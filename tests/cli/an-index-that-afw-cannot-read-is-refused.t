#!/bin/bash
# An index that libgit2 cannot read (split, sparse) is refused with the command
# that makes it readable.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/repositories.sh"
make_origin README in/a in/b out/o

# hinted NAME CMD...: CMD fails, and after the hint it does not
hinted()
{
	refused 1 "read the index of $PWD: .*" "$1: it is refused" "${@:2}"
	is "$(grep -c '^hint: ' <<<"$err")" 1 "$1: with one hint"
	hint=$(sed -n 's/^hint: `\(.*\)`$/\1/p' <<<"$err")
	run bash -c "$hint"
	exit_is 0 "$1: after its command ($hint)" "${@:2}"
}
clone split
exit_is 0 'split: new' afw new split -- cat
cd ../.af_worktrees/r-split || exit 2
echo more >>in/a
git update-index --split-index
hinted split afw diff split
like "$out" '[+]more' 'split: the difference is shown'
git config core.splitIndex true
echo more >>in/b
git add in/b
hinted 'always split' afw commit split -m split
git -C "$T/split/r" update-index --split-index
cd "$T/split/r" || exit 2
hinted 'merge of a split index' afw merge split
git config core.splitIndex true
git update-index --split-index
exit_is 0 'new beside a split index' afw new beside -- cat
clone null
exit_is 0 'index.skipHash: new' afw new null -- cat
cd ../.af_worktrees/r-null || exit 2
index=$(git rev-parse --git-path index)
head -c -20 "$index" >"$T/index" && head -c 20 /dev/zero >>"$T/index" && cp "$T/index" "$index"
run afw diff null
if [ "$code" = 0 ]; then
	pass 'a null trailer: libgit2 reads it (1.9 does)'
else
	refused 1 "read the index of $PWD: .*checksum" 'a null trailer' afw diff null
	hint=${err#*\`} hint=${hint%%\`*}
	run bash -c "$hint"
	exit_is 0 "a null trailer: after its command ($hint)" afw diff null
fi
# A sparse index is expanded by git, in a copy; if that fails, it is refused, too.
clone sdir
git sparse-checkout set --cone in
git config core.sparseCheckout true
exit_is 0 'sparse index: new' afw new sdir -- cat
cd ../.af_worktrees/r-sdir || exit 2
echo more >>in/a
git sparse-checkout reapply --sparse-index
sparse='git ls-files --sparse -t | grep -q "S out/"'
ok_cmd 'sparse index: git has one' eval "$sparse"
TMPDIR=$T/none refused 1 "read the index of $PWD: .*" \
	'sparse index: without a place for the copy it is refused' afw diff sdir
hint=$(sed -n 's/^hint: `\(.*sparse-checkout.*\)`$/\1/p' <<<"$err")
run bash -c "$hint"
TMPDIR=$T/none exit_is 0 "sparse index: after its command ($hint)" afw diff sdir
git sparse-checkout reapply --sparse-index
is "$(afw diff sdir)" "$(git diff HEAD)" 'sparse index: diff prints what git prints'
ok_cmd 'and leaves it as it is' eval "$sparse"
waits_for '[ "$(state_of sdir files_changed)" = 1 ]' 'sparse index: the file is counted'
exit_is 0 'sparse index: a checkpoint' afw checkpoint sdir
echo lost >in/a
ok_cmd 'sparse index: git has one still' eval "$sparse"
exit_is 0 'sparse index: undo' afw undo -y --no-tell sdir 1
is "$(tail -n 1 in/a; git status --porcelain)" $'more\n M in/a' 'restores the file'
git sparse-checkout reapply --sparse-index
exit_is 0 'sparse index: new --from' afw new copy --from sdir -- cat
is "$(git -C ../r-copy status --porcelain; git -C ../r-copy ls-files -t)" \
	"$(git status --porcelain; git ls-files -t)" 'begins with the same'
exit_is 0 'sparse index: commit' afw commit sdir -m sdir
is "$(git log -1 --format=%s) $(git status --porcelain)" 'sdir ' 'sparse index: it is committed'
cd "$T/sdir/r" || exit 2
git sparse-checkout reapply --sparse-index
ok_cmd 'merge into a sparse index: git has one' eval "$sparse"
exit_is 0 'merge into a sparse index: a dry run' afw merge -n sdir
ok_cmd 'and leaves it as it is' eval "$sparse"
echo mine >>in/b
exit_is 0 'merge into a sparse index' afw merge sdir
is "$(git log -1 --format=%s) $(git status --porcelain)" 'sdir  M in/b' \
	'merge into a sparse index: it is merged'
git checkout -q in/b
git sparse-checkout reapply --sparse-index
exit_is 0 'new beside a sparse index' afw new beside -- cat
is "$(git -C ../.af_worktrees/r-beside ls-files -t)" "$(git ls-files -t)" 'has its files'
git -C ../.af_worktrees/r-beside sparse-checkout reapply --sparse-index
exit_is 0 'rm of a clean one with a sparse index' afw rm --stop beside
unlike "$out" 'kept in the trash' 'keeps nothing'
is "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'afw-index*' -user "$(id -u)" 2>/dev/null)" '' \
	'no copy is left'
done_testing
