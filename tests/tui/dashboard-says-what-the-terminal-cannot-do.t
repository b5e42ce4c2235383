#!/bin/bash
. "$(dirname "$0")/dash.sh"

D=$BUILD/afw-dashboard
refused 1 'not a terminal.*hint: .afw ls' 'no terminal: says so' "$D"
in_terminal()
{
	tmux_stop
	tmux_run 80 24 env "$@" "$D"
	wait_for tmux_dead
}
in_terminal TERM=dumb
like "$(tmux_screen -S -)" "^afw: .*'dumb'.*cannot move its cursor" 'TERM=dumb: says so'
in_terminal TERM=no-such-thing
like "$(tmux_screen -S -)" "'no-such-thing'.*is unknown" 'an unknown TERM: says so'
in_terminal -u TERM
like "$(tmux_screen -S -)" 'TERM is not set' 'no TERM: says so'
like "$(tmux_screen)" 'afw ls. prints' 'with a way out'
exit_is 2 'arguments are refused' "$D" --what

fake_session asks running waiting_for_input '"detail":"which? 日本",'
fake_session bad error '' '"error_reason":"it broke",'
hold asks
dash 80 24 NO_COLOR=1
see 'waiting' 'NO_COLOR: the list is there'
unlike "$(tmux_screen -e)" $'\e\\[[0-9;]*(3[0-7]|38)' 'without a colour'
like "$(tmux_screen -e)" $'\e\\[[0-9;]*7m' 'the selection is in reverse'
keys ?
keys G
see 'No colours: NO_COLOR is set' 'the help says so'

for term in xterm xterm-16color xterm-256color linux vt100 screen tmux-direct; do
	if infocmp "$term" >/dev/null 2>&1; then
		dash 80 24 TERM=$term
		see 'which? 日本' "TERM=$term: works"
	else
		skip 1 "TERM=$term is not known here"
	fi
done
dash 80 24 LC_ALL=C
see 'which? ? ?' 'in a C locale other characters are ?'
keys ?
keys G
see 'is not UTF-8' 'and the help says so'
dash 80 24 LC_ALL=xx_YY.UTF-8
see 'which? 日本' 'a UTF-8 locale that is not installed is still UTF-8'

chmod 500 "$DATA"
rm -rf "$T/none"
if [ "$(id -u)" -ne 0 ]; then
	AF_DATA_DIR=$T/data/afw/none exit_is 1 'a data directory that cannot be made' "$D"
fi
chmod 700 "$DATA"
end
