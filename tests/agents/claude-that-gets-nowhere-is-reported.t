#!/bin/bash
# The real Claude Code: its spinner is no progress, and the same result of the
# same tool is a loop.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
agent_begins claude
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >>"$XDG_CONFIG_HOME/afw/afw.ini" <<'END'
stall_after = 15s
END
exit_is 0 'a session' afw new fix -a claude -m 'hello [[text=hello]]' \
	-- "${ASKS[@]}"
is_state fix running/completed
stuck() { state_of fix stuck; }
exit_is 0 'a model that says nothing for long' afw send fix 'a [[think=60]]'
waits_for 'case $(stuck) in "stalled: nothing has moved for "*) ;; *) false ;; esac' \
	'it has stalled' 'afw status -v fix; afw capture fix'
like "$(afw capture fix)" '[✢✳✶✻✽·*].*…' 'while it draws its spinner'
waits_for '[ "$(stuck)" = null ]' 'until its turn ends'
agent_end
