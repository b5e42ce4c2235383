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
clone sdir
git sparse-checkout set --cone in
git config core.sparseCheckout true
exit_is 0 'sparse index: new' afw new sdir -- cat
cd ../.af_worktrees/r-sdir || exit 2
echo more >>in/a
git sparse-checkout reapply --sparse-index
like "$(git ls-files --sparse -t)" 'S out/' 'sparse index: git has one'
hinted 'sparse index' afw commit sdir -m sdir
cd "$T/sdir/r" || exit 2
git sparse-checkout reapply --sparse-index
hinted 'merge into a sparse index' afw merge sdir
is "$(git log -1 --format=%s) $(git status --porcelain)" 'sdir ' \
	'merge into a sparse index: it is merged'
git sparse-checkout reapply --sparse-index
exit_is 0 'new beside a sparse index' afw new beside -- cat
done_testing
