#!/bin/bash
# The plan of afw land in the dashboard, and how far it is.
. "$(dirname "$0")/dash.sh"
export T
mkdir -p "$XDG_CONFIG_HOME/afw"
# shellcheck disable=SC2016 # for the check
echo 'check = sh -c "until test -e $T/go; do sleep 0.1; done; test ! -e bad || { echo it is bad; exit 1; }"' >"$XDG_CONFIG_HOME/afw/afw.ini"
seq 9 >lines && git add lines && git commit -qm lines
session()
{
	cd "$T/repo" || exit 2
	run afw new "$1" --no-start -- cat
	(cd "$T/.af_worktrees/repo-$1" && eval "$2" && git add -A && git commit -qm "work of $1")
}
session good 'echo good >good'
session bad 'echo bad >bad'
session other 'echo other >other'
session open 'echo open >open'
echo more >>"$T/.af_worktrees/repo-open/open"

cd "$T" || exit 2 # the plan is of the selected session's repository
dash 100 24
keys L
row_like 3 '^  NAME +CHANGES +CHECK' 'L shows the plan'
row_like 4 '^> good +lands +\+1 -0 +check: sh -c' 'with what lands, and the check'
row_like 7 '^  open +stays +\+2 -0 +1 file is not committed' 'and what stays'
row_like 24 '^Enter start +Space leave out' 'the last row has its keys'
keys G
row_like 24 '^Enter start +q back' 'and no key that leaves out what stays'
keys g Space j Space j Space
row_like 24 '^Space leave out +q back' 'or that lands nothing'
keys Space k Space k Space j j Space
row_like 6 '^> other +left out' 'Space leaves one out'
keys Space
row_like 6 '^> other +lands' 'and takes it in again'
keys Space Enter
row_like 4 '^  good +checking' 'Enter starts'
touch "$T/go"
row_like 4 '^  good +landed +.*fast-forward' 'each line shows what becomes of it'
row_like 5 '^  bad +stays +.*the check of the result exited with code 1' 'and why'
see '1 landed, 1 left out' 'at the end there is a sum'
keys k
see 'it is bad' 'below, there is what the check has printed'
is "$(git -C "$T/repo" log --format=%s main | head -1) $(ls "$T/repo" | tr '\n' ' ')" 'work of good README good lines ' 'only what was meant has landed'
keys Enter
waits_for '! tmux_screen | grep -q "good "' 'then the plan is made again'

# q leaves it running.
rm "$T/go"
session late 'echo late >late'
keys q L
waits_for 'tmux_screen | grep -q "late  *lands"' 'a session appears in the plan'
keys Enter
waits_for 'tmux_screen | grep -q checking' 'it runs'
keys q
names_are 'good bad other open late' 'q goes back to the list'
touch "$T/go"
see 'landed' 'it goes on'
waits_for 'git -C "$T/repo" log main --format=%s | grep -q "work of late"' 'and lands'

# Leaving the dashboard ends it.
see 'landed' 'it has ended'
rm "$T/go"
session final 'echo final >final'
keys L
waits_for 'tmux_screen | grep -q "final  *lands"' 'another one'
keys Enter
waits_for 'git -C "$T/repo" worktree list | grep -q _land' 'runs'
keys q q y
waits_for tmux_dead 'q leaves the dashboard'
waits_for '! git -C "$T/repo" worktree list | grep -q _land' 'the landing ends'
waits_for '! compgen -G "$XDG_DATA_HOME/afw/sessions/.new-*" >"$T/null"' 'and leaves nothing'
done_testing
