#!/bin/bash
# [approve.NAME] with the real Claude Code: what is one simple command is
# allowed or denied by a rule, what is more is asked.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
agent_begins claude
tree=$T/.af_worktrees/repo-fix
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >>"$XDG_CONFIG_HOME/afw/afw.ini" <<'END'
[approve.no]
pattern = *no-*
decision = deny
[approve.touch]
harness = claude
pattern = touch *
decision = allow
END
exit_is 0 'a session' afw new fix -a claude -m 'hello [[text=hello]]' \
	-- "${ASKS[@]}"
is_state fix running/completed

exit_is 0 'a tool that a rule allows' \
	afw send --wait -t 60s fix "a [[tool=bash:touch made]]"
is "$out" 'tool done' 'stops nobody who waits for the answer'
waits_for '[ -e "$T/.af_worktrees/repo-fix/made" ]' 'runs' ||
	diag "$(afw status fix; afw capture fix)"
waits_for 'grep -q "\"rule\":\"touch\"" "$(session_dir fix)/events.jsonl"' \
	'by the rule, which the history has'
is_state fix running/completed

exit_is 0 'one that a rule denies' \
	afw send fix "b [[tool=bash:touch no-way]]"
waits_for 'grep "\"rule\":\"no\"" "$(session_dir fix)/events.jsonl" | grep -q answered' \
	'is denied'
wait_for 'state fix; [ "$(json question_id "$T/.state")" = null ]'
nok_cmd 'and does not run' test -e "$tree/no-way"
wait_for 'case $(state fix) in running/idle|running/completed) ;; *) false ;; esac'

for more in 'touch one; touch two' 'touch one && touch two' \
	'touch $(echo one)' $'touch one\n\ntouch two'; do
	exit_is 0 "two commands: $more" \
		afw send fix "c [[tool=bash:$more]]"
	waits_for 'state fix; [ "$(json question_id "$T/.state")" != null ]' \
		'are asked'
	id=$(json question_id "$T/.state")
	like "$(json question "$T/.state")" '^Bash command: touch ' 'as commands'
	run afw send -t 20s fix --deny --question "$id"
	is "$code" 0 'the user denies them' || diag "$err"
	wait_for 'case $(state fix) in running/idle|running/completed) ;; *) false ;; esac'
done
nok_cmd 'none of them ran' test -e "$tree/one"
agent_end
