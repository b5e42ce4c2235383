#!/bin/bash
# The real Claude Code calls afw's tools, by its bridge.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tools.sh"
. "$here/claude.sh"
uses_its_tools claude
