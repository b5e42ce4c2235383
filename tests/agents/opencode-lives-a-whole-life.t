#!/bin/bash
# The real OpenCode from start to exit. It does not ask for trust.
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

# listens: a process of the test's has a port, but for the model's server.
listens()
{
	local pid inode
	for pid in $(_alive); do
		[ "$pid" != "$SERVER" ] || continue
		for inode in $(find "/proc/$pid/fd" -lname 'socket:*' \
			-printf '%l\n' 2>/dev/null | tr -dc '0-9\n'); do
			awk -v i="$inode" '$4 == "0A" && $10 == i { f = 1 }
				END { exit !f }' /proc/net/tcp /proc/net/tcp6 &&
				return
		done
	done
	return 1
}

life_begins opencode
waits_for '[ "$(state_of fix cost_usd)" = 0.015 ]' \
	'the cost of its 15 tokens is reported'
ok_cmd 'the model sees the instructions' \
	grep -q '"system":true' "$REQUESTS"
asks_mcp fix
nok_cmd 'no variable of it is in a file of afw' \
	grep -rq probed --exclude-dir=home "$XDG_DATA_HOME/afw"
life_asks "$tree"
life_is_interrupted

# A message that may wait is not lost after a question and approves nothing.
exit_is 0 'a tool again' afw send fix "ask [[tool=bash:touch '$tree/made']]"
is_state fix running/waiting_for_input
exit_is 0 'a message that may wait' afw send --when-idle fix 'later [[text=l]]'
like "$out" 'queued' 'does'
is "$(state fix)" running/waiting_for_input 'it still asks'
# OpenCode ignores keys for a moment after its dialog has come up.
later_came() { [ "$(last_text)" = 'later [[text=l]]' ]; }
exit_is 0 'an interrupt takes the question away' afw interrupt fix
waits_for 'within 20 later_came || {
	[ "$(state fix)" != running/waiting_for_input ] || afw interrupt fix
	false; }' 'then it goes in'
nok_cmd 'nothing was approved' test -e "$tree/made"
is_state fix running/completed

# A turn that fails is wound up with git, for seconds in a large repository.
# What is typed then, OpenCode takes and leaves.
before=$(turns)
exit_is 0 'a turn that is to fail' \
	afw send fix "bad [[until=$T/fails]][[err=400]]"
waits_for '[[ $(last_text) == bad* ]]' 'is under way'
touch "$T/stall" "$T/fails"
waits_for '[ -e "$T/stalled" ]' 'is wound up'
afw send --wait -t 240s fix 'left [[text=found]]' >"$T/found" 2>&1 &
left=$!
waits_for 'afw send --list fix | grep -q "left"' 'a message waits for that'
nok_cmd 'for longer than its screen is doubted' \
	within 4 'afw events fix | tail -n 3 | grep -q pasted'
rm "$T/stall"
wait "$left"
is "$? $(<"$T/found")" '0 found' 'and is answered then'
is "$(turns)" $((before + 2)) 'once'

# A long answer comes whole, though the door has no room for it.
exit_is 0 'a long answer' afw send --wait -t 240s fix \
	"long [[text=$(printf ' word%s' {1..2000})]]"
is "$(wc -w <<<"$out") ${out##* }" '2000 word2000' 'comes whole'

nok_cmd 'it listens on no port' listens

life_is_approved "$tree" 'Permission required'
life_is_answered "$tree"
life_takes_text
life_goes_on

# Its own commands, as the user types them.
exit_is 0 'a command of its own' afw send --raw fix /compact
waits_for 'afw capture fix | grep -q "Compaction"' 'is run'
waits_for 'is_idle fix 0' 'to its end'
exit_is 0 'a command that opens a window' afw send --raw fix /help
is_state fix running/waiting_for_input
exit_is 0 'which is closed' afw send fix --keys Escape
waits_for 'is_idle fix 0' 'and forgotten'

life_ends "$tree"
users_files_are_kept
agent_end
