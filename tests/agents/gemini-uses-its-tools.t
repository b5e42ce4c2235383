#!/bin/bash
# The real Gemini CLI calls tools of afw's, by its bridge.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tools.sh"
. "$here/gemini.sh"
uses_its_tools gemini
