#!/bin/bash
# F: a text in all logs; Enter opens the log there.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/dash.sh"
for name in one two; do
	exit_is 0 "a session" afw new $name -- sh -c \
		"seq 1 60; printf 'the NEEDLE of $name \033[2Jno\n'; seq 61 200"
	exit_is 0 'ends' afw wait $name --for stopped -t 30s
done
touch "$T/.af_worktrees/repo-two/unsaved"
exit_is 0 'one is in the trash' afw rm two

dash 100 30
see 'one ' 'the dashboard is up'
tmux_keys F
see 'search all logs:' 'F asks for a text'
tmux_type 'needle of'
tmux_keys Enter
see 'the NEEDLE of one' 'and finds a line, without case'
see 'the NEEDLE of two' 'also in the trash'
see 'in the trash' 'which it says'
tmux_keys j Enter
see 'two is in the trash: restore it' 'there is no log to open there'
tmux_keys k Enter
see 'the log' 'Enter opens the log'
see 'the NEEDLE of one' 'at that line'
unlike "$(tmux_screen)" '200' 'not at its end'
tmux_keys q
see 'in the trash' 'q goes back'
tmux_keys q F
tmux_type 'nothing has this'
tmux_keys Enter
see 'No line has that text' 'a text that is nowhere'
tmux_keys q
gone 'No line has' 'q leaves'
done_testing
