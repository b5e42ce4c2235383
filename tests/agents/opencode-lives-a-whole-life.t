#!/bin/bash
# The real OpenCode through a whole life. It asks nobody for trust.
export LOOK_FOR=SEEN-BY-THE-MODEL TOLD='the server says kiwi, deborp'
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/opencode.sh"
. "$(dirname "$0")/life.sh"
. "$(dirname "$0")/users.sh"
opencode_env
git_that_stalls
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >>"$XDG_CONFIG_HOME/afw/afw.ini" <<END
[harness.opencode]
instructions_file = $T/instructions
mcp_file = $T/mcp.json
END
echo "Be brief. $LOOK_FOR" >"$T/instructions"
mcp_file
export TOKEN=probed
make_repo "$T/repo"
cd "$T/repo" || exit 2
users_files
tree=$T/.af_worktrees/repo-fix

life_elsewhere()
{
	(cd "$tree" && timeout 300 opencode run 'elsewhere [[text=no]]' \
		>"$T/elsewhere" 2>&1 </dev/null)
}

# stands_in_the_conversation TEXT: what OpenCode shows of it.
stands_in_the_conversation()
{
	afw capture fix | grep -q "^ *┃ *$1"
}

life_begins opencode
ok_cmd 'the model sees the instructions' \
	grep -q '"system":true' "$REQUESTS"
asks_mcp fix
nok_cmd 'no variable of it is in a file of afw' \
	grep -rq probed "$XDG_DATA_HOME/afw"
life_asks "$tree"
life_is_interrupted

# A message that may wait is not lost behind a question and approves nothing.
exit_is 0 'a tool again' afw send fix "ask [[tool=bash:touch '$tree/made']]"
is_state fix running/waiting_for_input 30
exit_is 0 'a message that may wait' afw send --when-idle fix 'later [[text=l]]'
like "$out" 'queued' 'does'
is "$(state fix)" running/waiting_for_input 'it still asks'
exit_is 0 'an interrupt takes the question away' afw interrupt fix
waits_for 30 '[ "$(last_text)" = "later [[text=l]]" ]' 'then it goes in'
nok_cmd 'nothing was approved' test -e "$tree/made"
is_state fix running/completed

# What talks to its server may die.
bridge=$(pgrep -P "$(json supervisor_pid "$T/.state")" afw-opencode)
kill -KILL "$bridge"
exit_is 0 'without its bridge a message waits' \
	afw send --wait -t 240s fix 'on [[text=over another one]]'
is "$out" 'over another one' 'for another one'
nok_cmd 'which is not the first' test -e "/proc/$bridge"
is "$(grep -h '"accepted"' "$XDG_DATA_HOME"/afw/sessions/*/events.jsonl |
	tail -1 | grep -c 'confirmed by events')" 1 'and goes over it'
is_state fix running/completed

# It may hang as a whole: what is sent then goes in once it goes on.
agent=$(json pid "$T/.state")
kill -STOP "$agent"
afw send --wait -t 240s fix 'a stalled one [[text=one]]' >"$T/one" 2>&1 &
one=$!
waits_for 10 'afw send --list fix | grep -q "a stalled one"' 'a message waits'
afw send --wait -t 240s fix 'and another [[text=two]]' >"$T/two" 2>&1 &
two=$!
waits_for 60 'afw send --list fix | grep -q "server does not answer"' \
	'for a server that hangs'
kill -CONT "$agent"
wait "$one" "$two"
is "$(cat "$T/one" "$T/two" | tr '\n' ' ')" 'one two ' 'and the next behind it'
is_state fix running/completed

# A turn that fails is wound up with git, for seconds in a large repository.
# What is sent then, OpenCode takes and leaves.
exit_is 0 'a turn that is to fail' \
	afw send fix "bad [[until=$T/fails]][[err=400]]"
waits_for 30 '[[ $(last_text) == bad* ]]' 'is under way'
touch "$T/stall" "$T/fails"
waits_for 60 '[ -e "$T/stalled" ]' 'is wound up'
is_state fix running/completed 30
afw send --wait -t 240s fix 'left [[text=found]]' >"$T/found" 2>&1 &
left=$!
waits_for 30 'stands_in_the_conversation "left"' 'a message behind it is taken'
last=$(last_text)
rm "$T/stall"
like "$last" '^bad' 'and does not begin'
wait "$left"
is "$? $(cat "$T/found")" '0 found' 'before it is asked for again'
before=$(turns)
exit_is 0 'which the next one shows' afw send --wait -t 240s fix 'next'
is "$(turns)" $((before + 1)) 'to have been done once'
is "$(all_texts | grep -o 'left \[' | wc -l)" 1 'and to have come once'

life_is_approved "$tree" 'Permission required'
life_is_answered "$tree"
life_takes_text
life_goes_on
life_ends "$tree"
users_files_are_kept
agent_end
