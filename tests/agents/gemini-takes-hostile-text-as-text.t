#!/bin/bash
# Messages that would be commands, keys or the end of a paste reach the model
# through Gemini CLI as text, as documented.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'Claude shares the table'
. "$(dirname "$0")/gemini.sh"
. "$(dirname "$0")/hostile.sh"
agent_begins gemini
hostile gemini
agent_end
