#!/bin/bash
. "$(dirname "$0")/dash.sh"

# there NAME HARNESS CHANGES GROUP PHASE...: each younger than the one before
there()
{
	local name=$1 harness=$2 lines=$3 group=$4
	shift 4
	created=2026-01-01T00:00:$((10 + _fake)).000Z
	fake_session "$name" "$1" "${2-}" \
		"\"lines_added\":$lines,\"lines_removed\":0,"
	sed -i "s/\"generic\"/\"$harness\"/" "$dir/spec.json"
	[ -z "$group" ] || { mkdir "$dir/groups" && : >"$dir/groups/$group"; }
}
ini()
{
	mkdir -p "$XDG_CONFIG_HOME/afw"
	printf '%s\n' "$@" >"$XDG_CONFIG_HOME/afw/afw.ini"
}
there delta codex 5 web running working
there alpha claude 50 '' stopped
hold delta
dash 80 24
names_are 'delta alpha' 'one repository has no heading'
tmux_stop
release_locks
repo=$T/shop there carol codex 7 web stopped
there bravo claude 1 api running waiting_for_input
hold delta bravo
dash 80 24
names_are '▾ bravo delta alpha ▾ carol' 'each of several has one'
see '── bravo · claude · waiting' 'and nothing else names it'
unlike "$(row 1)" 'repository' 'and the header does not show it'
tmux_stop

ini '[dashboard]' 'group = none'
dash 80 24
names_are 'repo/bravo repo/delta repo/alpha shop/carol' \
	'sessions that need the user come first'
keys o
names_are 'repo/alpha repo/bravo shop/carol repo/delta' 'o: by name'
row_like 1 'order: name' 'the header says so'
selected_is repo/bravo 'the selection stays'
keys o
names_are 'repo/bravo shop/carol repo/alpha repo/delta' 'the newest first'
keys o
names_are 'repo/bravo repo/delta repo/alpha shop/carol' 'by repository'
keys o
names_are 'repo/bravo repo/alpha repo/delta shop/carol' 'by harness'
keys o
names_are 'repo/alpha shop/carol repo/delta repo/bravo' 'most lines first'
dir=$(session_dir delta)
fake_state delta running working '"lines_added":900,"lines_removed":0,'
names_are 'repo/delta repo/alpha shop/carol repo/bravo' 'as they change'
keys o
gone 'order: changes' 'and as it was'

click 2 5
row_like 1 'order: name' 'a click on a title sorts by that column'
names_are 'repo/alpha repo/bravo shop/carol repo/delta' 'indeed'
click 2 $(($(row 2 | grep -o '.*CHANGES' | wc -m) - 2))
row_like 1 'order: changes' 'on another by that'
click 2 $(($(row 2 | grep -o '.*SAYS' | wc -m) - 2))
see 'the list cannot be sorted by this column' 'or says that it cannot'
click 2 $(($(row 2 | grep -o '.*STATE' | wc -m) - 2))
gone 'order: changes' 'STATE: those that need the user first'

keys b
names_are '▾ bravo delta alpha ▾ carol' 'b: by repository'
row_like 4 '^>   bravo' 'the sessions of a group are indented'
row_like 2 '^    NAME' 'and so are the titles'
row_like 3 '▾ repo \(3\)  1 waiting · 1 working · 1 stopped' 'the heading counts'
keys b
names_are '▾ repo/bravo ▾ repo/delta shop/carol ▾ repo/alpha' 'by group'
row_like 1 'by group' 'the header says by what'
row_like 8 '▾ no group \(1\)' 'who is in none is last'
afw group alpha --add api >/dev/null
names_are '▾ repo/bravo repo/alpha ▾ repo/delta shop/carol' 'one joins'
afw group alpha --remove api >/dev/null
names_are '▾ repo/bravo ▾ repo/delta shop/carol ▾ repo/alpha' 'and leaves'
keys b
names_are '▾ repo/bravo repo/alpha ▾ repo/delta shop/carol' 'by harness'
keys h
names_are '▸ ▾ repo/delta shop/carol' 'h folds'
row_like 3 '^> ▸ claude \(2\)  1 waiting' 'who waits is not hidden unseen'
row_like 24 'Enter|l unfold' 'the footer says how to unfold'
see 'bravo: waiting' 'the preview lists its sessions'
keys j j Left
names_are '▸ ▸' 'Left does that, too'
row_like 4 '^> ▸ codex' 'the heading is selected'
keys w
names_are '▾ repo/bravo repo/alpha ▸' 'w unfolds'
selected_is repo/bravo 'and goes to the waiting session'
keys h d
see 'this is a group: go to a session in it, or mark all with Space' \
	'a heading is no session'
keys Enter
names_are '▾ repo/bravo repo/alpha ▸' 'Enter unfolds'
keys Enter
names_are '▸ ▸' 'and folds'
row_like 4 '^  ▸ codex' 'the other one'
keys Space
see '2 marked' 'Space marks all of it'
row_like 3 '^>\+▸ claude' 'which the heading shows'
keys x
see 'Stop 1 marked session (repo/bravo)' 'actions apply to its running sessions'
keys n Space
gone '2 marked' 'Space marks them no longer'
keys /
tmux_type car
names_are '▾ shop/carol' 'found sessions are not folded'
keys Enter h
see 'with a filter all groups are unfolded' 'and cannot be folded'
keys Escape
names_are '▸ ▸' 'then it is as before'
keys b
names_are 'repo/bravo repo/delta repo/alpha shop/carol' 'no groups again'
keys l
see 'there are no groups: b groups the list' 'which l says'
release_locks

ini '[dashboard]' 'sort = name' 'group = harness'
dash 40 10
row_like 1 'order: name, by' 'as the configuration says'
row_like 3 '▾ claude \(2\)' 'in groups'
tmux_stop

ini '[dashboard]' 'group = none' 'columns = changes name group repository services name'
dir=$(session_dir bravo)
fake_state bravo running working '"lines_added":1,"lines_removed":2,"services":[
	{"name":"db","state":"ready"},{"name":"web","state":"waiting"}],'
hold bravo
dash 80 24
row_like 2 '^  CHANGES  *NAME   *GROUP   *REPOSITORY   *SERVICES *$' \
	'the columns of the configuration'
row_like 4 '^  \+1 -2   *repo/bravo   *api   *repo   *1/2' 'and what is in them'
fake_state bravo running completed '"lines_added":1,"lines_removed":2,"merged":1,'
row_like 4 '^  merged   *repo/bravo' 'a merged session is marked'
keys / m e r g e d Enter
row_like 3 '^> merged   *repo/bravo' 'a filter finds it'
row_like 4 '^ *$' 'alone'
tmux_stop
ini '[dashboard]' 'group = none' 'columns = name group says'
fake_state bravo running working '"detail":"it builds",'
dash 80 24
row_like 4 '^  repo/bravo   *api   *it builds' 'the groups are shown once'
tmux_stop
run afw new real -- cat
fake_state bravo running working '"cost_micro":1234567,'
ini '[dashboard]' 'group = none' 'columns = name cost memory'
dash 80 24
row_like 2 '^  NAME   *COST   *MEMORY' 'the costs of sessions'
see '$1.23' 'in dollars'
like "$(afw status bravo)" '  cost +\$1.23' 'as status has it'
row_like 5 '^  repo/real .* [1-9][0-9]*M *$' 'and how much memory they take'
tmux_stop
run afw rm -f real

ini '[dashboard]' 'columns = name chnges'
dash 80 24
see 'name harness state check for branch' 'another column is a mistake'
see 'SAYS' 'and there are those of the default'

ini '[dashboard]' 'sort = size'
dash 80 24
see 'need, name, newest, repository, harness' 'another order is a mistake'
end
