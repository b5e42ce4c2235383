#!/bin/bash
# A real agent at a usage limit, with on_limit = wait: AGENT-continues-after-a-limit.t
# is a link to this. Claude Code and OpenCode continue by themselves, and afw leaves
# them alone; Codex is sent on, its dialog closed by its own option.
here=$(dirname "$0") agent=${0##*/}
agent=${agent%%-*}
. "$here/../lib.sh"
without_sanitizers "an agent's limit does not depend on them"
. "$here/$agent.sh"
agent_begins "$agent"
mkdir -p "$XDG_CONFIG_HOME/afw"
printf 'on_limit = wait\n' >>"$XDG_CONFIG_HOME/afw/afw.ini"
[ "$agent" != claude ] || claude_subscriber
declare -A by=([claude]=itself [codex]=afw [opencode]=itself)
declare -A seconds=([claude]=30 [codex]=5 [opencode]=70)

exit_is 0 'a session' afw new fix -a "$agent" -m 'begin [[text=ready]]'
is_state fix running/completed
exit_is 0 'a message that runs into a limit' \
	afw send fix "work [[limit=${seconds[$agent]}]][[text=worked]]"
exit_is 0 'is one' afw wait fix --for limited -t 120s
state fix >/dev/null
is "$(json limited "$T/.state")" 'usage limit' 'of the subscription'
waits_for 'state fix >/dev/null; [ "$(json limited_by "$T/.state")" = '"${by[$agent]}"' ]' \
	"after which ${by[$agent]} continues"
like "$(json limited_until "$T/.state")" '^20[0-9]{2}-' 'at a time that is known'
before=$(turns)
waits_for 'state fix >/dev/null; [ "$(json limited "$T/.state")" = null ]' \
	'it continues' 'afw capture fix; afw events fix | tail -n 20'
is_state fix running/completed
sent=$(grep -c 'Please go on where you stopped' "$REQUESTS")
case $agent in
codex) is "$((sent > 0)) $(($(turns) - before))" '1 1' 'sent on by afw, once' ;;
*) is "$sent" 0 'nothing was sent by afw' ;;
esac
is "$(afw events fix --json | grep -oE '"event":"limited(:over)?"' | xargs)" \
	'event:limited event:limited:over' 'and the history says so, once'
# What the model writes is no limit.
exit_is 0 'the same words from the model' afw send -w -t 240s fix \
	"quote [[text=You've hit your usage limit. Resets in 100s.]]"
state fix >/dev/null
is "$(json limited "$T/.state")" null 'are none'
agent_end
