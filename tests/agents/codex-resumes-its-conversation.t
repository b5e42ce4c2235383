#!/bin/bash
# The real Codex, suspended, continues the same conversation, although a newer
# one was begun in the same worktree; its prompts and variables reach it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/codex.sh"
export LOOK_FOR=be-very-brief TOLD='the server says kiwi, terces-yrev'
agent_begins codex
tree=$T/.af_worktrees/repo-fix
echo be-very-brief >"$T/rules.md"
mcp_file

exit_is 0 'adapters' afw adapters --fast --json
is "$(json 1.authentication.chosen)" LOCAL_KEY 'how it logs in is known'
exit_is 0 'new' afw new fix -a codex --instructions "$T/rules.md" \
	--mcp "$T/mcp.json" -e TOKEN=very-secret -m 'first task [[text=one]]'
is_state fix running/completed
knows_conversation fix
id=$(json conversation "$T/.state")
is "$(_requests 'console.log(main.every((r) => r.system))')" true \
	'the model has the instructions'
asks_mcp fix
exit_is 0 'suspend' afw suspend fix

tmux_start 120 40 sh -c "cd '$tree' && exec codex \
	-c 'projects={\"$T/repo\"={trust_level=\"trusted\"}}' \
	-c tui.show_tooltips=false --disable daemon_auto_start"
tmux_wait_for 'Ask Codex'
tmux_paste 'elsewhere [[text=elsewhere-done]]'
waits_for 'tmux_keys Enter; within 2 "[ \$(turns) -ge 3 ]"' \
	'another conversation in the same worktree'
tmux_wait_for '• elsewhere-done'
tmux_stop

exit_is 0 'resume' afw resume fix
is "$out" 'fix: resumed its conversation' 'says so'
waits_for 'is_idle fix 0' 'it is ready'
exit_is 0 'a message' afw send --wait -t 240s fix 'second task [[text=two]]'
is_state fix running/completed
is "$(json conversation "$T/.state")" "$id" 'the same conversation'
like "$(all_texts)" 'first task.*second task' 'the model has the whole of it'
unlike "$(all_texts)" 'elsewhere' 'and nothing of the other'

exit_is 0 'start afresh' afw restart fix -m 'new task [[text=new]]'
waits_for '[ "$(turns)" = 5 ]' 'a new task'
is_state fix running/completed
isnt "$(json conversation "$T/.state")" "$id" 'is a new conversation'
unlike "$(all_texts)" 'first task' 'without the old one'
exit_is 0 'rm' afw rm --stop fix
is "$(codex_config_sum)" "$CODEX_SUM" "the user's configuration is as it was"
agent_end
