#!/bin/bash
# The demonstration harness behaves as real agents do; other tests rely on it.
. "$(dirname "$0")/../lib.sh"
afw_env
mkdir "$T/work"
cd "$T/work" || exit 2
export DEMO_SPEED=20 DEMO_LOG=$T/log
# All that it writes, with the escape sequences, ends up in raw.
tmux_run 80 24 script -qefc "$ROOT/share/demo-agent; echo left \$?" "$T/raw"
raw_has()
{
	grep -aqF -- "$1" "$T/raw"
}

tmux_wait_for 'a stand-in' 'it starts'
waits_for 'raw_has $'"'\e[?2004h'" 'bracketed paste is on'
waits_for 'raw_has "7501;state=idle:app=demo"' 'it says that it is idle'

tmux_paste $'Fix the login\nand the "logout", $HOME; \\ please'
tmux_wait_for 'please' 'a paste is shown in the composer'
nok_cmd 'and is not submitted by its line ends' test -e "$T/log"
tmux_keys Enter
tmux_wait_for 'Shall I also add a test? [y/n]' 'it works and asks'
is "$(<"$T/log")" $'--- 47\nFix the login\nand the "logout", $HOME; \\ please' \
	'the message arrived as it was sent, once'
waits_for 'raw_has "7501;state=working"' 'it has said that it works'
waits_for 'raw_has "7501;state=blocked:app=demo:kind=question"' \
	'and that it waits'
tmux_paste 'yes, and more'
nap
unlike "$(tmux_screen)" 'and more' 'a paste is dropped at the question'
tmux_keys n
tmux_wait_for 'Done: fix-the-login' 'n is an answer, and it completes'
waits_for 'raw_has "7501;state=done:app=demo:msg="' 'it says so, and what came of it'
ok_cmd 'it has made files' test -f demo/fix-the-login-and-the-logout.sh

tmux_type '[[sleep 60]]'
tmux_keys Enter
tmux_wait_for 'Sleeping' 'a typed message is taken too'
tmux_type 'later [[lines 3]]'
tmux_keys Enter
tmux_keys Escape
tmux_wait_for 'Interrupted' 'Esc interrupts'
tmux_wait_for 'line 3' 'a message that was sent meanwhile is taken up'

tmux_type '[[ask]]'
tmux_keys Enter
tmux_wait_for 'Shall I go on?'
tmux_keys Enter
tmux_wait_for 'answered: y' 'Enter at the question is yes'

tmux_type '[[fail]]'
tmux_keys Enter
waits_for 'raw_has "7501;state=error"' 'a turn can fail'

# 10 KB, in one piece.
long=$(printf 'x%.0s' {1..9986})'[[lines 2000]]'
tmux_paste "$long"
tmux_wait_for '[Pasted text, 1 lines, 10000 bytes]' 'a long paste is collapsed'
tmux_keys Enter
waits_for 'grep -q "^--- 10000" "$T/log"' 'and arrives whole'
tmux_wait_for 'line 2000'

tmux_type '[[exit 7]]'
tmux_keys Enter
tmux_wait_for 'left 7' 'it leaves with the exit code asked for'
waits_for 'raw_has $'"'\e[?2004l'" 'bracketed paste is off again'

tmux_stop
tmux_start 80 24 script -qefc "$ROOT/share/demo-agent" "$T/raw"
tmux_wait_for 'a stand-in'
tmux_type '[[ask]]'
tmux_keys Enter
tmux_wait_for 'Shall I go on?'
tmux_stop
waits_for '[ -z "$(_alive)" ]' 'it goes when its terminal goes'

make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new asks -a demo -m '[[ask]]'
exit_is 0 'asks' afw wait --for waiting_for_input --timeout 240s asks
exit_is 0 'and is stopped' afw stop asks
run afw logs asks
unlike "$out" Terminated 'no shell reports that its read was ended'
done_testing
