#!/bin/bash
# The real pi without a model: its session waits, its task stays queued, and is
# typed when the user has chosen a model.
here=$(dirname "$0") agent=pi
. "$here/../lib.sh"
without_sanitizers "an agent's login does not depend on them"
. "$here/sections.sh"
section_env pi
mv "$HOME/.pi/agent/models.json" "$T/models.json"
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'trust' afw trust -y
exit_is 0 'new starts it with a task' afw new fix -a pi \
	-m 'first task [[text=the first answer]]'
is_state fix running/waiting_for_input
is "$(json detail "$T/.state")" 'asks to log in' 'as it says'
nok_cmd 'and goes on with it' within 5 '[ "$(state fix)" != running/waiting_for_input ]'
is "$(json queued "$T/.state")" 1 'its task is queued'
mv "$T/models.json" "$HOME/.pi/agent/models.json"
tmux_start 120 40 afw attach fix
tmux_wait_for 'No models available' 'the user reads why'
tmux_type '/model local/model'
tmux_wait_for '/model local' 'types a command'
waits_for 'tmux_keys Enter; within 3 "[ \$(turns) = 1 ]"' 'and chooses one'
tmux_stop
is_state fix running/completed
like "$(last_text)" '^first task' 'the task arrives then, as it was'
exit_is 0 'stop' afw stop fix
agent_end
