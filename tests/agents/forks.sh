# forks.sh - forks_live HARNESS: a session that begins from another one with
# --fork has its conversation, in another worktree, and both continue
# independently. Sourced after the agent's file.

# tokens_of NAME: its input and output.
tokens_of()
{
	afw cost "$1" --json >"$T/cost" 2>"$T/null" &&
		echo "$(json tokens_input "$T/cost") $(json tokens_output "$T/cost")"
}

# forks_live HARNESS [SAVED [ARGS...]]: the conversation can be forked once the
# command SAVED succeeds; ARGS are the agent's.
forks_live()
{
	local harness=$1 saved=${2:-true}
	local first arguments=("${@:3}")
	agent_begins "$harness"

	exit_is 0 'new' afw new fix -a "$harness" -m 'first task [[text=one]]' -- "${arguments[@]}"
	is_state fix running/completed
	knows_conversation fix
	first=$(json conversation "$T/.state")
	waits_for "$saved" 'it is on disk'
	exit_is 0 'a session with its conversation' \
		afw new two --from fix --fork -m 'second task [[text=two]]' -- "${arguments[@]}"
	wait_for '[ "$(turns)" = 2 ]'
	is_state two running/completed
	isnt "$(json conversation "$T/.state")" "$first" 'has another conversation'
	like "$(all_texts)" 'first task.*second task' 'with all of the first'
	exit_is 0 'a message to the first' afw send --wait -t 240s fix 'third task [[text=three]]'
	unlike "$(all_texts)" 'second task' 'which knows nothing of the second'
	exit_is 0 'suspend' afw suspend two
	exit_is 0 'and resume' afw resume two -m 'fourth task [[text=four]]'
	is "$out" 'two: resumed its conversation' 'resumes its own'
	wait_for '[ "$(turns)" = 4 ]'
	is_state two running/completed
	like "$(all_texts)" 'first task.*second task.*fourth task' 'with all of it'
	exit_is 0 'a tool' afw send two 'run it [[tool=bash:touch made-here]]'
	waits_for '[ -e "$T/.af_worktrees/repo-two/made-here" ] ||
		{ afw send --approve two >"$T/approve" 2>&1; false; }' 'it works in its own worktree'
	nok_cmd 'not in the other' test -e "$T/.af_worktrees/repo-fix/made-here"
	# 10 and 5 for each answer: two of the first, four of its own.
	waits_for '[ "$(tokens_of fix) $(tokens_of two)" = "20 10 40 20" ]' \
		'and what it has used is its own alone' 'afw cost'
	exit_is 0 'rm' afw rm --stop fix two
	agent_end
}
