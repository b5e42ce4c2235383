#!/bin/bash
# The life of a real agent in tmux and in sandbox landlock. Each has its name here,
# AGENT-lives-in-PLACE.t, and its row below. In tmux it is the agent's whole life,
# of OpenCode's the checks whose results differ there; in landlock it is what a
# sandbox changes: commits are imported.
here=$(dirname "$0") agent=${0##*/} place=${0##*-in-}
agent=${agent%%-*} place=${place%.t}
. "$here/../lib.sh"

declare -A question=(
	[claude]='Do you want to proceed'
	[codex]='Would you like to run'
	[gemini]='Allow execution of'
	[opencode]='Permission required'
)

[ "$agent" = claude ] || without_sanitizers "Claude's life in $place does"
if [ "$place" = landlock ]; then
	needs_landlock
	export AF_TEST_SANDBOX=landlock
else
	command -v tmux >/dev/null || skip_all 'no tmux here'
	export AF_TEST_BACKEND=tmux
	[ "$agent" = opencode ] || {
		. "$here/$agent-lives-a-whole-life.t"
		exit
	}
fi
. "$here/$agent.sh"
. "$here/life.sh"
. "$here/users.sh"
agent_begins "$agent"
if [ "$place" = landlock ]; then
	life_in_sandbox "$agent" "${question[$agent]}" "${ASKS[@]}"
else
	users_files
	tree=$T/.af_worktrees/repo-fix
	life_begins opencode
	life_asks "$tree"
	life_is_interrupted
	life_is_approved "$tree" "${question[opencode]}"
	life_queues
	life_fails
	life_goes_on
	life_ends "$tree"
	users_files_are_kept
fi
agent_end
