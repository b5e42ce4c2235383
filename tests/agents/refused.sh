#!/bin/bash
# A real agent whose service refuses it, as AGENT-is-refused.t: a wrong key and a
# quota that is used up. Some end the turn and say so, others try again and show
# that they work; none looks idle or done, and afw says what it is if the agent
# does.
here=$(dirname "$0") agent=${0##*/}
agent=${agent%%-*}
. "$here/../lib.sh"
without_sanitizers "an agent's errors do not depend on them"
. "$here/sections.sh"

# What it is after the wrong key and without quota, activity and limit. Letta's row
# says only that something went wrong.
declare -A wrong_key=(
	[pi]='failed login needed'
	[copilot]='failed login needed'
	[qwen]='failed login needed'
	[kilo]='failed login needed'
	[cline]='failed login needed'
	[letta]='failed null'
)
declare -A no_quota=(
	[pi]='failed no credit left'
	[copilot]='working null'
	[qwen]='working null'
	[kilo]='working no credit left'
	[cline]='working null'
	[letta]='failed null'
)

# is_refused: activity and limit of fix, as above.
is_refused()
{
	echo "$(state fix) $(json limited "$T/.state")" | sed 's|^running/||'
}

# refused_by WORDS EXPECTED: a turn that the service refuses so.
refused_by()
{
	local asked
	asked=$(wc -l <"$REQUESTS")
	exit_is 0 "a turn: ${1%%:*}" afw send fix "go on [[err=$1]]"
	waits_for '[ "$(is_refused)" = "$_wanted" ]' "is $2" \
		'is_refused; afw status -v fix; afw capture fix'
	waits_for "[ \$(wc -l <\"\$REQUESTS\") -gt $asked ]" 'it was refused'
	nok_cmd 'and is not idle or done' is_idle fix 6
}

section_begins "$agent"
exit_is 0 'a session' afw new fix -a "$agent" \
	-m 'first task [[text=the first answer]]' -- "${ASKS[@]}"
is_state fix running/completed
_wanted=${wrong_key[$agent]}
refused_by '401:Incorrect API key provided: k' "$_wanted"
exit_is 0 'a good turn' afw send fix -w -t 240s 'again [[text=good]]'
is_state fix running/completed
is "$(json limited "$T/.state")" null 'is at no limit'
_wanted=${no_quota[$agent]}
refused_by '429:You exceeded your current quota.' "$_wanted"
afw interrupt fix >/dev/null 2>&1
exit_is 0 'stop' afw stop fix
agent_end
