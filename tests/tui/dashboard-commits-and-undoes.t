#!/bin/bash
# The keys that the last row shows first: what can be done with a session now.
. "$(dirname "$0")/dash.sh"

export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
mkdir -p "$XDG_CONFIG_HOME/afw"
printf 'harness = demo\n[harness.demo]\ncommand = %s\n' \
	"$ROOT/share/demo-agent" >"$XDG_CONFIG_HOME/afw/afw.ini"
tree=$T/.af_worktrees/repo-one
exit_is 0 'a session' afw new one -a demo
exit_is 0 'is ready' afw wait one --for idle -t 240s

dash 80 24
row_like 24 '^Enter attach .* s send ' 'a session without work'
unlike "$(row 24)" 'm merge|c commit|u undo' 'has nothing to merge, commit or undo'
keys c
see 'one has nothing to commit' 'c says so'
row_like 24 '^Enter attach ' 'above the keys, which stay'
exit_is 0 'a turn' afw send one --wait -- '[[write first]] make it'
row_like 24 '^m merge  c commit  u undo ' 'a session that is done'

keys c
row_like 24 '^commit all of one, message: *one *$' \
	'c asks for a message, and shows what an empty one means'
tmux_type 'Make it'
keys Enter
see 'committed: af/one: ' 'it is committed'
is "$(git -C "$tree" log -1 --format=%s)" 'Make it' 'with that message'
row_like 24 '^m merge  u undo ' 'now there is nothing to commit'

keys u
see 'one: back to ' 'u shows what it would do'
see 'remove  first' 'to the files of the last turn'
see 'Restore this? y/n' 'and asks'
keys y
see 'verified: ' 'yes undoes the turn'
ok_cmd 'indeed' test ! -e "$tree/first"
isnt "$(git -C "$tree" log -1 --format=%s)" 'Make it' 'and the commit'
end
