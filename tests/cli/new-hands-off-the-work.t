#!/bin/bash
# new --from --brief: the first message says what the other session was asked
# and did, bounded, as quotes without control bytes, before the task of -m.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$(dirname "$0")/undo.sh"
make_repo "$T/repo"
cd "$T/repo" || exit 2
tree=$T/.af_worktrees/repo-one

# An agent that writes down the messages that it gets, and takes a paste as one.
listener='stty -echo -icanon; printf "\033]7501;state=idle\007\033[?2004h"; cat >heard.ign'
# hears NAME WORDS: sets text to what its agent got up to those, without the
# paste's own bytes.
hears()
{
	local file=$T/.af_worktrees/repo-$1/heard.ign
	waits_for "grep -aq '$2' '$file'" "the agent of $1 is told"
	text=$(tr -d '\033' <"$file" | sed 's/\[20[01]~//g' | tr '\r' '\n')
}

echo '*.ign' >.gitignore && git add .gitignore && git commit -qm ignore
printf '#!/bin/sh\nprintf "3 tests \\033[31mfail\\n"; exit 1\n' >"$T/check" && chmod +x "$T/check"
exit_is 0 'a session' afw new one -o check="$T/check" -- bash -c "$undo_agent"
exit_is 0 'is ready' afw wait one --for idle -t 240s
run afw send one --wait -- 'echo first >first # please make the first thing'
run afw send one --wait -- 'printf x >"$(printf "b\033[2Jad")"; printf "\033]7501;state=done;message=half \002done\007" # and then the second'
for i in {3..14}; do run afw send one --wait -- "echo $i >$i # turn $i $(printf 'long%.0s' {1..80})"; done
waits_for 'afw status one --json | grep -q "\"check\":\"failed\""' 'its check has failed'

exit_is 0 'a session with a summary' \
	afw new two --from one --brief -m 'now finish it' -- bash -c "$listener"
hears two 'now finish it'
like "$text" 'You continue the work of another agent, session one' 'says what it is'
like "$text" 'ended: 14\.' 'how many turns'
like "$text" '> echo first >first # please make the first thing' 'what was asked first'
unlike "$text" 'turn 4 ' 'not all of the middle'
like "$text" '> echo 14 >14 # turn 14 long' 'and last'
like "$text" '> first' 'names a changed file'
like "$text" '> b.\[2Jad' 'and one with a control byte, without that'
like "$text" '> .*failed.*3 tests' 'the result of the check'
like "$text" 'Your task:.*now finish it' 'and the task, after that'
[ ${#text} -lt 4200 ]
ok $? 'it is bounded'
is "$(tr -d '[:print:]\n' <"$T/.af_worktrees/repo-two/heard.ign" | tr -d '\033\r' | wc -c)" 0 \
	'no control bytes are in it'
is "$(grep -ac '\[200~' "$T/.af_worktrees/repo-two/heard.ign")" 1 'it is one message'

number=$(number_of turn-begin 'and then the second')
exit_is 0 'of an earlier checkpoint' \
	afw new three --from "one@$number" --brief -- bash -c "$listener"
hears three 'finish that work'
like "$text" 'ended: 1\.' 'has the turns up to that'
unlike "$text" 'b.\[2Jad$|failed|turn 14' 'and nothing later'
like "$text" 'finish that work' 'and a task of its own'

number=$(number_of turn-begin 'turn 14 ')
exit_is 0 'of the start of the last turn' \
	afw new last --from "one@$number" --brief -- bash -c "$listener"
hears last 'finish that work'
like "$text" 'ended: 13\.' 'has the turns before it'
unlike "$text" 'state is now|failed' 'and not what came of it'

exit_is 0 'a turn is undone' afw undo one -y --no-tell "$number"
exit_is 0 'of the rest' afw new rest --from one --brief -- bash -c "$listener"
hears rest 'finish that work'
like "$text" 'turn 13 ' 'has what is left'
unlike "$text" 'turn 14 ' 'and not what was undone'

# The question.
tmux_start 100 30 afw new four --from one -- bash -c "$listener"
tmux_wait_for 'was asked, and did?'
tmux_keys y Enter
hears four 'finish that work'
like "$text" 'You continue' 'on a terminal it asks'
tmux_stop
tmux_start 100 30 afw new five --from one --no-brief -m hello -- bash -c "$listener"
hears five hello
like "$text" '^hello' '--no-brief does not'
tmux_stop
exit_is 0 'nor without a terminal' afw new six --from one -m hello -- bash -c "$listener"
hears six hello
like "$text" '^hello' 'it is not told'
refused 2 '' '--brief alone' afw new bad --brief -- cat
refused 2 'no-start' 'with --no-start' afw new bad --from one --brief --no-start -a demo
done_testing
