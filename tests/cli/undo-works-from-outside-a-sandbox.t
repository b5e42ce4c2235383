#!/bin/bash
# undo in a sandbox with a git directory of its own: its commits are imported
# first, and its branch and index there are restored, too.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$(dirname "$0")/undo.sh"
needs_landlock
make_repo "$T/repo"
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo-one

# seen COMMANDS: what the agent prints of them, in its sandbox.
seen()
{
	run afw send one --wait -- "($1) >seen 2>&1"
	cat "$tree/seen"
	rm "$tree/seen"
}

exit_is 0 'a session' afw new one --sandbox landlock -- bash -c "$undo_agent"
exit_is 0 'is ready' afw wait one --for idle -t 240s
echo mine >"$tree/mine"
before=$(seen 'git rev-parse HEAD; git status --porcelain')
run afw send one --wait -- \
	'echo more >>README; echo s >s; git add README; git commit -qm work; git add s'
head=$(git rev-parse af/one)
isnt "$head" "$(git rev-parse main)" 'a turn that commits'
exit_is 0 'undo' afw undo one --yes --no-tell
is "$(git rev-parse af/one)" "$(git rev-parse main)" 'the branch is back here'
ok_cmd 'the files are' test ! -e "$tree/s"
ok_cmd 'other files stay' test -e "$tree/mine"
is "$(seen 'git rev-parse HEAD; git status --porcelain')" "$before" \
	'and the agent sees the same'
exit_is 0 'redo' afw undo one --yes --no-tell --redo
is "$(git rev-parse af/one)" "$head" 'the branch has its commit'
is "$(seen 'git rev-parse HEAD; git status --porcelain | grep -v seen')" \
	"$head"$'\nA  s\n?? mine' 'in the sandbox, too'
done_testing
