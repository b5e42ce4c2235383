#!/bin/bash
# wait --checked: until the check of the last turn has passed; of a group, of
# the first of it; and it ends if no check can pass any more.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/fake.sh"
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
cd "$T/repo" || exit 2

member() { spec_more='"check":["make"],' fake_session "$@" && mkdir "$dir/groups" &&
	: >"$dir/groups/fix" && eval "$1=\$dir"; }
member one running completed '"check":"failed",'
member two running working
member three running waiting_for_input
fake_session bare running completed
fake_session other running completed '"check":"passed",'
hold one two three bare other

refused 9 "wait for 'one': its check failed.*afw logs --service check one" \
	'a check that failed' afw wait one --checked
refused 9 "wait for 'bare': it has no check" 'no check' afw wait bare --checked
refused 7 "wait for 'two': it reached none .* .working." 'a turn' \
	afw wait two --checked -t 100ms
refused 7 "wait for 'three': it reached none .* .waiting." 'a question' \
	afw wait three --checked -t 100ms
refused 9 "'one': its check failed" 'one of all' afw wait two one --checked
refused 7 "reached none" 'but not of any' afw wait two one --checked --any -t 100ms
refused 2 'for cannot be combined with --checked' 'a state and the check' \
	afw wait one --for done --checked
refused 2 "either names .'one'. or --group" 'names and a group' \
	afw wait one --group fix
refused 3 "in group 'none'" 'an empty group' afw wait --group none
exit_is 0 'a group without --checked' afw wait --group fix --any --for waiting
is "$out" 'three: waiting' 'waits for states'

afw wait --group fix --any --checked -t 240s >"$T/went" 2>&1 &
job=$!
dir=$two fake_state two running completed '"check":"running",'
refused 7 'reached none' 'a running check' afw wait two --checked -t 100ms
queued=1 dir=$two fake_state two running completed '"check":"passed",'
refused 7 'a message is queued' 'a turn that is about to begin' \
	afw wait two --checked -t 100ms
dir=$two fake_state two running completed '"check":"passed",'
ends_with 0 "$job" 'the first of a group'
is "$(<"$T/went")" 'two: passed' 'is named'
exit_is 0 'as JSON' afw wait two --checked --json
is "$(json name) $(json reached) $(json session.check)" 'two passed passed' 'too'

dir=$one fake_state one running failed '"detail":"API Error",'
refused 9 "wait for 'one': its turn failed: API Error" 'a turn that failed has no check' \
	afw wait one --checked

# A failure that the agent is sent may still become good.
dir=$one fake_state one running completed '"check":"failed","check_round":1,"check_rounds":3,'
refused 7 'reached none of the wanted states in 100 ms .done.' 'in the second of three rounds' \
	afw wait one --checked -t 100ms
dir=$one fake_state one running completed '"check":"failed","check_round":3,"check_rounds":3,'
refused 9 "its check failed" 'after the last' afw wait one --checked
for name in two three; do
	dir=${!name} fake_state "$name" running completed '"check":"failed",'
done
refused 9 "its check failed" 'all of a group have failed' \
	afw wait --group fix --any --checked
dir=$two fake_state two stopped
release_locks
refused 6 "'two': it has ended .stopped" 'one that ended' afw wait two --checked -t 240s

# a real one
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'check = test -e good' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'an agent' afw new real -a demo -g work
exit_is 0 'that is ready' afw wait real --for idle -t 240s
run afw send real '[[lines 1]]'
refused 9 'its check failed' 'whose work is bad' afw wait -g work --checked -t 240s
run afw send real '[[write good]]'
exit_is 0 'makes it good' afw wait -g work --checked -t 240s
is "$out" passed 'which ends the wait'
done_testing
