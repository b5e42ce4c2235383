#!/bin/bash
# C compares the sessions of a group: what each has done and whether it merges,
# the diffs of two, beside each other in a wide window; m merges the best and
# removes the others.
. "$(dirname "$0")/dash.sh"

seq 5 >lines
git add lines
git commit -qm 'five lines'
main=$(git branch --show-current)

# agent NAME SCRIPT [OPTION...]
agent()
{
	afw new "$1" "${@:3}" -- bash -c "$2; exec cat" >"$T/null" || exit 2
	wait_for "afw status $1 --json | grep -q '\"activity\": *\"idle\"'"
}
agent fix-1 'sed -i s/3/three/ lines; git commit -qam three' -g fix
agent fix-2 'sed -i s/3/drei/ lines; echo 1 >new; git add new; git commit -qam drei' -g fix
agent fix-3 'sed -i s/5/five/ lines; echo words of the third' -g fix
agent alone :

dash 100 30
names_are 'fix-1 fix-2 fix-3 alone' 'all are there'
keys G C
see 'nothing to compare' 'a session in no group is compared with nothing'
gone 'C compare' 'the last row does not offer it'
keys g
see 'C compare' 'but in a group'
keys C
row_like 3 '^  NAME +STATE +FOR +CHANGES +CHECK +MERGES +TURNS +WORKED +FILES +COST' 'C in a group shows a table'
row_like 4 '^> fix-1 +idle +[0-9]+[sm] +\+1 -1 +yes +0 +[0-9]+s +1' 'with a row for each'
row_like 5 '^  fix-2 .* \+2 -1 +yes .* 2' 'of its sessions'
row_like 6 '^  fix-3 .* yes ' 'also uncommitted work'
row_like 7 'fix-1: af/fix-1' 'and no other'
keys k j j j
see '1 file not committed' 'below them is what the selected one says'
sed -i s/3/III/ lines
git commit -qam III
afw exec fix-1 -- touch new >"$T/null" # its work has changed
row_like 4 'fix-1 .* no ' 'a conflict is shown'
row_like 6 'fix-3 .* yes ' 'if it is one'
keys k k
see "conflict with $main in lines" 'and named'
rm -f ../.af_worktrees/repo-fix-1/new

# two diffs
keys Enter
see 'what fix-1 has changed' 'Enter shows the diff of one'
see '+three' 'with its lines'
unlike "$(tmux_screen)" 'fix-2' 'alone'
keys Tab
see 'what fix-2 has changed' 'Tab the other'
see '+drei' 'with its own'
keys Tab
see 'from fix-1 to fix-2' 'then the difference'
see '-three' 'between both'
keys Tab q
see 'CHECK' 'q leads back'
keys j j Space k k Enter Tab
see 'what fix-3 has changed' 'it is compared with the marked one'
keys q Space q
gone 'CHECK' 'q closes the table'
dash 200 30
names_are 'fix-1 fix-2 fix-3 alone' 'all are there again'
keys g C
row_like 4 'fix-1 +idle' 'in a wide window'
keys Enter
row_like 2 'what fix-1 has changed.*what fix-2 has changed' 'both are beside each other'
see '+three' 'with the lines of one'
see '+drei' 'and of the other'
keys Tab G
unlike "$(row 2)" 'from' 'Tab changes whose keys move'
keys Tab
row_like 2 'from fix-1 to fix-2 ─+$' 'and the difference has the whole window'
keys q

# the best
keys m
see 'Merge fix-1, stop the others and move them to the trash (fix-2, fix-3)' \
	'm asks, with all that will go'
keys n
is "$(afw ls -q | sort | paste -sd' ')" 'alone fix-1 fix-2 fix-3' 'after no nothing happens'
keys m y
see 'conflict' 'a conflict is reported'
is "$(git log -1 --format=%s) $(afw ls -q | sort | paste -sd' ')" 'III alone fix-1 fix-2 fix-3' \
	'and nothing else happens'
git -C ../.af_worktrees/repo-fix-3 commit -qam five
keys j j m
see 'Merge fix-3' 'another'
keys y
names_are 'fix-3 alone' 'is merged, and the others are removed'
is "$(sed -n 5p lines)" five 'its work is there'
is "$(afw trash -q | sort | paste -sd' ')" 'fix-1 fix-2' 'theirs is in the trash'

# marked sessions, and a heading
keys g Space Space
see '2 marked' 'marked sessions'
keys C
row_like 4 '^> fix-3 .* merged' 'are compared'
row_like 5 'alone .* nothing' 'in whatever group they are'
keys q Escape
# Escape and a letter at once are Alt and that letter.
gone '2 marked' 'Escape takes the marks away'
keys b b
see 'generic (2)' 'a heading'
keys g C
row_like 5 'alone .* nothing' 'stands for its sessions'
done_testing
