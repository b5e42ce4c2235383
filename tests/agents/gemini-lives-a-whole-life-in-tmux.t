#!/bin/bash
# The same checks with the terminal in tmux.
here=$(dirname "$0")
. "$here/../lib.sh"
command -v tmux >/dev/null || skip_all 'no tmux here'
without_sanitizers "Claude's life in tmux does"
export AF_TEST_BACKEND=tmux
. "$here/gemini-lives-a-whole-life.t"
