#!/bin/bash
# An untrusted repository: Claude Code's question is reported as one, nothing is
# typed into it; after `afw trust` it does not ask, and the user's own
# configuration is not changed.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
claude_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

began=$(now_ms)
exit_is 0 'new' afw new one -a claude -m 'the task [[text=it arrived]]' \
	-- "${ASKS[@]}"
told=$err took=$(($(now_ms) - began))
late=$(date -u -d '-1 second' +%FT%T.%3NZ)
is_state one running/waiting_for_input
# It waits 3 s for that; on a busy machine Claude Code may ask later.
if [ "$took" -lt 3000 ] ||
	[[ $(json activity_since "$T/.state") < $late ]]; then
	like "$told" 'asks.* trust this .*afw attach one.*afw trust' \
		'new says what it asks first, and what settles it'
else
	skip 1 "it asked when new had returned after $took ms"
fi
waits_for 'state one &&
	[[ $(json detail "$T/.state") =~ trust\ this\ (directory|folder) ]]' \
	'its question is reported'
refused 9 'trust' 'a message is refused' afw send one 'yes'
refused 9 'afw attach one. answers it, .afw trust.' \
	'--approve says what answers that' afw send one --approve
is "$(state one)" running/waiting_for_input 'it still asks'
is "$(turns)" 0 'the task has not gone anywhere'
exit_is 0 'stop' afw stop one

exit_is 0 'trust' afw trust -y
exit_is 0 'new in the trusted repository' afw new two -a claude \
	-m 'the task [[text=it arrived]]' -- "${ASKS[@]}"
is_state two running/completed
is "$(last_text)" 'the task [[text=it arrived]]' 'the task arrives'
nok_cmd "Claude's configuration does not say so" \
	grep -q '"hasTrustDialogAccepted": *true' "$HOME/.claude.json"

exit_is 0 'permissions are asked for as ever' \
	afw send two "[[tool=bash:touch made]]"
is_state two running/waiting_for_input
nok_cmd 'nothing is made' test -e "$T/.af_worktrees/repo-two/made"

# The user says yes, in the real screen.
tmux_start 120 40 afw attach two
tmux_wait_for 'Do you want to proceed?' 'attach shows the question'
# Claude Code ignores keys for a moment after a dialog has come up.
waits_for 'tmux_keys Enter; [ -e "$T/.af_worktrees/repo-two/made" ]' \
	'the user approves it there'
is_state two running/completed
agent_end
