#!/bin/bash
# exec --attach: a terminal beside the agent, which stays when the user detaches,
# and ends with the session.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo-one
exit_is 0 'a session' afw new one -- cat
exit_is 0 'another' afw new two -- cat

refused 2 "exec 'one': this is not a terminal" 'without a terminal' afw exec --attach one
refused 2 'timeout' 'with a time limit' afw exec --attach -t 5s one
refused 2 "a name has|name 'a b'" 'with an invalid name' afw exec --attach -n 'a b' one
nok_cmd 'nothing is left of that' test -e "$(session_dir one)/beside"

tmux_start 100 24 env PS1='$ ' bash --norc --noprofile
say() { tmux_type "$1"; tmux_keys Enter; }
tmux_wait_for '$'
say 'SHELL=/bin/bash PS1="$ " afw exec --attach one'
tmux_wait_for 'repo/one: shell   Ctrl-\ leaves, it keeps running' 'the first line names the key that leaves'
say 'stty size; echo "in ${PWD##*/} $AFW_WORKSPACE ${AF_SESSION_ID-none}"; kept=yes'
tmux_wait_for 'in repo-one one none' 'a shell in the worktree, with the variables of the session'
tmux_wait_for '24 100' 'as large as the terminal'
tmux_keys 'C-\'
tmux_wait_for '[detached from one: shell; it keeps running]' 'the detach key leaves it'
is "$(afw ls -q | sort | paste -sd' ')" 'one two' 'no list has it'
run afw reconcile
is "$code" 0 'and nothing takes it for something that was left'
say 'clear; afw exec --attach one -- false'
tmux_wait_for 'kept=yes' 'the same command returns to it'
say 'echo "it was kept: $kept"'
tmux_wait_for 'it was kept: yes' 'as it was'
say 'exit 7'
tmux_wait_for '[one: shell: exited with code 7]' 'it ends as its command does'
say 'clear; afw exec --attach one -- no-such-program'
tmux_wait_for "there is no program 'no-such-program'" 'a program that is not there'
say 'clear; afw exec --attach -n watch one -- sh -c "echo up; exec sleep 1000"'
tmux_wait_for 'repo/one: watch   Ctrl-\ leaves' 'another command, by another name'
tmux_keys 'C-\'
tmux_wait_for 'detached from one: watch'
say 'clear; afw exec --attach two'
tmux_wait_for 'repo/two: shell   Ctrl-\ leaves' 'one of another session'
say 'echo "in ${PWD##*/}"'
tmux_wait_for 'in repo-two' 'is another'
tmux_keys 'C-\'
tmux_wait_for 'detached from two: shell'
beside=$(session_dir one)/beside
held() { pgrep -f "run $beside/" >"$T/null"; }
ok_cmd 'a supervisor holds it' held
exit_is 0 'stop' afw stop one
# The supervisor of a command that ended by itself stays for a moment.
waits_for '! held' 'ends them'
nok_cmd 'and nothing is kept of them' test -e "$beside"
say 'clear; afw exec --attach one -- sh -c "pwd; exec sleep 1000"'
tmux_wait_for 'repo-one' 'beside a session that is not running'
tmux_keys 'C-\'
tmux_wait_for 'detached from one: shell'
exit_is 0 'another one' afw rm --stop two
exit_is 0 'rm' afw rm one
waits_for '! held' 'ends that, too'
nok_cmd 'the worktree is gone' test -e "$tree"
waits_for '[ "$(pgrep -fc "afw-supervisor run $DATA/")" = 0 ]' 'no supervisor is left'
done_testing
