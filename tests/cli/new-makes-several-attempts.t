#!/bin/bash
# new -a with a list: a session for each agent, from the same commit, in a group;
# all are checked before the first is made.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
cd "$T/repo" || exit 2
ini=$XDG_CONFIG_HOME/afw/afw.ini
mkdir -p "${ini%/*}"
two='[harness.two]
command = sh -c "cat; sleep 1000"'
echo "$two" >"$ini"
names() { afw ls -q | sort | paste -sd' '; }
nothing() { is "$(names)$(git branch --list 'af/*')" '' "$1"; }

# what is refused makes nothing
for list in 'demo,' ',demo' 'demo,,two' '*2' 'demo*' 'demo*0' 'demo*99' 'demo*2x' 'demo**2'; do
	refused 2 'is neither an agent nor an agent with a number' "-a '$list'" \
		afw new fix -a "$list"
done
refused 2 "names 'demo' twice" 'an agent twice' afw new fix -a demo,two,demo
refused 2 'more than 16' 'too many' afw new fix -a 'demo*9,two*9'
refused 2 'attach is for one agent' 'attach' afw new fix -a demo,two --attach
refused 2 'branch is for one agent' 'a branch' afw new fix -a demo,two --branch main
refused 2 'no agent|unknown|nobody' 'an agent that is none' afw new fix -a demo,nobody
git branch af/fix-two
refused 4 "new 'fix-two'.*af/fix-two" 'a branch that is taken' afw new fix -a demo,two
git branch -D af/fix-two >"$T/null"
refused 1 'no base' 'a base that is none' afw new fix -a demo,two -b nowhere
echo 'max_sessions = 2' >"$ini"
echo "$two" >>"$ini"
refused 5 'new: 3 more: .*max_sessions is 2' 'more than may run' afw new fix -a 'demo*3'
nothing 'has made nothing'
exit_is 0 'a dry run' afw new fix -a demo,two -n
like "$out" 'fix-demo.*fix-two' 'prints each'
nothing 'and makes nothing'

# made
exit_is 0 'two agents' sh -c 'echo "[[lines 1]]" | afw new fix -a demo,two -g more -F -'
like "$out" $'^fix-demo: demo runs in .* on branch af/fix-demo\nfix-two: two runs in' \
	'are reported'
is "$(names)" 'fix-demo fix-two' 'have names of their own'
like "$(afw group)" $'fix +fix-demo fix-two\nmore +fix-demo fix-two' 'and a group'
waits_for 'afw logs fix-two | grep -q "lines 1"' 'the second gets the task, too'
is "$(state_of fix-demo base)" main 'whose base is the branch'
afw rm --stop fix-demo fix-two >"$T/null" 2>&1
printf '%s\n' '[[write good]]' >"$T/task"
exit_is 0 'a task and a secret' afw new job -a 'demo*2' -F "$T/task" -e KEY=secret
for name in job-demo-1 job-demo-2; do
	waits_for "[ -e '$T/.af_worktrees/repo-$name/good' ]" "$name gets the task"
	pid=$(state_of "$name" pid)
	like "$(tr '\0' '\n' <"/proc/$pid/environ")" 'KEY=secret' 'and the secret'
done
afw rm --stop job-demo-1 job-demo-2 >"$T/null" 2>&1

# The setup of the first commits: the second starts where the first did.
printf '%s\n' 'setup = sh -c "cd '"$T/repo"' && git commit -q --allow-empty -m moved"' \
	"$two" >"$ini"
start=$(git rev-parse main)
exit_is 0 'a base that moves meanwhile' afw new same -a 'demo*2' --json
is "$(grep -o '"base_commit":"[0-9a-f]*"' <<<"$out" | sort -u)" "\"base_commit\":\"$start\"" \
	'is the same commit for both'
is "$(git rev-parse af/same-demo-2)" "$start" 'of the last, too'
is "$(state_of same-demo-2 base)" main 'and its branch is known'
afw rm --stop same-demo-1 same-demo-2 >"$T/null" 2>&1

# A failure that no check finds.
printf '%s\n' 'setup = sh -c "mkdir '"$T/once"'"' "$two" >"$ini"
run afw new late -a 'demo,two*2'
is "$code" 1 'one fails in the middle'
like "$out" '^late-demo: demo runs' 'the one before is made, and reported'
like "$err" 'made: late-demo; not made: late-two-1, late-two-2' 'which is said'
is "$(names)" 'late-demo' 'and the others are not there'
done_testing
