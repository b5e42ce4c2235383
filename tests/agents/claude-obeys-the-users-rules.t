#!/bin/bash
# [approve.NAME] with the real Claude Code: a rule allows or denies a single
# simple command; anything more is asked.
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
	afw send --wait -t 240s fix "a [[tool=bash:touch made]]"
is "$out" 'tool done' 'does not stop a process that waits for the answer'
waits_for '[ -e "$T/.af_worktrees/repo-fix/made" ]' 'runs' \
	'afw status fix; afw capture fix'
waits_for 'grep -q "\"rule\":\"touch\"" "$(session_dir fix)/events.jsonl"' \
	'by the rule, which the history has'
is_state fix running/completed

exit_is 0 'a command that a rule denies' \
	afw send fix "b [[tool=bash:touch no-way]]"
waits_for 'grep "\"rule\":\"no\"" "$(session_dir fix)/events.jsonl" | grep -q answered' \
	'is denied'
wait_for 'state fix; [ "$(json question_id "$T/.state")" = null ]'
nok_cmd 'and does not run' test -e "$tree/no-way"
wait_for 'case $(state fix) in running/idle|running/completed) ;; *) false ;; esac'

# One longer than the terminal is wide may be more than what is seen of it.
long='touch'
while [ ${#long} -lt 300 ]; do long+=" one"; done
for more in 'touch one; touch two' 'touch one && touch two' \
	'touch one || touch two' 'touch $(echo one)' 'touch one >two' \
	'X=1 touch one' $'touch one\n\ntouch two' "$long"; do
	exit_is 0 "more than a simple command: $more" \
		afw send fix "c [[tool=bash:$more]]"
	waits_for 'state fix; [ "$(json question_id "$T/.state")" != null ]' \
		'is asked'
	id=$(json question_id "$T/.state")
	like "$(json question "$T/.state")" '^Bash command: (X=1 )?touch ' \
		'as a command'
	run afw send -t 20s fix --deny --question "$id"
	is "$code" 0 'the user denies it' || diag "$err"
	wait_for 'case $(state fix) in running/idle|running/completed) ;; *) false ;; esac'
done
is "$(ls -d "$tree"/one "$tree"/two 2>/dev/null)" '' 'none of them ran'
is "$(grep -c '"rule":"touch"' "$(session_dir fix)/events.jsonl")" 1 \
	'and the rule has allowed nothing more'
agent_end
