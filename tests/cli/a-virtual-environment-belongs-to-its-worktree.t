#!/bin/bash
# The virtual environment that is active where afw runs: one of the main worktree
# becomes the session's own, or is left out.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
cat >setup-it <<'END'
#!/bin/sh
echo "setup: ${VIRTUAL_ENV-none} $PATH"
mkdir -p .venv/bin
END
chmod +x setup-it
git add setup-it && git commit -qm setup-it
mkdir -p .venv/bin
printf '#!/bin/sh\necho main\n' >.venv/bin/py
chmod +x .venv/bin/py
plain=$PATH
export VIRTUAL_ENV=$T/repo/.venv PATH=$T/repo/.venv/bin:$PATH

# seen NAME: the variables in a session, of its agent and of exec
seen()
{
	_seen=$T/env.$1
	wait_for '[ -s "$_seen" ]'
	cat "$T/env.$1"
	afw exec "$1" -- sh -c 'echo "${VIRTUAL_ENV-none} $PATH"'
}
agent='echo "${VIRTUAL_ENV-none} $PATH" >"$0.new"; mv "$0.new" "$0"; exec cat'

exit_is 0 'new, without one in the worktree' \
	afw new without -- bash -c "$agent" "$T/env.without"
like "$err" "without: the active virtual environment is the main worktree's and is left out" \
	'says that it is left out'
is "$(seen without)" "none $plain
none $plain" 'the agent and exec do not have it'

exit_is 0 'new, with a setup that makes one' \
	afw new with -o setup=./setup-it -- bash -c "$agent" "$T/env.with"
like "$out$err" "setup: none $plain" 'setup does not have it'
unlike "$err" 'left out' 'nothing is left out'
own=$T/.af_worktrees/repo-with/.venv
is "$(seen with)" "$own $own/bin:$plain
$own $own/bin:$plain" "the agent and exec have the worktree's own"

mkdir -p "$T/other/bin"
export VIRTUAL_ENV=$T/other PATH=$T/other/bin:$plain
exit_is 0 'new, with one elsewhere' \
	afw new other -- bash -c "$agent" "$T/env.other"
is "$(seen other)" "$T/other $PATH
$T/other $PATH" 'which stays'
afw stop --all >"$T/null"
done_testing
