#!/bin/bash
# before_start runs before each start of the agent, before_rm before the worktree
# is removed; both can refuse.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
ini=$XDG_CONFIG_HOME/afw/afw.ini
tree=$T/.af_worktrees/repo-one
cat >"$ini" <<END
before_start = sh -c "pwd >>$T/starts; test ! -e $T/no-start"
before_rm = sh -c "echo the database stays; pwd >>$T/removals; test ! -e $T/no-rm"
check_timeout = 2s
[service.web]
command = sh -c "wc -l <$T/starts >$T/web; exec sleep 600"
END

# -- each start
exit_is 0 'a session' afw new one -- sh -c "wc -l <$T/starts >$T/agent; exec sleep 600"
is "$(<"$T/starts")" "$tree" 'before_start runs in the worktree'
waits_for '[ "$(cat "$T/agent")" = 1 ] && [ "$(cat "$T/web")" = 1 ]' \
	'before the service and the agent'
exit_is 0 'a restart' afw restart one
waits_for '[ "$(cat "$T/agent")" = 2 ]' 'runs it again'
touch "$T/no-start"
exit_is 0 'stop' afw stop one
refused 1 "service 'before_start' exited with code 1" 'if it fails, a start' \
	afw start one
is "$(wc -l <"$T/starts") $(cat "$T/agent")" '3 2' 'does not start the agent'
exit_is 0 'and its output is there' afw logs one --service before_start
rm "$T/no-start"
exit_is 0 'then it starts' afw start one

# -- the removal
touch "$T/no-rm" "$tree/work"
refused 9 "remove 'one': before_rm exited with code 1" 'a before_rm that fails' \
	afw rm -s one
like "$err" 'afw logs --service before_rm one' 'with a hint'
is "$(ls "$tree/work")" "$tree/work" 'keeps the worktree'
exit_is 0 'its output' afw logs --service before_rm one
is "$out" 'the database stays' 'is kept'
exit_is 0 '--force' afw rm --force one
like "$err" 'before_rm exited with code 1' 'warns'
nok_cmd 'and removes it' test -e "$tree"
exit_is 0 'restore' afw trash restore one
rm "$T/no-rm"
exit_is 0 'rm' afw rm one
is "$(sort -u "$T/removals")" "$tree" 'it ran in the worktree'
is "$(wc -l <"$T/removals")" 3 'once for each rm'
nok_cmd 'which is removed' test -e "$tree"

# -- one that does not end
sed -i "s/^before_rm.*/before_rm = sleep 60$$/" "$ini"
exit_is 0 'a session' afw new one -- sleep 600
refused 9 'before_rm was not done in time \(check_timeout\)' 'its time is limited' \
	afw rm -s one
nok_cmd 'nothing of it is left' pgrep -f "^sleep 60$$"
exit_is 0 'a worktree that is gone' rm -rf "$tree"
exit_is 0 'has none to run in' afw rm one

# -- the repository's own is asked for
rm "$ini"
mkdir .af
echo 'before_rm = touch ran' >.af/afw.ini
refused 9 'is not trusted' 'without trust, there is no session' \
	afw new two -- sleep 600
like "$(echo n | "$BUILD/tests/tools/onpty" -s 90x30 afw trust)" \
	'before_rm = touch ran' 'and trust shows what would run'
done_testing
