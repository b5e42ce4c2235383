#!/bin/bash
# afw new --after: a session that starts when another one has completed, from
# that one's branch at that time.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
# What is checked is good where its mark is there.
cat >"$T/judge" <<'END'
#!/bin/sh
[ -e "$0-$AFW_WORKSPACE" ] || { echo "not good yet"; exit 1; }
END
chmod +x "$T/judge"
echo "check = $T/judge" >"$XDG_CONFIG_HOME/afw/afw.ini"
runs() { grep -q '^State:.[^Z]' "/proc/$1/status" 2>/dev/null; }
phase() { state_of "$1" phase; }
tree=$T/.af_worktrees

# -- a chain ----------------------------------------------------------------

exit_is 0 'a planner' afw new plan -t planner -a demo
exit_is 0 'an implementor after it, from a terminal that closes' \
	script -qec "afw new make -t implementor -a demo -e S=1 --after plan -m '[[lines 1]]'" \
	"$T/said"
like "$(<"$T/said")" 'make: demo waits for plan' 'says that it waits'
exit_is 0 'a verifier after that' \
	afw new verify -t verifier -a demo --after repo/make -m '[[lines 2]]' --json
is "$(json after) $(json phase) $(json detail)" 'make created waits for make' \
	'as JSON'
like "$(afw ls)" 'make +demo +created .*waits for plan.*verify +demo +created .*waits for make' \
	'ls shows it'
like "$(afw status make)" '^make: created.*says +waits for plan' 'status too'
is "$(git branch --list 'af/*')" '+ af/plan' 'they have no branch yet'
refused 6 'waits for plan' 'nothing to attach to' afw capture make
refused 1 'no worktree.*when plan is done' 'and it has no worktree yet' afw exec make -- true
refused 6 'is not running .created' 'nothing to suspend' afw suspend make
exit_is 0 'a start' afw start make
is "$out" 'make: waits for plan already' 'is on its way'

(cd "$tree/repo-plan" && echo the plan >PLAN && git add PLAN &&
	git commit -qm plan && echo more >notes) || exit 2
tip=$(git rev-parse af/plan)
run afw send plan '[[lines 1]]'
waits_for '[ "$(phase make)" = running ]' \
	'a plan has no check: when it is there the next one starts'
is "$(state_of make base) $(state_of make base_commit)" "af/plan $tip" \
	'from its branch as it is now'
is "$(<"$tree/repo-make/PLAN")" 'the plan' 'with what it has committed'
nok_cmd 'and nothing else' test -e "$tree/repo-make/notes"
like "$(afw status make)" "note +'plan' had 1 file not committed" \
	'which is reported'
waits_for '[ "$(state_of make check)" = failed ]' 'it does its task'
waits_for '[ "$(state_of verify detail)" = "waits for make: its check failed: not good yet" ]' \
	'the last one waits on, and says why'
exit_is 0 'a wait for it' afw wait verify -t 240s
is "$out" waiting 'ends, as only the user can help'
like "$(afw ls)" 'verify +demo +waiting .*its check failed: not good yet' 'which ls says'
is "$(phase verify) $(state_of verify activity)" 'created waiting_for_input' 'and JSON'
(cd "$tree/repo-make" && echo done >DONE && git add DONE && git commit -qm make)
touch "$T/judge-make"
run afw send make '[[lines 1]]'
waits_for '[ "$(state_of verify activity)" = completed ]' 'and comes to its own end'
is "$(cat "$tree/repo-verify/PLAN" "$tree/repo-verify/DONE")" $'the plan\ndone' \
	'with the work of both'
exit_is 0 'an end' afw restart verify
is "$(state_of verify base)" af/make 'later starts do not wait'

# -- who waits --------------------------------------------------------------

exit_is 0 'one at rest' afw new first -a demo
exit_is 0 'a session that waits for it' afw new later -a demo --after first -m '[[lines 1]]'
waiter=$(state_of later supervisor_pid)
kill -9 "$waiter"
waits_for '[ "$(phase later)" = error ]' 'one whose waiter is killed'
like "$(state_of later error_reason)" 'lost: .* while the session was waiting' \
	'is lost'
exit_is 0 'a retry' afw retry later
is "$out" 'later: waits for first' 'waits again'
is "$(phase later) $(state_of later queued)" 'created 1' 'with its task'
kill -TERM "$(state_of later supervisor_pid)"
waits_for '[ "$(phase later)" = error ]' 'as a session that ends with the machine'
exit_is 0 'resume --all' afw resume --all
is "$(phase later)" created 'brings it back'
waiter=$(state_of later supervisor_pid)
exit_is 0 'stop' afw stop later
waits_for '! runs "$waiter"' 'ends a waiting session'
is "$(phase later) $(state_of later detail)" 'created null' 'no session waits now'
exit_is 0 'a start' afw start later
exit_is 0 'the session that it waits for ends' afw stop first
waits_for '[ "$(phase later)" = error ]' 'that ends it'
is "$(state_of later error_reason)" "'first' ended before it was done (stopped)" \
	'and it says why'
refused 6 "'first' ended before it was done" 'a retry is of no use' afw retry later
exit_is 0 'until that one is back' afw start first
exit_is 0 'a retry' afw retry later
exit_is 0 'another' afw new gone -a demo --no-start
exit_is 0 'waits for that' afw new orphan -a demo --after gone
exit_is 0 'rm' afw rm gone
waits_for '[ "$(phase orphan)" = error ]' 'a removed session'
like "$(state_of orphan error_reason)" "'gone' was removed before it was done" \
	'is reported'
run git branch af/later
run afw send first '[[lines 1]]'
touch "$T/judge-first"
run afw send first '[[lines 1]]'
waits_for '[ "$(phase later)" = error ]' 'a branch that cannot be made'
like "$(state_of later error_reason)" 'branch af/later exists' 'says so'
run git branch -d af/later
exit_is 0 'a retry' afw retry later
waits_for '[ "$(state_of later check)" = failed ]' 'continues from there'
exit_is 0 'one more' afw new idle -a demo
exit_is 0 'that is waited for' afw new unwanted -a demo --after idle
waiter=$(state_of unwanted supervisor_pid)
exit_is 0 'rm takes it away' afw rm unwanted
waits_for '! runs "$waiter"' 'with the waiting session'

# -- what cannot be ---------------------------------------------------------

refused 3 "no session 'nobody'" 'a missing one' \
	afw new x -a demo --after nobody
refused 2 'wait for itself' 'itself' afw new x -a demo --after x
refused 4 'has a session of that name' 'a ring' afw new idle -a demo --after later
for option in '--base main' '--branch main' --no-start; do
	# shellcheck disable=SC2086
	refused 2 '--after cannot be combined with' "beside ${option% *}" \
		afw new x -a demo --after idle $option
done
exit_is 0 'stop' afw stop idle
refused 6 "'idle' ended before it was done.*-b af/idle" 'a session that has ended' \
	afw new x -a demo --after idle
make_repo "$T/other"
cd "$T/other" || exit 2
refused 2 "another repository's" 'one of another repository' \
	afw new x -a demo --after repo/first
is "$(afw ls -q | grep -c x)" 0 'nothing is made'
done_testing
