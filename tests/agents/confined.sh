#!/bin/bash
# The life of an agent of sections.sh in sandbox landlock, as
# AGENT-lives-in-landlock.t: with the variables and files that its section names.
here=$(dirname "$0") agent=${0##*/}
agent=${agent%%-*}
. "$here/../lib.sh"
without_sanitizers "Claude's life in landlock does"
needs_landlock
export AF_TEST_SANDBOX=landlock
. "$here/sections.sh"
. "$here/life.sh"
section_env "$agent"
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'trust' afw trust -y
tree=$T/.af_worktrees/repo-fix
life_begins "$agent" "${ASKS[@]}"
is "$(json sandbox "$T/.state")" landlock 'in its sandbox'
is "$(json degraded "$T/.state")" '[]' 'of which nothing is missing'
exit_is 0 'a message' afw send fix --wait -t 240s 'second [[text=the second]]'
is "$out" 'the second' 'and its answer is printed'
if section_asks; then
	life_asks "$tree"
	life_is_answered "$tree"
fi
life_commits
if section_asks; then
	life_ends "$tree"
else
	exit_is 0 'stop' afw stop fix
fi
agent_end
