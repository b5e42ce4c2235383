#!/bin/bash
# Two afw new of one name at once: exactly one wins, 20 times over; twenty
# different names at once all work.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
plan 5
one() { afw new "$1" -- cat >"$T/o.$2" 2>"$T/e.$2"; echo $? >"$T/c.$2"; }
won=0 refused=0 clean=0
for i in {1..20}; do
	one "n$i" 1 &
	one "n$i" 2 &
	wait $(jobs -p)
	codes=$(sort "$T/c.1" "$T/c.2" | tr '\n' ' ')
	if [ "$codes" = '0 4 ' ]; then
		won=$((won + 1))
	else
		diag "round $i: codes $codes: $(cat "$T/e.1" "$T/e.2")"
	fi
	[ "$(cat "$T/e.1" "$T/e.2" | grep -c '^afw: ')" != 1 ] ||
		refused=$((refused + 1))
	afw status "n$i" >/dev/null 2>"$T/e" && [ "$(ls "$DATA/sessions" | wc -l)" = "$i" ] &&
		[ "$(git worktree list | wc -l)" = $((i + 1)) ] &&
		[ "$(ls "$T/.af_worktrees" | wc -l)" = "$i" ] &&
		clean=$((clean + 1))
done
is "$won" 20 'exactly one wins, the other gets code 4'
is "$refused" 20 'and one line'
is "$clean" 20 'the winner is whole, nothing is left of the other'
afw stop n{1..20} >/dev/null 2>&1

for i in {1..20}; do one "m$i" "m$i" & done
wait $(jobs -p)
is "$(cat "$T"/c.m* | sort -u)" 0 '20 different names at once all work'
is "$(git worktree list | wc -l) $(git branch --list 'af/m*' | wc -l)" '41 20' \
	'each with its worktree and branch'
cat "$T"/e.m* | head -5 | sed 's/^/# /'
afw stop m{1..20} >/dev/null
