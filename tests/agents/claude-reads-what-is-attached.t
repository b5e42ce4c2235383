#!/bin/bash
# afw send --attach: Claude Code reads the files that a message names by @path,
# without asking, and its model gets them.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
export TOLD='the word is quince'
agent_begins claude
exit_is 0 'a session' afw new one -a claude -- "${ASKS[@]}"
exit_is 0 'it is ready' afw wait one --for idle -t 240s
echo 'the word is quince' >"$T/a note@home.txt"
exit_is 0 'a message with a file' afw send one --attach "$T/a note@home.txt" -m 'read the note [[text=done]]'
like "$out" 'one: accepted' 'arrives'
exit_is 0 'its turn ends' afw wait one --for done -t 240s
ok_cmd 'the model has the content of the file' grep -q '"told":true' "$REQUESTS"
like "$(last_text)" 'read the note' 'and the message'
is "$(git -C "$T/.af_worktrees/repo-one" status --short)" '' 'the worktree is as it was'
agent_end
