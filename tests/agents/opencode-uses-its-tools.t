#!/bin/bash
# The real OpenCode calls afw's tools, by its bridge.
. "$(dirname "$0")/../lib.sh"
without_sanitizers "one agent of four is enough for that"
. "$(dirname "$0")/tools.sh"
. "$here/opencode.sh"
uses_its_tools opencode
