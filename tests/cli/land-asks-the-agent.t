#!/bin/bash
# afw land gives a conflict, or a check that fails, to the agent whose work it
# is, and believes only git and the check about what came of it.
. "$(dirname "$0")/../lib.sh"
afw_env
export T DEMO_SPEED=50 DEMO_MERGE=$T/merge
mkdir -p "$XDG_CONFIG_HOME/afw"
config=$XDG_CONFIG_HOME/afw/afw.ini
make_repo "$T/repo" README
cd "$T/repo" || exit 2
seq 20 >lines && git add lines && git commit -qm lines
tip() { git rev-parse "${1:-main}"; }
tree() { echo "$T/.af_worktrees/repo-$1"; }

# session NAME 'shell commands' [OPTION...]: with one commit.
session()
{
	DEMO_LOG=$T/log.$1 run afw new "$1" "${@:3}"
	[ "$code" = 0 ] || diag "new $1: $err"
	wait_for "[[ \$(state_of $1 activity) =~ idle|completed ]]"
	(cd "$(tree "$1")" && eval "$2" && git add -A && git commit -qm "work of $1")
}
# merges 'shell commands': what an agent does if it is asked to merge $1.
merges() { printf '%s\n' "$1" >"$T/merge"; }
good='git merge -q "$1" || { sed -i "/^<<<<<<</d;/^=======/d;/^>>>>>>>/d" lines; git commit -qam merged; }'
log() { cat "$T/log.$1" 2>/dev/null; }

# --- a conflict -------------------------------------------------------------
echo 'check = sh -c "test $(grep -c . lines) -ge 20 && ! test -e broken"' >"$config"
session api 'sed -i "s/^3$/three/" lines' -a demo
session web 'sed -i "s/^3$/drei/" lines' -a demo
before=$(tip)
exit_is 4 'with --no-resolve' afw land --yes --no-resolve
like "$out" 'web: left out: it conflicts with main.  lines: both changed it, line 3' 'a conflict is left out, with file and line'
like "$err" 'hint: without --no-resolve the agents are asked' 'and the way out'
is "$(log web)" '' 'and no agent is asked'
git reset -q --keep "$before"
merges "$good"
exit_is 0 'land' afw land --yes api web
like "$out" 'web: it conflicts with main: asked its agent to resolve that.*web: merged into main \(fast-forward\), check passed in .*, after 1 turn' \
	'asks the agent, and lands what it has made of it'
is "$(sed -n 3,4p lines | sort | tr '\n' ' ')" 'drei three ' 'both changes are there'
like "$(log web)" "conflicts with main.*merge commit $(tip af/api) into your branch.*- lines: both changed it, lines 3-3.*session api: \"work of api\"" \
	'the message names commit, file, lines and the other session'
is "$(log web | grep -c ^---) $(log api | grep -c ^---)" '1 0' 'and is one message, to one agent'

# --- agents that do it badly --------------------------------------------------
session one 'sed -i "s/^5$/one/" lines' -a demo
run afw merge one
session two 'sed -i "s/^5$/two/" lines' -a demo -b "$before"
before=$(tip)
merges 'true'
exit_is 4 'an agent that does nothing' afw land -y two --into main
like "$out" 'two: its agent has not merged commit .*: asked.*left out: its agent has not merged' 'is left out'
is "$(log two | grep -c ^---)" 2 'after two messages'
like "$(log two)" 'Once more: its agent has not merged commit' 'the second says what is missing'
exit_is 4 'with --tries 1' afw land -y two --into main --tries 1
is "$(log two | grep -c ^---)" 3 'it gets one'
merges 'git merge -q "$1" || { git add -A; git commit -qm markers; }'
exit_is 4 'an agent that leaves markers' afw land -y two --into main
like "$out" 'left out: its agent has left conflict markers in lines' 'is found out'
git -C "$(tree two)" reset -q --hard HEAD~1
merges 'git merge -q "$1"'
exit_is 4 'an agent that leaves the merge unfinished' afw land -y two --into main
like "$out" 'two: left out: its agent has not ' 'is left out'
is "$(tip)" "$before" 'and nothing of all that has landed'
git -C "$(tree two)" merge --abort
merges 'git merge -q -s ours "$1"; grep -v 7 lines >new; mv new lines; git commit -qam shorter'
exit_is 4 'an agent that drops what the others have done' afw land -y two --into main
like "$out" 'two: left out: the check of the result exited with code 1' 'fails by the check'
is "$(tip)" "$before" 'and has not landed'
run afw rm --stop --yes one two

# --- a check that fails ---------------------------------------------------------
session three 'echo >broken; echo three >three' -a demo
merges 'git merge -q "$1"; git rm -q broken; git commit -qm repaired'
exit_is 0 'a check that fails' afw land -y three
like "$out" 'three: the check of the result exited with code 1 and printed nothing: asked its agent to make it pass.*merged into main \(fast-forward\), check passed in .*, after 1 turn' \
	'is given to the agent'
like "$(log three)" 'does not pass its check: sh -c .*exited with code 1.*merge commit' 'with the command and what it printed'
session four 'echo >broken; echo four >four' -a demo
merges 'git merge -q "$1"; echo >>four; git commit -qam tried'
exit_is 4 'an agent that cannot make it pass' afw land -y four
is "$(log four | grep -c ^---)" 1 'is asked once'

# --- an agent that asks before it merges ------------------------------------------
# While it is asked, the test does what the agent would do after the answer.
run afw rm --stop --yes four
session asks 'sed -i "s/^12$/asks/" lines' -a demo -b "$before"
session other 'sed -i "s/^12$/other/" lines' -a demo -b "$before"
git -C "$(tree other)" commit -q --amend -m '[[ask]]'
exit_is 4 'nobody answers' afw land -y other asks --into main -t 1s
like "$out" 'asks: its agent asks: Shall I go on\?.*asks: left out: it conflicts with main; its agent asks something' \
	'the question is printed, and it is left out when the time is over'
like "$err" 'hint: answer it first: `afw send asks --approve`' 'with what answers it'
run afw send asks --deny
waits_for '[ "$(state_of asks activity)" = completed ]' 'which ends the turn'
sed -i 's/^other$/and more/' "$(tree other)/lines"
git -C "$(tree other)" commit -qam '[[ask]]'
(
	wait_for '[ "$(state_of asks activity)" = waiting_for_input ]'
	cd "$(tree asks)" && eval "${good/\$1/main}"
	afw send asks --approve >"$T/approved"
) &
exit_is 0 'the user answers' afw land -y other asks --into main
like "$out" 'asks: its agent asks: Shall I go on\?.*asks: merged into main' 'and it goes on, and lands'
wait

# --- agents that are not there ----------------------------------------------------
run afw rm --stop --yes four
session five 'sed -i "s/^9$/five/" lines' -a demo -b "$before"
session six 'sed -i "s/^9$/six/" lines' -a demo -b "$before"
run afw stop six
merges "$good"
exit_is 4 'a stopped agent' afw land -y five six --into main
like "$out" 'six: left out: it conflicts with main; its agent is not running \(--start\)' 'is not started'
exit_is 0 'with --start' afw land -y six --into main --start
like "$out" 'six: merged into main' 'it is'
session seven 'echo >seven' -a demo
run afw send seven '[[ask]]'
waits_for '[ "$(state_of seven activity)" = waiting_for_input ]' 'one asks something'
exit_is 0 'land without a name' afw land -n --wait
like "$out" 'seven .*left out: it is not done \(waiting\)' 'leaves it out'
run afw send seven --approve
waits_for '[ "$(state_of seven activity)" = completed ]' 'when it has its answer'
run afw send seven "[[until $T/go]]"
waits_for '[ "$(state_of seven activity)" = working ]' 'it works'
exit_is 0 'while an agent works' afw land -n
like "$out" 'seven .*left out: it is not done \(working\)' 'it is left out'
(sleep 0.5; touch "$T/go") &
exit_is 0 'with --wait' afw land -y --wait seven
like "$out" 'seven: merged' 'it is waited for'
wait
done_testing
