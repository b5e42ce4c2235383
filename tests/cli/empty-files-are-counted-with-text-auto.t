#!/bin/bash
# Empty files whose line ends git would convert are counted and shown: libgit2
# 1.5 dies of them.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" was-full
cd "$T/repo" || exit 2
echo full >was-full
echo '* text=auto' >.gitattributes
git add -A && git commit -qm base
tree=$T/.af_worktrees/repo-one

exit_is 0 'a session' afw new one -- cat
: >"$tree/empty" && : >"$tree/was-full" && : >"$tree/staged"
git -C "$tree" add staged
exit_is 0 'a diff' afw diff one
like "$out" $'diff --git a/empty b/empty\nnew file mode 100644' 'has the new file'
like "$out" $'--- a/was-full\n\\+\\+\\+ b/was-full\n@@ -1 \\+0,0 @@\n-full' 'and one that was emptied'
exit_is 0 'its table' afw diff one --stat
like "$out" 'was-full +\| +1 -' 'counts the line'
like "$out" '3 files changed, 1 deletion' 'and the files'
waits_for 'afw status one | grep -q "3 files, +0 -1 lines"' 'status counts the same'
done_testing
