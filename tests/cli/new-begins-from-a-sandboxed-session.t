#!/bin/bash
# new --from, from and into a sandbox with a git directory of its own: commits
# and what is staged there are copied, too.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$(dirname "$0")/undo.sh"
needs_landlock
export GIT_OPTIONAL_LOCKS=0
make_repo "$T/repo"
cd "$T/repo" || exit 2

# state NAME: what its agent sees of git, in its sandbox.
state()
{
	run afw send "$1" --wait -- \
		'(git rev-parse HEAD; git ls-files -s; git status --porcelain=v2) >seen.ign 2>&1'
	cat "$T/.af_worktrees/repo-$1/seen.ign"
}

echo '*.ign' >.gitignore
git add .gitignore && git commit -qm ignore
exit_is 0 'a session' afw new one --sandbox landlock -- bash -c "$undo_agent"
exit_is 0 'is ready' afw wait one --for idle -t 60s
exit_is 0 'it works' afw send one --wait -- \
	'echo c >c; git add c; git commit -qm work; echo s >s; git add s; echo more >>s; echo u >u; chmod +x c; ln -s u l'
one=$(state one)
like "$one" 'AM.* s' 'something is staged'
for sandbox in none landlock; do
	exit_is 0 "a session in sandbox $sandbox" \
		afw new "in-$sandbox" --from one --sandbox $sandbox -- bash -c "$undo_agent"
	exit_is 0 'is ready' afw wait "in-$sandbox" --for idle -t 60s
	is "$(state "in-$sandbox")" "$one" 'sees the same as the other'
	is "$(git rev-parse "af/in-$sandbox")" "$(git rev-parse af/one)" 'its branch is there'
	is "$(readlink "$T/.af_worktrees/repo-in-$sandbox/l")" u 'and the link'
done
exit_is 0 'stopped' afw stop one
exit_is 0 'from one that is not running' \
	afw new three --from one --sandbox landlock -- bash -c "$undo_agent"
exit_is 0 'is ready' afw wait three --for idle -t 60s
is "$(state three)" "$one" 'it sees the same'
refused 1 '' 'an agent that does not start' \
	afw new failing --from one --sandbox landlock -- /no/such/program
nok_cmd 'leaves no worktree' test -e "$T/.af_worktrees/repo-failing"
is "$(git branch --list af/failing)" '' 'and no branch'
done_testing
