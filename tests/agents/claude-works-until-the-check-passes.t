#!/bin/bash
# A plan, its implementation and its verification by the real Claude Code:
# template ralph continues by itself until the check passes, or stops at its
# limit.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'an agent is at work there, not afw'
. "$(dirname "$0")/claude.sh"
agent_begins claude
ASKS=(--permission-mode manual --allowedTools=Bash)
mkdir -p "$XDG_CONFIG_HOME/afw"
# What it prints leads the model to the next step: the third turn is the good
# one, where there is one.
cat >"$T/judge" <<'END'
#!/bin/sh
n=$(($(cat "$0-$AFW_WORKSPACE" 2>/dev/null || echo 0) + 1))
echo $n >"$0-$AFW_WORKSPACE"
grep -qx 3 progress && exit
[ -e never ] || echo "[[tool=bash:echo $((n + 1)) >progress]]"
exit 1
END
chmod +x "$T/judge"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
check = $T/judge
check_timeout = 60s
END
exit_is 0 'a planner' afw new plan -a claude -t planner \
	-m 'plan it [[tool=bash:echo a wall >PLAN.md; git add PLAN.md; git commit -qm plan]]' -- "${ASKS[@]}"
exit_is 0 'an implementor that starts after it' afw new make -a claude -t ralph --after plan \
	-m 'do it [[tool=bash:echo 1 >progress]]' -- "${ASKS[@]}"
exit_is 0 'a verifier that starts after that' afw new verify -a claude -t verifier --after make \
	-m 'look at it [[tool=af_spec_read:{}]] [[text=PASS]]' -- "${ASKS[@]}"
waits_for '[ "$(state_of make check)" = passed ]' 'ralph comes to its end'
is "$(<"$T/judge-make")" 3 'in three turns'
is "$(cat "$T/.af_worktrees/repo-make/progress" \
	"$T/.af_worktrees/repo-make/PLAN.md")" $'3\na wall' 'on top of the plan'
is_state verify running/completed
like "$(afw status verify --json)" '"after":"make"|"base":"af/make"' 'then it is verified'
like "$(_requests 'console.log(JSON.stringify(main.map((r) => r.text)))')" \
	'Make it pass' 'each turn got the failure'

echo 'check_feedback = 2' >>"$XDG_CONFIG_HOME/afw/afw.ini"
mkdir -p "$DATA/templates/short"
printf 'check_feedback = 2\n' >"$DATA/templates/short/template.ini"
exit_is 0 'a goal that cannot be reached' afw new never -a claude -t short \
	-m 'try [[tool=bash:touch never]]' -- "${ASKS[@]}"
waits_for '[ "$(cat "$T/judge-never")" = 3 ] && [ "$(state_of never check)" = failed ]' \
	'stops at its limit'
is "$(state_of never check_round)/$(state_of never check_rounds)" 2/2 'and says so'
agent_end
