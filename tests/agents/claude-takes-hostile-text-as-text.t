#!/bin/bash
# Messages that would be commands, keys or the end of a paste reach the model
# through Claude Code as text, as documented.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/hostile.sh"
agent_begins claude
hostile claude
agent_end
