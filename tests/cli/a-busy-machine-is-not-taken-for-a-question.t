#!/bin/bash
# Beside busy loops an agent draws slowly after a message. That must not be
# taken for a question.
#
#	a-busy-machine-is-not-taken-for-a-question.t [ROUNDS [LOOPS]]
. "$(dirname "$0")/../lib.sh"
[ "${AF_TEST_EVERY-}" = 1 ] && rounds=2 || rounds=1
rounds=${1:-$rounds} loops=${2:-8}
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

# The agent starts the loops: Linux divides the processor among terminal
# sessions, so loops in another session would hardly slow it.
cat >"$T/agent" <<END
#!/bin/sh
for i in $(seq -s ' ' "$loops"); do
	timeout 100 sh -c 'while :; do :; done' &
done
exec "$AF_SHARE_DIR/demo-agent" --speed 20
END
chmod +x "$T/agent"
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '[harness.demo]\ncommand = %s\n' "$T/agent" >"$XDG_CONFIG_HOME/afw/afw.ini"

for ((i = 1; i <= rounds; i++)); do
	x=x$i
	exit_is 0 "$x: new" afw new "$x" -a demo -m Greet
	exit_is 0 "$x: wait" afw wait "$x" -t 240s
	is "$out" waiting "$x: it waits, …"
	like "$(state_of "$x" detail)" '^Shall I also' "$x: … and asks"
	exit_is 0 "$x: the answer" afw send "$x" -t 30s --approve
	exit_is 0 "$x: the turn ends" afw wait "$x" -t 240s --for completed
	exit_is 0 "$x: a turn that asks nothing" \
		afw send "$x" --wait -t 240s '[[lines 20]] [[sleep 1]]'
	is "$(afw events "$x" | grep 'is open in place of its input')" '' \
		"$x: nothing was ever open"
	exit_is 0 "$x: stop" afw stop "$x"
done

exit_is 0 'by hand: new' afw new hand -a demo
exit_is 0 'by hand: it is idle' afw wait hand -t 240s --for idle
tmux_start 90 30 afw attach hand
tmux_wait_for 'demo-agent'
tmux_type 'Greet'
tmux_wait_for '> Greet' 'by hand: a message'
tmux_keys Enter
exit_is 0 'by hand: wait' afw wait hand -t 240s
like "$(state_of hand detail)" '^Shall I also' 'by hand: it asks'
tmux_keys n
exit_is 0 'by hand: the turn ends' afw wait hand -t 240s --for completed
is "$(afw events hand | grep 'is open in place of its input')" '' \
	'by hand: nothing was ever open'
done_testing
