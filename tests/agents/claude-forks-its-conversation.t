#!/bin/bash
# The real Claude Code: a session forks the conversation of another one.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/forks.sh"
forks_live claude 'grep -qs "first task" "$HOME"/.claude/projects/*/*.jsonl' \
	"${ASKS[@]}"
