#!/bin/bash
# afw land asks the real Claude Code to resolve a conflict.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'an agent is at work there, not afw'
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/lands.sh"
agent_begins claude
mkdir -p "$XDG_CONFIG_HOME/afw"
lands claude --permission-mode manual --allowedTools=Bash
agent_end
