#!/bin/bash
# The user's rules with a real agent (AF_TEST_AGENT: another than Claude Code):
# what is one simple command is allowed or denied, what is more is asked.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/${AF_TEST_AGENT:-claude}.sh"
. "$(dirname "$0")/rules.sh"
agent_begins "${AF_TEST_AGENT:-claude}"
rules_decide "${AF_TEST_AGENT:-claude}" "${ASKS[@]}"
agent_end
