#!/bin/bash
# ! opens a shell beside the agent, which stays; so does the key of a
# [command.NAME].
. "$(dirname "$0")/dash.sh"

ini()
{
	mkdir -p "$XDG_CONFIG_HOME/afw"
	printf '%s\n' "$@" >"$XDG_CONFIG_HOME/afw/afw.ini"
}
mkdir "$T/bin"
printf '#!/bin/sh\necho "PICK $* in ${PWD##*/}"; exec sleep 1000\n' >"$T/bin/pick"
chmod +x "$T/bin/pick"
export PATH="$T/bin:$PATH" SHELL=/bin/bash PS1='$ '
afw new one -- cat >"$T/null" || exit 2
wait_for '[ "$(state_of one activity)" = idle ]'
ini '[command.pick]' 'run = pick "a b"' 'key = V'
dash 90 24
keys !
see 'repo/one: shell   Ctrl-\ leaves' '! opens a shell'
tmux_type 'kept=yes; echo "in ${PWD##*/}"'
keys Enter
see 'in repo-one' 'in the worktree'
keys 'C-\'
see 'NAME' 'the key that leaves an agent leaves it'
selected_is one 'to the same session'
keys !
see 'kept=yes' '! returns to it'
tmux_type 'echo "kept: $kept"'
keys Enter
see 'kept: yes' 'as it was'
keys 'C-\'
see NAME
keys V
see 'PICK a b in repo-one' 'the key of a command opens that'
keys 'C-\'
see NAME
is "$(pgrep -fc "run $(session_dir one)/beside/")" 2 'both stay'
keys ? G
see 'V                 open pick beside the agent' 'the help has it'
like "$(tmux_screen)" $'Your commands *\n  V .*\n *States and columns' 'under a heading of its own'
keys ? x y
waits_for '[ "$(state_of one phase)" = stopped ]' 'x stops the agent'
waits_for '! pgrep -f "run $(session_dir one)/beside/" >"$T/null"' 'and both'
keys !
see 'shell   Ctrl-\ leaves' 'a session that is not running has one, too'
tmux_type 'exit 3'
keys Enter
see NAME
gone 'ended with code' 'its code is that of its last command'
tmux_stop

# -- mistakes --------------------------------------------------------------------

ini '[command.pick]' 'run = pick' 'key = g'
dash 90 24
see "command.pick.key: 'g' is a key of keys.first" 'a key that has a meaning is refused, and named'
keys g
unlike "$(tmux_screen)" 'PICK' 'and keeps it'
keys ? G
see 'States and columns' 'the help'
unlike "$(tmux_screen)" 'open pick' 'does not have it'
tmux_stop
exit_is 0 'afw config' afw config
like "$err" "command.pick.key: 'g' is a key of keys.first" 'warns of it'
exit_is 1 'afw config check' afw config check
like "$err" "command.pick.key: 'g' is a key of keys.first" 'reports it, too'
ini '[command.pick]' 'run = pick' 'key = V' '[command.other]' 'run = pick' 'key = V'
exit_is 1 'one key for two' afw config check
like "$err" "command.other.key: 'V' is a key of command.pick" 'is refused, too'
ini '[command.pick]' 'run = pick' 'key = Hyper'
exit_is 1 'another word' afw config check
like "$out$err" 'afw.ini:3: .*not the name of a key' 'is no key'
ini '[command.pick]' 'key = V'
exit_is 1 'a section without a command' afw config check
like "$err" 'command.pick. needs a run' 'needs one'
mkdir .af
printf '[command.evil]\nrun = evil\nkey = V\n' >.af/afw.ini
ini ''
refused 1 "'run' is for the user to choose" 'a repository has none' afw trust --yes
run afw rm --stop one
end
