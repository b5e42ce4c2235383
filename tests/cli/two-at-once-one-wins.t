#!/bin/bash
# Two processes change one session at once: one succeeds, the other gets an
# error.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../fake.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit

# race COUNT CMD...: all at once; codes are counted in $T/codes.
race()
{
	local n=$1 i pids=()
	shift
	rm -f "$T"/race.*
	for ((i = 0; i < n; i++)); do
		(
			c=0
			"$@" >"$T/race.$i.out" 2>"$T/race.$i.err" </dev/null || c=$?
			echo "$c" >"$T/race.$i.code"
		) &
		pids+=($!)
	done
	wait "${pids[@]}"
	cat "$T"/race.*.code | sort -n | uniq -c | sed -E 's/^ +//' |
		tr '\n' ' ' >"$T/codes"
}

race 50 afw new same -- cat
is "$(<"$T/codes")" '1 0 49 4 ' '50 of one name: one wins, the others exit 4'
diag "$(cat "$T"/race.*.err | sort | uniq -c | sort -rn | head -n 5)"
is "$(afw ls -q)" same 'one session'
is "$(git worktree list | wc -l)" 2 'one worktree'
is "$(ls -d "$DATA"/sessions/* "$T"/.af_worktrees/* | wc -l)" 2 \
	'no files of the others'
is "$(grep -L '^afw: ' "$T"/race.*.err | wc -l)" 1 'each gets the reason'

for i in 1 2 3 4 5; do
	afw stop same >"$T/null"
	race 4 afw start same
	# Who came when it ran already found it where it should be.
	like "$(<"$T/codes")" '^[1-4] 0 ([1-3] 4 )?$' "start, round $i"
	is "$(cat "$T"/race.*.out | grep -c 'with a new conversation')" 1 'started once'
done
for i in 1 2 3 4 5; do
	race 4 afw restart same
	like "$(<"$T/codes")" '^[1-4] 0 ([1-3] 4 )?$' "restart, round $i" ||
		diag "$(cat "$T"/race.*.err)"
done
is "$(afw ls -q)" same 'it is still there'
afw stop same >"$T/null"
race 4 afw rm same
like "$(<"$T/codes")" '^1 0 ([1-3] 3 )?([1-3] 4 )?$' \
	'rm: one wins; for the others it is gone, or a conflict' ||
	diag "$(cat "$T"/race.*.err)"
is "$(afw ls -q)" '' 'it is gone'

# A lock that another process holds.
exit_is 0 'new' afw new held -- cat
exit_is 0 'stop' afw stop held
hold held
for what in start resume retry restart stop suspend; do
	refused 4 'another afw|somebody is|another process' "$what" afw $what held
done
release_locks
exit_is 0 'then not' afw start held
exit_is 0 'stop' afw stop held

# A supervisor that has written the end and holds the lock for a moment yet.
# soon CODE COMMAND: in time at least once of five times, on a slow machine.
soon()
{
	local i
	for i in 1 2 3 4 5; do
		hold held
		{ sleep 0.15; kill "${_holders[0]}"; } &
		run afw "$2" held
		wait $!
		release_locks
		[ "$code" != "$1" ] || break
	done
	is "$code" "$1" "$2 of one that has just ended by itself waits for that" ||
		diag "$err"
}
soon 0 stop
like "$out" 'was already stopped' 'and says how it is'
soon 6 suspend
soon 0 restart
exit_is 0 'stop' afw stop held

# Different names do not get in each other's way.
pids=()
for i in $(seq 20); do
	afw new "n$i" -- cat >"$T/null" 2>&1 &
	pids+=($!)
done
for p in "${pids[@]}"; do wait "$p" || fail "20 names: one failed"; done
is "$(afw ls -q | grep -c '^n')" 20 '20 of different names: 20 sessions'
is "$(git worktree list | wc -l) $(git branch --list 'af/n*' | wc -l)" '22 20' \
	'each with its worktree and branch'
# A new one, and others that are renamed, want one name.
wants()
{
	if mkdir "$T/first" 2>"$T/null"; then
		afw new wanted --no-start -- cat
	elif mkdir "$T/second" 2>"$T/null"; then
		afw rename n1 wanted
	else
		afw rename n2 wanted
	fi
}
race 3 wants
is "$(<"$T/codes")" '1 0 2 4 ' 'new and rename: one has the name'
is "$(afw ls -q | grep -cx wanted)" 1 'and no other'
exit_is 0 'stop' afw stop $(afw ls -q)
done_testing
