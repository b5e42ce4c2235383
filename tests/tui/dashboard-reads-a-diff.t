#!/bin/bash
# The view of a diff: its files, the search, other bases, the editor at a line.
. "$(dirname "$0")/dash.sh"

# An editor prints its arguments and waits for Enter.
mkdir "$T/editors"
cat >"$T/editors/nano" <<'EOF'
#!/bin/bash
printf '%s EDITS %s, in %s\n' "${0##*/}" "$*" "${PWD##*/}"
read -r _
EOF
chmod +x "$T/editors/nano"
for name in ed-itor code hx; do
	cp "$T/editors/nano" "$T/editors/$name"
done
ln -s nano "$T/editors/editor"
export PATH="$T/editors:$PATH"
seq 60 >lines
echo gone >gone
echo a >'日 本'
git add .
git commit -qm 'some files'
export created
created=$(date -u -d '-100 seconds' +%FT%T.000Z)
afw new one -- bash -c 'sed -i "s/^3$/three/; s/^50$/fifty/" lines; rm gone; echo b >>"日 本"
	seq 40 >new; git add new; exec cat' >"$T/null" || exit 2
afw new clean -- cat >"$T/null" || exit 2
wait_for '[ "$(state_of one activity)" = idle ] && [ "$(state_of clean activity)" = idle ]'
mkdir -p "$XDG_CONFIG_HOME/afw"

# editor WORDS...: opens the diff with that editor
editor()
{
	printf 'editor = %s\n' "$*" >"$XDG_CONFIG_HOME/afw/afw.ini"
	dash 80 24
	tmux_wait_for clean
	keys /
	tmux_type one
	keys Enter
	wait_for '[ "$(selected)" = one ]'
}

editor ed-itor --wait
keys d
see 'FILE     CHANGES' 'd shows a table of the files'
screen=$(tmux_screen)
like "$screen" $'\n> gone     \+0 -1' 'with their lines, the first one chosen'
like "$screen" $'\n  日 本    \+1 -0' 'by their names'
like "$screen" $'\n  4 files  \+43 -3' 'and the sum'
like "$(row 24)" '^q back  Enter to its lines  e edit  b other base  Space page  / search *$' \
	'the last row has the keys that work'
keys e
see 'gone is deleted' 'a deleted file is not opened'
keys j
see '> lines' 'j goes to the next file'
keys e
see 'ed-itor EDITS --wait +3 ./lines, in repo-one' 'e opens it at its first change'
keys Enter
see '> lines' 'and returns there'
keys Enter
row_like 3 '^diff --git a/lines b/lines' 'Enter goes to its lines'
see 'f files' 'from where f leads back'
keys / f i f t y Enter
see '+fifty' '/ searches'
keys e
see 'EDITS --wait +50 ./lines' 'e opens the file at the line that was found'
keys Enter
see '+fifty' 'and returns'
keys n
see "n/N next, last" 'n goes to the next match'
keys / x y z Enter
see "there is no 'xyz'" 'a missing text is reported'
keys }
row_like 3 '^diff --git a/new b/new' '} goes to the next file'
keys e
see 'EDITS --wait +1 ./new' 'e opens that one'
keys Enter
see 'new file mode' 'and returns'
keys f
see '> gone' 'f goes back to the files'
keys G e
see 'EDITS --wait +2 ./日 本' 'a name that git quotes is opened'
keys Enter f
see '> gone' 'f again'

keys b
see 'what one has changed: turn' 'b shows another diff'
see "no checkpoint of its last turn's start" 'or why there is none'
gone 'e edit' 'without files there is nothing to edit'
keys b
see ': uncommitted' 'then what is not committed'
see '> gone' 'with its files'
keys b
see ': staged' 'then what is staged'
see '> new  ' 'with those'
git -C ../.af_worktrees/repo-one reset -q
keys b b b b
see '(nothing is staged)' 'if there is something'
keys b
see '> gone' 'then all again'
keys q
see 'NAME' 'q leaves it'

keys '?'
see 'Talk to the agent' 'the help'
keys / s h e l l Enter
see 'open the worktree in your editor; a shell beside' 'can be searched, too'
keys q 3 PPage / s t a r t e d Enter
see 'agent started' 'and the log'

# Each editor has a way of its own to open a file at a line.
editor code --wait
keys d
see '> gone' 'the diff again'
keys j e
see 'code EDITS --wait --goto ./lines:3, in' 'code'
keys Enter
editor hx
keys d
see '> gone' 'the diff again'
keys j e
see 'hx EDITS ./lines:3, in' 'hx'
keys Enter

# An editor that opens no directory, by the name of a link to it, too.
editor editor
keys e
see 'editor EDITS ./lines ./new ./日 本, in repo-one' 'e opens the files that have changed'
keys Enter
see 'NAME' 'and returns'
keys Escape
gone 'filter: one' 'all sessions again'
keys / c l e a n Enter
selected_is clean 'in one without changes'
keys e
see 'leaves, it keeps running' 'e opens a shell'
tmux_type 'exit'
keys Enter
see 'NAME' 'which returns, too'
keys q
waits_for tmux_dead 'q leaves'
end
