#!/bin/bash
# The real Codex: a session forks the conversation of another one.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/codex.sh"
. "$(dirname "$0")/forks.sh"
forks_live codex
