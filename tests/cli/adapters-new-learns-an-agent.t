#!/bin/bash
# afw adapters new: a person shows an agent that afw does not know, step by step,
# and gets a section with which afw runs it.
. "$(dirname "$0")/../lib.sh"
afw_env
mkdir -p "$T/bin" "$XDG_CONFIG_HOME/afw"
ln -s "$ROOT/tests/cli/pear-agent" "$T/bin/pear"
export PATH="$T/bin:$PATH" PEAR_LOG=$T/log PEAR_HOLD=$T/hold
cd "$T" || exit 2
ini=$XDG_CONFIG_HOME/afw/afw.ini
printf '# mine\nsandbox =   none\n\n[harness.plum]\ncommand = plum' >"$ini"
cp "$ini" "$T/before"


refused 2 'not a terminal' 'without a terminal it is refused' \
	afw adapters new pear -- pear
refused 2 'COMMAND is missing' 'a command is needed' afw adapters new pear

# step N: waits for the question of step N, and lets it show the program.
step()
{
	tmux_wait_for "Step $1 of 5"
	tmux_keys Enter
	tmux_wait_for "$1 of 5: " "step $1 shows the program, and what to do"
}

leave()
{
	tmux_keys 'C-\'
}

# refused_on_terminal TEXT NAME ARGS...
refused_on_terminal()
{
	run "$BUILD/tests/tools/onpty" afw adapters new "${@:3}" </dev/null
	like "$out" "afw: adapters new: $1" "$2"
}

refused_on_terminal "there is an agent 'plum' already" \
	'a section that exists is not changed' plum -- pear
refused_on_terminal "there is an agent 'codex' already" 'nor an adapter' codex -- pear
refused_on_terminal "'nosuch' is not in PATH" 'it must be installed' x -- nosuch

tmux_run 100 60 afw adapters new pear -- pear
step 1
tmux_wait_for 'A new conversation'
leave
step 2
tmux_type 'write a poem with 8 lines'
tmux_wait_for '> write a poem with 8 lines'
leave
step 3
tmux_keys Enter
tmux_wait_for 'Answered: write a poem with 8 lines'
leave
step 4
leave
tmux_wait_for 'Step 5 of 5'
tmux_keys r Enter
tmux_wait_for '4 of 5: ' 'r repeats the step before'
tmux_type ask
tmux_keys Enter
tmux_wait_for 'Run it? (y/n)'
leave
step 5
# What the agent leaves in its worktree is deleted, too.
for dir in "$T"/afw-*/.af_worktrees/*; do
	touch "$dir/file"
done
tmux_keys y
tmux_wait_for 'It ran'
leave
tmux_wait_for 'Add this section to' 'the section is printed first'
screen=$(tmux_screen)
for step in empty draft message approval answer; do
	like "$screen" "  $step +as shown" "its patterns find what step $step has shown"
done
like "$screen" 'busy +[0-9]+ screens  \* Thinking' 'and what each key found'
is "$(<"$ini")" "$(<"$T/before")" 'nothing is written before the yes'
tmux_keys y Enter
tmux_wait_for 'Written. `afw new NAME -a pear` runs it.'
waits_for tmux_dead 'it ends'
tmux_stop

section='
[harness.pear]
command = pear
composer = ^>( .*)?$
prompt = ^You:
busy = ^[^ ]+ +(.*) *\(.*\^G stops
interrupt = C-g
waiting = ^(Run it\? \(y/n\))$
approve = y
deny = n
question = ^(Run it\? \(y/n\))$
approval = ^(Run it\? \(y/n\))$'
is "$(<"$ini")" "$(<"$T/before")
$section" 'the section is added at the end, and nothing else changes'
is "$(afw ls --json)" '[]' 'no session is left'
is "$(compgen -G "$T/afw-*")" '' 'nor its directory'

# The section works.
make_repo "$T/repo"
cd "$T/repo" || exit 2
echo 'record = yes' | cat - "$ini" >"$T/ini"
cp "$T/ini" "$ini"
exit_is 0 'it is started' afw new one -a pear
waits_for '[ "$(state_of one activity)" = idle ]' 'idle: its composer is empty'
exit_is 0 'a message' afw send one -w 'hello'
waits_for 'afw capture one | grep -q "Answered: hello"' 'is answered'
exit_is 9 'a question' afw send one -w -t 240s ask
exit_is 0 'is answered' afw send one --approve -t 240s
waits_for 'afw capture one | grep -qx "It ran"' 'by its key'
exit_is 0 'its recording' afw logs one --record "$T/one.cast"
exit_is 0 'is tested' afw adapters test "$T/one.cast"
like "$out" 'busy +[0-9]+ screens, first at [0-9.]+: \* Thinking' \
	'what each key found is shown'
like "$out" 'interrupt|prompt +[0-9]+ screens' 'also prompt'
exit_is 0 'as JSON' afw adapters test --json "$T/one.cast"
like "$(json found.0)" '"key":"waiting".*"screens":[1-9]' 'it is there, too'

# A program that reads lines: few steps, no answer, nothing written.
cp "$ini" "$T/before"
tmux_run 100 50 afw adapters new shell -- "$BASH" --norc
step 1
tmux_wait_for 'bash-'
tmux_type $'printf \'\\033[31mred\\033]0;x\\a\\n\''
tmux_keys Enter
tmux_wait_for 'red'
leave
step 2
tmux_type 'write a poem with 8 lines'
tmux_wait_for 'write a poem with 8 lines'
leave
tmux_wait_for 'Step 3 of 5'
tmux_keys s Enter
tmux_wait_for 'Step 4 of 5'
tmux_keys q Enter
tmux_wait_for 'composer = ^bash-[0-9]+\.[0-9]+' 'a prompt is a composer'
tmux_wait_for 'Add this section to'
tmux_keys Enter
tmux_wait_for 'Not written.'
is "$(<"$ini")" "$(<"$T/before")" 'without a yes nothing is written'
tmux_stop

# A program that ends.
tmux_run 100 50 afw adapters new short -- "$BASH" --norc
step 1
tmux_type exit
tmux_keys Enter
tmux_wait_for 'has ended by itself' 'a program that ends is noticed'
tmux_wait_for 'Add this section to'
tmux_keys Enter
tmux_wait_for 'Not written.'
waits_for tmux_dead 'and what was shown is used'
unlike "$(afw ls --json) $(compgen -G "$T/afw-*")" 'teach-|afw-' \
	'nothing is left of either'
done_testing
