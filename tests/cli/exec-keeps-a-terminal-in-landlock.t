#!/bin/bash
# A terminal beside an agent in a sandbox is in that sandbox.
. "$(dirname "$0")/../lib.sh"
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN" || exit 2
afw_env
needs_landlock
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new x --sandbox landlock -- cat
say() { tmux_type "$1"; tmux_keys Enter; }
tmux_start 100 24 env PS1='$ ' bash --norc --noprofile
tmux_wait_for '$'
say 'afw exec --attach x -- bash --norc'
tmux_wait_for 'leaves, it'
say "touch here '$T/repo/there'; ls; echo done"
tmux_wait_for "cannot touch '$T/repo/there'" 'it cannot write outside of the worktree'
tmux_keys 'C-\'
tmux_wait_for 'detached' 'the key that leaves works there, too'
ok_cmd 'it has written in the worktree' test -e "$T/.af_worktrees/repo-x/here"
nok_cmd 'alone' test -e "$T/repo/there"
exit_is 0 'rm ends it' afw rm --stop x
waits_for '[ "$(pgrep -fc "afw-supervisor run $DATA/")" = 0 ]' 'with its supervisor'
done_testing
