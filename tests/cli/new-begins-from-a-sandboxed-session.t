#!/bin/bash
# new --from, from and into a sandbox with a git directory of its own: commits
# and what is staged there are copied, too. setup runs the agent's files: inside.
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
exit_is 0 'is ready' afw wait one --for idle -t 240s
exit_is 0 'it works' afw send one --wait -- \
	'echo c >c; git add c; git commit -qm work; echo s >s; git add s; echo more >>s; echo u >u; chmod +x c; ln -s u l'
one=$(state one)
like "$one" 'AM.* s' 'something is staged'
for sandbox in none landlock; do
	exit_is 0 "a session in sandbox $sandbox" \
		afw new "in-$sandbox" --from one --sandbox $sandbox -- bash -c "$undo_agent"
	exit_is 0 'is ready' afw wait "in-$sandbox" --for idle -t 240s
	is "$(state "in-$sandbox")" "$one" 'sees the same as the other'
	is "$(git rev-parse "af/in-$sandbox")" "$(git rev-parse af/one)" 'its branch is there'
	is "$(readlink "$T/.af_worktrees/repo-in-$sandbox/l")" u 'and the link'
done
exit_is 0 'stopped' afw stop one
exit_is 0 'from one that is not running' \
	afw new three --from one --sandbox landlock -- bash -c "$undo_agent"
exit_is 0 'is ready' afw wait three --for idle -t 240s
is "$(state three)" "$one" 'it sees the same'
refused 1 '' 'an agent that does not start' \
	afw new failing --from one --sandbox landlock -- /no/such/program
nok_cmd 'leaves no worktree' test -e "$T/.af_worktrees/repo-failing"
is "$(git branch --list af/failing)" '' 'and no branch'

# -- setup ------------------------------------------------------------------

# What the agent has written, and setup runs: it marks where it runs.
setup="touch '$T/outside'; echo said; echo \$AF_WORKTREE >ran.ign; exec sleep 7411 & exit \${CODE-0}"
exit_is 0 'its agent again' afw start one
exit_is 0 'is ready' afw wait one --for idle -t 240s
echo "$setup" >"$T/.af_worktrees/repo-one/set-up"
exit_is 0 'writes what setup runs' afw send one --wait -- 'git add .; git commit -qm hostile'
mkdir -p "$XDG_CONFIG_HOME/afw"
setup='sh -c "[ ! -e set-up ] || . ./set-up"'
echo "setup = $setup" >"$XDG_CONFIG_HOME/afw/afw.ini"
tip=$(git rev-parse af/one)

# inside NAME ARGS...: afw new runs setup in the sandbox of the new session.
inside()
{
	exit_is 0 "new ${*:2}" afw new "$@" --sandbox landlock -- bash -c "$undo_agent"
	[ "$1" != commit ] || run afw start commit
	waits_for "[ -s '$T/.af_worktrees/repo-$1/ran.ign' ]" 'runs it'
	is "$(<"$T/.af_worktrees/repo-$1/ran.ign")" "$T/.af_worktrees/repo-$1" \
		'in its worktree'
	nok_cmd 'in its sandbox' test -e "$T/outside"
	rm -f "$T/outside"
}
inside from --from one
inside commit -b "$tip" --no-start
exit_is 0 'a session of it' afw new later --after from --sandbox landlock -- bash -c "$undo_agent"
exit_is 0 'the one before is done' afw send from --wait -- true
waits_for '[ -s "$T/.af_worktrees/repo-later/ran.ign" ]' 'runs it after --after'
nok_cmd 'in its sandbox' test -e "$T/outside"
run afw logs --service setup from
like "$out" said 'its output is stored'
is "$(pgrep -fxc 'sleep 7411')" 0 'what it leaves running is ended'
rm "$T/.af_worktrees/repo-from/ran.ign"
exit_is 0 'a second start' afw restart from
exit_is 0 'is ready' afw wait from --for idle -t 240s
nok_cmd 'does not run it again' test -e "$T/.af_worktrees/repo-from/ran.ign"
for from in '--from one' "-b $tip" '-b af/one' \
	"-b main --with-changes=$(git rev-list main..af/one | tail -n 1)"; do
	refused 9 'setup would run files of a sandboxed agent' "without a sandbox $from" \
		afw new out $from -- cat
	refused 9 'setup would run' 'is refused by a dry run, too' afw new out -n $from -- cat
done
exit_is 0 'without setup' afw new out -b af/one -o setup= -- cat
exit_is 0 'a branch of the user' git merge -q af/one
sed -i 's/exec sleep.*&//' set-up
git commit -qam mine
exit_is 0 'the user has merged it' afw new mine --sandbox landlock -- cat
ok_cmd 'it runs outside' test -e "$T/outside"
CODE=3 exit_is 1 'a set-up that fails inside' \
	afw new failing --from one --sandbox landlock -o env_pass=CODE -- cat
like "$err" "rolled back: service 'setup' exited with code 3: said" 'is reported'
is "$(git branch --list af/failing)" '' 'is rolled back'
done_testing
