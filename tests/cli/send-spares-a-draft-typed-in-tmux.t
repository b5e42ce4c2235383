#!/bin/bash
# send: text that a person types through tmux's own client, whose keys the
# supervisor does not see, is found on the screen before anything is typed.
. "$(dirname "$0")/../lib.sh"
command -v tmux >/dev/null || skip_all 'no tmux here'
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG="$T/log"
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new one -a demo --backend tmux
tmux_start 80 24 bash -c 'afw attach one; exec cat'
tmux_wait_for 'works in' 'a person attaches'
tmux_type 'half a thought'
waits_for 'afw capture one | grep -q "> half a thought"' 'and types'
refused 9 'draft' 'a message meanwhile' afw send one -- '[[lines 1]]'
ok_cmd 'the draft is as it was' \
	sh -c 'afw capture one | grep -q "> half a thought\$"'
nok_cmd 'nothing was submitted' test -s "$T/log"
exit_is 0 'a waiting session' afw send one --when-idle -- '[[lines 3]]'
like "$(afw ls)" '\[1 queued\]' 'is in the list when its receipt is printed'
is "$out" 'one: queued: its input field holds a draft' 'with the reason alone'
exit_is 0 'cancelled' afw send one --cancel all
tmux_keys C-u
waits_for '! afw capture one | grep -q "half a thought"' 'it is cleared'
exit_is 0 'then it goes in' afw send one -- '[[lines 1]]'
is "$out" 'one: accepted' 'in one word'
waits_for 'grep -qxF "[[lines 1]]" "$T/log"' 'as it was written'
nok_cmd 'and alone' grep -q half "$T/log"
exit_is 0 'stop' afw stop one
tmux_stop

# Between the paste and Enter: a harness whose Enter comes late.
mkdir -p "$XDG_CONFIG_HOME/afw/adapters"
printf '[harness.demo]\nenter_delay = 6000\n' \
	>"$XDG_CONFIG_HOME/afw/adapters/demo.ini"
exit_is 0 'another' afw new two -a demo --backend tmux
exit_is 0 'is ready' afw wait two --for idle -t 240s
tmux_start 80 24 bash -c 'afw attach two; exec cat'
tmux_wait_for 'works in' 'a person attaches'
: >"$T/log"
afw send two -- '[[lines 2]]' >"$T/sent" 2>&1 &
pid=$!
waits_for 'afw capture two | grep -qF "> [[lines 2]]"' 'it is pasted'
tmux_type ' and more'
ends_with 0 "$pid" 'text typed after it prevents Enter'
like "$(<"$T/sent")" 'held: the user typed' 'and that is reported'
ok_cmd 'both are in the composer' \
	sh -c 'afw capture two | grep -qF "> [[lines 2]] and more"'
nok_cmd 'nothing was submitted' test -s "$T/log"
tmux_stop
exit_is 0 'stop' afw stop two
done_testing
