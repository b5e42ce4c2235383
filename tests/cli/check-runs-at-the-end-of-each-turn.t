#!/bin/bash
# check: a command runs at the end of each turn and reports whether the work is
# good; with check_feedback the agent is sent the output of a failure.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
ini=$XDG_CONFIG_HOME/afw/afw.ini
checked() { state_of one check; }

cat >"$T/judge" <<'END'
#!/bin/bash
echo "$PWD" >>"$0.ran"
if [ -e "$0.wait" ]; then
	trap 'until [ -e "$0.over" ]; do read -rt 0.05 <>"$0.fifo"; done; exit 1' TERM
	touch "$0.waits"
	while :; do read -rt 1 <>"$0.fifo"; done
fi
echo 'looking [[lines 1]]'
[ -e good ] || { echo 'it is not good'; exit 3; }
echo fine
END
chmod +x "$T/judge"
mkfifo "$T/judge.fifo"
echo "check = $T/judge" >"$ini"
exit_is 0 'a session' afw new one -a demo
exit_is 0 'is ready' afw wait one --for idle -t 240s
is "$(checked)" null 'before a turn nothing is checked'
run afw send one '[[lines 1]]'
waits_for '[ "$(checked)" = failed ]' 'a turn is checked'
is "$(state_of one check_line)" 'it is not good' 'its last line is kept'
is "$(<"$T/judge.ran")" "$T/.af_worktrees/repo-one" 'it ran in the worktree'
like "$(LC_ALL=C.UTF-8 afw ls)" 'BRANCH +CHECK.* af/one +✗ .*check failed: it is not good' \
	'ls shows it'
like "$(LC_ALL=C afw ls)" ' af/one +x ' 'in letters where there are no others'
like "$(afw status one)" 'check +failed: it is not good' 'status shows it'
is "$(afw status one | grep -c check)" 1 'once'
like "$(afw logs --service check one)" $'looking.*\nit is not good' \
	'its output is there'
like "$(afw events one --json | grep '"check"')" \
	'"state":"failed","reason":"exited with code 3","line":"it is not good"' \
	'an event reports it'
run afw send one '[[write good]]'
waits_for '[ "$(checked)" = passed ]' 'work that is good passes'
waits_for 'LC_ALL=C.UTF-8 afw ls | grep -q " ✓ .*  1 file not committed"' \
	'which ls shows'

touch "$T/judge.wait"
run afw send one '[[lines 1]]'
waits_for '[ -e "$T/judge.waits" ]' 'while it runs'
waits_for '[ "$(checked)" = running ]' 'that is reported'
like "$(LC_ALL=C afw ls)" ' af/one +[.] ' 'and marked'
began=$EPOCHSECONDS
run afw send one "[[until $T/go]]"
waits_for '[ "$(checked)" = null ]' 'another message makes it void'
rm "$T/judge.wait"
ran=$(wc -l <"$T/judge.ran")
touch "$T/go"
waits_for '[ "$(state_of one activity)" = completed ]' 'its turn is over'
now=$(checked)$(wc -l <"$T/judge.ran")
if [ $((EPOCHSECONDS - began)) -lt 4 ]; then
	is "$now" "null$ran" 'while the void one ends there is no other'
else
	skip 1 'this machine is slow: the void one was killed meanwhile'
fi
touch "$T/judge.over"
waits_for '[ "$(checked)" = passed ]' 'then the turn has its own'

ran=$(wc -l <"$T/judge.ran")
run afw send --wait one '[[fail]]'
exit_is 9 'a turn that failed' afw wait one --checked
is "$(checked)$(wc -l <"$T/judge.ran")" "null$ran" 'has no check'

# -- fed back ---------------------------------------------------------------

exit_is 0 'stop' afw stop one
rm "$T/.af_worktrees/repo-one/good" "$T/log"
printf 'check = %s\ncheck_feedback = 2\n' "$T/judge" >"$ini"
exit_is 0 'with feedback' afw start one
is "$(checked)" null 'a start has no check yet'
run afw send one '[[lines 1]]'
waits_for '[ "$(grep -c "Make it pass" "$T/log")" = 2 ]' \
	'its output is sent to the agent'
like "$(<"$T/log")" "The check of your work \($T/judge\) exited with code 3.*it is not good" \
	'with how it ended'
waits_for '[ "$(afw events one --json | grep -c "state\":\"failed")" = 4 ]' \
	'each of its turns is checked'
is "$(grep -c 'Make it pass' "$T/log")" 2 'no more often than the user wants'
waits_for '[[ $(afw status one) =~ "failed in round 2 of 2: it is not good" ]]' \
	'status shows the round'
waits_for '[[ $(afw ls) =~ "check failed in round 2 of 2: it is not good" ]]' 'and ls'
is "$(afw events one --json | grep '"event":"check"' | tail -3 |
	sed 's/.*"round":\(.\),"rounds":\(.\),"fed_back":\([a-z]*\).*/\1 \2 \3/')" \
	$'0 2 true\n1 2 true\n2 2 false' 'and events'
run afw send one '[[write good]]'
waits_for '[ "$(checked)" = passed ]' 'a message of the user starts the rounds again'
is "$(state_of one check_round) $(state_of one check_rounds)" '0 2' \
	'which is no round yet'
rm "$T/.af_worktrees/repo-one/good"
sed -i 's/^echo .looking/[ ! -e "$0.next" ] || { echo "[[until $0.never]]"; exit 1; }\n&/' "$T/judge"
touch "$T/judge.next"
run afw send one '[[lines 1]]'
waits_for 'afw status one | grep -qE "check +round 1 of 2$"' \
	'while it repairs, the round is shown'
like "$(afw ls)" ' round 1 of 2' 'by ls too'
waits_for '[ "$(state_of one activity)" = working ]' 'and it works'
exit_is 0 'an interrupt' afw interrupt one
waits_for '[ "$(state_of one check_round)" = 0 ]' 'ends the rounds'
rm "$T/judge.next"
exit_is 0 'stop' afw stop one
touch "$T/.af_worktrees/repo-one/good"
printf 'check = %s\ncheck_feedback = 2\n' "$T/judge" >"$ini"
exit_is 0 'start' afw start one
run afw send one '[[write good]]'
waits_for '[ "$(checked)" = passed ]' 'and it passes'

# -- what cannot be ---------------------------------------------------------

touch "$T/judge.wait"
rm -f "$T/judge.waits" "$T/judge.over"
run afw send one '[[lines 1]]'
waits_for '[ -e "$T/judge.waits" ]' 'while it is checked'
touch "$T/judge.over"
failed=$(afw events one --json | grep -c 'state":"failed')
fed=$(grep -c 'Make it pass' "$T/log")
exit_is 0 'stop' afw stop one
is "$(checked)" null 'a stop makes the check void'
is "$(afw events one --json | grep -c 'state":"failed')" "$failed" \
	'which is no failure of the work'
rm "$T/judge.wait"
exit_is 0 'start' afw start one
run afw send one '[[lines 1]]'
waits_for '[ "$(checked)" = passed ]' 'the next turn is checked'
is "$(grep -c 'Make it pass' "$T/log")" "$fed" 'and is not sent to the agent'
exit_is 0 'stop' afw stop one
is "$(state_of one check)" passed 'the last result stays known'
printf 'check = no-such-program\n' >"$ini"
exit_is 0 'start' afw start one
run afw send one '[[lines 1]]'
waits_for '[ "$(checked)" = failed ]' 'a command that is not there fails'
like "$(state_of one check_line)" 'no-such-program' 'and says so'
exit_is 0 'stop' afw stop one
printf 'check = sleep 1000\ncheck_timeout = 1s\n' >"$ini"
exit_is 0 'start' afw start one
run afw send one '[[lines 1]]'
waits_for '[ "$(checked)" = failed ]' 'a check that never ends is ended'
like "$(afw events one --json | tail -5)" 'not done in time' 'which is reported'
printf 'check_timeout = soon\n' >"$ini"
refused 1 'check_timeout' 'a mistake' afw start one
done_testing
