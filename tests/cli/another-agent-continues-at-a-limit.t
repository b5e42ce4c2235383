#!/bin/bash
# on_limit = handoff:AGENT: another agent continues the work, once, in the same
# sandbox, and outlives the session that it came from.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/cli/pear.sh"
needs_landlock
ini=$XDG_CONFIG_HOME/afw/afw.ini
sed 's/pear\]/plum]/' "$ini" >"$T/plum"
cat "$T/plum" >>"$ini"
ls_names() { afw ls -o name | sed 1d | sort | xargs; }
handed() { limit_of "$1" handed_to; }

exit_is 0 'a session' afw new one -a pear -o on_limit=handoff:plum -o idle_timeout=5h
echo work >"$(limit_of one worktree)/made.txt"
exit_is 0 'a limit' afw send one 'limit 4000'
waits_for '[ "$(handed one)" = one-plum ]' 'is continued in another session'
is "$(limit_of one-plum harness)" plum 'by the other agent'
is "$(cat "$(limit_of one-plum worktree)/made.txt")" work 'from the files of the first'
waits_for 'afw logs one-plum | grep -q "You continue the work of another agent"' \
	'with a summary'
like "$(afw ls)" 'one .*usage limit until ([0-9-]+ )?[0-9:]{5}, continued by one-plum' 'ls says it'
like "$(afw events one --json)" '"event":"limited:handoff","session":"one-plum","error":null' \
	'and the history'
is "$(limit_of one limited_by)" you 'the first stays at its limit'
dir=$XDG_DATA_HOME/afw/sessions/$(limit_of one-plum id)
like "$(cat "$dir/spec.json")" 'idle_timeout=5h' 'the options are the same'
like "$(cat "$dir/spec.json")" '"on_limit": *"report"' 'but it hands over to nobody'

# -- once
exit_is 0 'a message to the first' afw send one -w hello
exit_is 0 'and the limit again' afw send one 'limit 3000'
exit_is 0 'which is reported' afw wait one --for limited -t 60s
is "$(afw events one --json | grep -c '"event":"limited"')" 2 'as a limit of its own'
kill -KILL "$(state_of one supervisor_pid)"
waits_for 'afw status one | grep -q lost:' 'its supervisor is killed'
is "$(state_of one-plum phase)" running 'the other is still running'
exit_is 0 'and started again' afw start one
exit_is 0 'at the same limit' afw send one 'limit 2000'
exit_is 0 'which is reported' afw wait one --for limited -t 60s
is "$(ls_names)" 'one one-plum' 'no other session was made'

# -- it outlives the first; a name that is taken
exit_is 0 'a session of that name' afw new two-plum -a pear
# An option that another one overrides, here, is no way out of it.
exit_is 0 'another' afw new two -a pear -o on_limit=handoff:plum -o sandbox=none \
	-o sandbox_read=/etc --sandbox landlock
exit_is 0 'a limit' afw send two 'limit 4000'
waits_for '[ "$(handed two)" = two-plum-2 ]' 'its work has the next name'
is "$(limit_of two-plum-2 sandbox)" landlock 'and the same sandbox'
like "$(cat "$XDG_DATA_HOME/afw/sessions/$(limit_of two-plum-2 id)/spec.json")" \
	'sandbox_read=/etc' 'with its options'
exit_is 0 'the first is stopped' afw stop two
is "$(state_of two-plum-2 phase)" running 'the other is still running'
exit_is 0 'the first is removed' afw rm two
is "$(state_of two-plum-2 phase)" running 'the other is still running'

# -- what cannot be made is told, and nothing without the sandbox
printf '\n[harness.fig]\ncommand = /nowhere/fig\n' >>"$ini"
exit_is 0 'a session' afw new three -a pear -o on_limit=handoff:fig --sandbox landlock
exit_is 0 'a limit' afw send three 'limit 4000'
waits_for 'afw events three --json | grep -q "limited:handoff.*fig.*is not installed"' \
	'an agent that is not installed is told'
like "$(afw status three)" 'hand over to fig:' 'as a note'
is "$(afw ls -o name | grep -c fig)" 0 'and nothing was made'
is "$(handed three)" null 'nor said to be'

# -- no other reason, nor the same agent
exit_is 0 'a session' afw new four -a pear -o on_limit=handoff:pear
exit_is 0 'a limit' afw send four 'limit 4000'
exit_is 0 'is reported' afw wait four --for limited -t 60s
exit_is 0 'a session' afw new five -a pear -o on_limit=handoff:plum
exit_is 0 'a login' afw send five login
exit_is 0 'is reported' afw wait five --for limited -t 60s
is "$(ls_names | grep -cE 'four-|five-')" 0 'nobody continues these'

# -- bad values
refused 2 "there is no agent 'nobody'" 'an unknown agent' \
	afw new x -a pear -o on_limit=handoff:nobody
refused 2 'on_limit' 'no agent' afw new x -a pear -o on_limit=handoff:
refused 2 'on_limit' 'two words' afw new x -a pear -o 'on_limit=handoff:plum --sandbox none'
sed -i '1i on_limit = handoff:nobody' "$ini"
exit_is 2 'in the configuration' afw config check
like "$err" "on_limit: there is no agent 'nobody'" 'it is named'
refused 2 "there is no agent 'nobody'" 'and at once' afw new x -a pear
done_testing
