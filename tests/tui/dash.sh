# dash.sh - functions of the dashboard's tests; sources lib.sh and fake.sh.
#
#	dash COLS ROWS [VAR=VALUE...]   starts it in a terminal; waits for it
#	row N                           the N-th row of the screen, from 1
#	names                           the names in the list, top to bottom
#	selected                        the name at the marker
#	see TEXT NAME; gone TEXT NAME   results: waits until the screen has TEXT,
#	                                or no longer has it
#	row_like N REGEX NAME; names_are NAMES NAME; selected_is SESSION NAME
#	keys KEY...                     presses keys, one by one
#	click ROW COLUMN; double_click ROW COLUMN; mouse REPORT...

. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
afw_env
. "$ROOT/tests/fake.sh"
make_repo "$T/repo"
cd "$T/repo" || exit 2

dash()
{
	local cols=$1 rows=$2
	shift 2
	tmux_stop
	tmux_start "$cols" "$rows" env "$@" "$BUILD/afw-dashboard"
	tmux_wait_for 'afw'
}

row()
{
	tmux_screen | sed -n "$1p"
}

# The marker and the first column, below the heading; indented in a group.
names()
{
	tmux_screen | sed -n '3,$p' | sed '/^──/,$d;/^--/,$d' |
		grep -E '^[>*! ] (  )?[^ ]' | awk '{ print substr($0, 3) }' |
		awk '{ print $1 }' | paste -sd' ' -
}

selected()
{
	tmux_screen | sed -n 's/^>  *\([^ ]*\).*/\1/p' | head -n 1
}

see()
{
	tmux_wait_for "$1" "$2"
}

gone()
{
	tmux_wait_gone "$1" "$2"
}

row_like()
{
	_re=$2
	waits_for "[[ \$(row $1) =~ \$_re ]]" "$3" 'echo "no row like $_re"'
}

names_are()
{
	_names=$1
	waits_for '[ "$(names)" = "$_names" ]' "$2" 'echo "not: $_names"'
}

selected_is()
{
	_selected=$1
	waits_for '[ "$(selected)" = "$_selected" ]' "$2" 'echo "not $_selected"'
}

# Escape must be the last of them, or its effect be seen before the next key: both
# in one read would be Alt and that key.
keys()
{
	local key
	for key; do
		tmux_keys "$key"
	done
}

# mouse REPORT...: "0;COLUMN;ROWM" is the left button pressed, "m" released
mouse()
{
	local report
	for report; do
		tmux_type $'\e'"[<$report"
	done
}
click()
{
	mouse "0;$2;$1M" "0;$2;$1m"
}
# Both clicks at once: on a busy machine two would be too far apart.
double_click()
{
	local one=$'\e'"[<0;$2;$1M"$'\e'"[<0;$2;$1m"
	tmux_type "$one$one"
}

# Ends the script: stops what dash.sh and fake.sh have started.
end()
{
	release_locks
	[ -z "${supervisor_pid-}" ] || kill -KILL "$supervisor_pid" 2>/dev/null
	done_testing
}

# screen_session NAME: makes a real session; lines sets its screen. Sets
# supervisor_pid.
screen_session()
{
	mkfifo "$T/show"
	afw new "$1" -- bash -c 'stty -echo; printf "\e]2;title of it\a"
		exec 3<>"$0"
		while read -r text <&3; do printf "%b" "\e[H\e[2J$text"; done' \
		"$T/show" >/dev/null || exit 2
	run afw status "$1" --json
	supervisor_pid=$(json supervisor_pid)
}

# lines TEXT: shows TEXT, with printf's escapes, on the screen of that session.
lines()
{
	printf '%s\n' "$1" >"$T/show"
}
