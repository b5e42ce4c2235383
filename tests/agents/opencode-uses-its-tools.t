#!/bin/bash
# The real OpenCode calls tools of afw's, by its bridge.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tools.sh"
. "$here/opencode.sh"
uses_its_tools opencode
