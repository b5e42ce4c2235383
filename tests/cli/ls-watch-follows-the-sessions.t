#!/bin/bash
# ls --watch draws the table again when something changes, and restores the
# terminal.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/fake.sh"

exit_is 2 'without a terminal it is refused' afw ls -w
like "$err" '--watch needs a terminal' 'in words'
exit_is 2 'JSON is refused, too' afw ls -w --json

fake_session one running working '"last_line":"\u001b]0;evil\u0007 said",'
one=$dir
tmux_start 80 24 sh -c 'echo before; stty -g >"$0"; afw ls -w; echo "code $?"
	stty -g >"$1"; read -r _; afw ls --watch; echo over; cat' "$T/before" "$T/after"
hold one
tmux_wait_for 'working' 'a terminal has the table'
unlike "$(tmux_screen)" before 'alone'
start=$(now_ms)
fake_session two stopped
tmux_wait_for 'two' 'a session that is made appears'
dir=$one
fake_state one running waiting_for_input '"detail":"Allow it?",'
tmux_wait_for 'Allow it?' 'a change is drawn'
ok $(($(now_ms) - start > 4500)) 'at once, not at the next heartbeat'
mkdir -p "$DATA/trash"
mv "$DATA/sessions/$(basename "$(session_dir two)")" "$DATA/trash/"
tmux_wait_gone 'two' 'a removed session disappears'
for i in {1..12}; do fake_session "s$i" stopped; done
tmux_resize 60 8
tmux_wait_for 'and 8 more' 'a small window says how many it does not hold'
unlike "$(tm display-message -p -t =t: '#{pane_title}')" evil 'no title is obeyed'
tmux_keys q
tmux_wait_for 'code 0' 'q ends it'
tmux_wait_for 'before' 'the screen is restored'
tmux_keys Enter
tmux_wait_for 'and 8 more'
tmux_keys C-c
tmux_wait_for 'over' 'Ctrl-C does that, too'
is "$(<"$T/after")" "$(<"$T/before")" 'the terminal is as before'
tmux_stop

# Ctrl-Z, in a shell that has jobs.
for command in 'ls -w' top; do
	tmux_start 80 24 bash --norc -i
	tmux_type "PS1=''; clear; echo here; afw $command"
	tmux_keys Enter
	tmux_wait_for 'NAME'
	tmux_keys C-z
	tmux_wait_for 'Stopped' "$command: Ctrl-Z comes back to the shell"
	tmux_type 'echo typed'
	tmux_keys Enter
	tmux_wait_for 'typed' 'which has its terminal'
	tmux_type 'clear; fg'
	tmux_keys Enter
	tmux_wait_for 'NAME' 'fg draws it again'
	tmux_keys q
	waits_for '! tmux_screen | grep -q NAME' 'and q ends it'
	tmux_stop
done
release_locks
done_testing
