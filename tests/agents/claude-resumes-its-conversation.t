#!/bin/bash
# The real Claude Code, suspended, lost and failed: each time the same
# conversation continues; a start and a restart begin a new one, and report
# that.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
agent_begins claude

exit_is 0 'new' afw new fix -a claude -m 'first task [[text=one]]' -- \
	"${ASKS[@]}"
is_state fix running/completed
knows_conversation fix
conversation=$(json conversation "$T/.state")

exit_is 0 'suspend' afw suspend fix --json
is "$(json phase)" suspended 'it is suspended'
is "$(json conversation)" "$conversation" 'its conversation is kept'
exit_is 0 'resume with a message' afw resume fix -m 'second task [[text=two]]'
is "$out" 'fix: resumed its conversation' 'says which it did'
wait_for '[ "$(turns)" = 2 ]'
is_state fix running/completed
is "$(json conversation "$T/.state")" "$conversation" 'the same conversation'
like "$(all_texts)" 'first task.*second task' 'the model has the whole of it'

# Claude Code writes it down a moment later.
waits_for 'grep -qs "second task" "$HOME"/.claude/projects/*/*.jsonl' \
	'it is on disk'
pid=$(json supervisor_pid "$T/.state") harness=$(json pid "$T/.state")
# As init does it; the harness ends before its supervisor gets a signal.
kill -STOP "$pid"
kill -TERM "$harness"
wait_for "! grep -qs '^State:.*[RSDTt] (' /proc/$harness/status"
kill -TERM "$pid"
kill -CONT "$pid"
wait_for "has_ended $pid"
rm -rf "$RUN"
like "$(state fix)" '^error/' 'the machine goes down'
like "$(json error_reason "$T/.state")" '^lost: its supervisor was ended' \
	'it is lost, not stopped'
exit_is 0 'resume --all' afw resume --all
is "$out" 'fix: resumed its conversation' 'brings it back'
waits_for 'is_idle fix 0' 'it is ready'
exit_is 0 'a message' afw send fix 'third task [[text=three]]'
is_state fix running/completed
like "$(all_texts)" 'first task.*second task.*third task' \
	'with all of its conversation'

exit_is 0 'restart --resume' afw restart --resume fix
is "$out" 'fix: resumed its conversation' 'goes on'
waits_for 'is_idle fix 0' 'and is ready'
opens fix C-o
exit_is 0 'restart' afw restart fix -m 'new task [[text=new]]'
is "$out" 'fix: started with a new conversation' 'begins a new one'
wait_for '[ "$(turns)" = 4 ]'
is_state fix running/completed
isnt "$(json conversation "$T/.state")" "$conversation" 'a new conversation'
unlike "$(all_texts)" 'first task' 'without the old one'
exit_is 0 'rm' afw rm --stop fix
agent_end
