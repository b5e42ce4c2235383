#!/bin/bash
# stop, start, restart, suspend, resume and retry in each phase.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
phase() { afw status "$1" --json >"$T/.p" && json phase "$T/.p"; }
pid() { afw status "$1" --json >"$T/.p" && json pid "$T/.p"; }

exit_is 0 'new' afw new one -e SECRET=1 -- sh -c 'echo "got $0 $SECRET"; cat' arg
exit_is 0 'start of a running one' afw start one
is "$out" 'one: running already' 'says so'
exit_is 0 'resume too' afw resume one
exit_is 0 'retry too' afw retry one
refused 4 'message was not sent' 'but not with a message' afw start one -m x
old=$(pid one)

# What can be refused is refused before the agent is stopped.
ini=$XDG_CONFIG_HOME/afw/afw.ini
mkdir -p "${ini%/*}"
refused 2 'no-such-file' 'restart with a task that is not there' \
	afw restart one -F "$T/no-such-file"
refused 2 '--env:1: .*nor the name of a variable' 'or a variable' \
	afw restart one -e NOT_SET
echo 'max_sesions = 3' >"$ini"
refused 1 'max_sesions' 'or a word that is wrong in afw.ini' afw restart one
exit_is 0 'another' env XDG_CONFIG_HOME="$T" afw new two -- cat
printf 'max_sessions = 1\n' >"$ini"
refused 5 'max_sessions is 1' 'or a limit that is lower now' afw restart one
exit_is 0 'rm' afw rm --stop two
mv "$T/.af_worktrees/repo-one" "$T/away"
refused 1 'worktree .* is gone' 'or without its worktree' afw restart one
# The last worktree's removal takes the empty directory along, soon.
wait_for 'mkdir -p -m 700 "$T/.af_worktrees" &&
	mv -T "$T/away" "$T/.af_worktrees/repo-one"'
is "$(phase one) $(pid one)" "running $old" 'it runs as it did'

exit_is 0 'restart, in its own place under the limit' afw restart one
rm "$ini"
is "$out" 'one: started with a new conversation' 'says what it did'
like "$err" 'SECRET was given at its start and is not set' \
	'a value that must be given again'
is "$(phase one)" running 'it runs'
isnt "$(pid one)" "$old" 'as another process'
run afw status one --json
since=$(json activity_since)
[[ -z $since || $since == null || ! $since < $(json started_at) ]]
ok $? 'it is not what it is since its life before'
waits_for 'afw capture one | grep -q "^got arg"' 'with its arguments'
exit_is 0 'restart with the value' afw restart one -e SECRET=7 -m 'a task'
unlike "$err" SECRET 'no warning'
waits_for 'afw capture one | grep -q "^got arg 7"' 'it has it'
waits_for 'afw capture one | grep -q "a task"' 'and the task'

refused 1 "suspend 'one': generic cannot continue .*afw stop one" \
	'suspend of a session that cannot be resumed' afw suspend one
is "$(phase one)" running 'it runs on'
can_resume cat
exit_is 0 'restart' afw restart one -e SECRET=1
exit_is 0 'suspend' afw suspend one
like "$out" '^one: suspended' 'says so'
is "$(phase one)" suspended 'it is'
exit_is 0 'suspend again' afw suspend one
is "$out" 'one: was already suspended' 'is no failure'
refused 6 'not running .suspended' 'send' afw send one hello
refused 4 'has not failed .suspended' 'retry is for failures' \
	afw retry one
exit_is 0 'stop of a suspended one' afw stop one
is "$(phase one)" suspended 'leaves it so'
exit_is 0 'resume' afw resume one -e SECRET=2
is "$out" 'one: resumed its conversation' 'continues it'
grep -h '"phase"' "$(session_dir one)/events.jsonl" |
	sed -E 's/.*"phase":"([a-z]+)".*/\1/' | tail -n 3 | tr '\n' ' ' >"$T/p"
is "$(<"$T/p")" 'suspended starting running ' 'by way of starting'

exit_is 0 'stop' afw stop one --json
is "$(json phase)" stopped 'stopped'
refused 6 'is not running .stopped' 'nothing to suspend' afw suspend one
refused 4 'has not failed' 'nothing to retry' afw retry one
exit_is 0 'restart of a stopped one' afw restart one --json -e SECRET=1
is "$(json resumed)$(json phase)" falserunning 'starts it'
afw stop one >"$T/null"

# error, then retry
exit_is 0 'a session that fails' afw new bad -- sh -c '[ -e go ] || exit 3; cat'
waits_for '[ "$(phase bad)" = error ]' 'is in error'
refused 6 'failed: .*exited with code 3' 'suspend has nothing to do' \
	afw suspend bad
exit_is 0 'stop has nothing to do either' afw stop bad
is "$out" 'bad: had already failed (exit code 3)' 'and says so'
touch "$T/.af_worktrees/repo-bad/go"
exit_is 0 'retry' afw retry bad
is "$(phase bad)" running 'runs'
exit_is 0 'suspend several, one unknown' sh -c \
	'afw suspend bad nobody; [ $? = 3 ]'
is "$(phase bad)" suspended 'the others are'

refused 2 'which session' 'resume without a name' afw resume
refused 2 'takes no name' '--all with one' afw resume --all bad
refused 2 'for one session' '--all with a message' afw resume --all -m x
exit_is 0 'resume --all' afw resume --all
is "$out" 'bad: resumed its conversation' 'is for the suspended, not the stopped'
is "$(phase one)" stopped 'that stays'
exit_is 0 'again' afw resume --all
like "$out" 'no session is suspended' 'reports that there is none'
exit_is 0 'stop' afw stop bad

# created, then start
exit_is 0 'new without a start' afw new first --no-start -- \
	sh -c 'echo "got $TOKEN"; cat'
like "$out$err" 'is to run in .*afw start first' 'says what comes'
is "$(phase first)$(pid first)" creatednull 'it is there, and runs not'
like "$(afw ls)" 'first +generic +created' 'as the list says'
like "$(afw exec first -- git status -sb 2>&1)" '## af/first' \
	'its worktree is there'
refused 6 'never started' 'it is not waited for' afw wait first
exit_is 0 'but for that' afw wait first --for created
refused 6 'not running .created.*afw send --start first' 'it takes no message' \
	afw send first hi
exit_is 0 'but to keep it' afw send first --when-idle 'for later'
refused 4 'has not failed .created' 'and cannot be retried' afw retry first
exit_is 0 'stop changes nothing' afw stop first
is "$out" 'first: was never started; 1 message waits for its next start' \
	'and says so'
refused 2 '--no-start cannot be combined with --env' 'values are for the start' \
	afw new x --no-start -e A=1 -- cat
exit_is 0 'start' afw start first -e TOKEN=7 -m 'a task'
is "$out" 'first: started' 'says so'
waits_for 'afw capture first | grep -q "^got 7"' 'with what it is given'
waits_for 'afw capture first | grep -q "^a task"' 'its task'
waits_for 'afw capture first | grep -q "^for later"' 'and what was kept'
exit_is 0 'rm' afw rm --stop first
exit_is 0 'one more' afw new first --no-start -- cat
exit_is 0 'resume is a start, too' afw resume first
exit_is 0 'rm' afw rm --stop first
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'max_sessions = 1' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'one runs' afw new runs -- cat
exit_is 0 'one that does not is not counted' afw new first --no-start -- cat
refused 5 'max_sessions' 'until it is started' afw start first
exit_is 0 'rm of a session that was never started' afw rm first
exit_is 0 'rm' afw rm --stop runs
rm -r "$XDG_CONFIG_HOME/afw"
done_testing
