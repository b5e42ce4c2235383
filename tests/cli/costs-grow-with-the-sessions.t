#!/bin/bash
# What a command costs grows with the number of sessions, and not with its square:
# counted in instructions and system calls, so that a busy machine changes nothing.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'instructions are counted'
command -v valgrind >/dev/null || skip_all 'there is no valgrind'
command -v strace >/dev/null || skip_all 'there is no strace'
afw_env
. "$ROOT/tests/fake.sh"
on=() # a program that gives the command a terminal, and types stdin

# Prints how many instructions a command needs; keys for a terminal are on stdin.
instructions()
{
	"${on[@]}" valgrind --tool=cachegrind --cache-sim=no \
		--cachegrind-out-file=/dev/null --log-file="$T/log" "$@" <"$T/keys" \
		>"$T/screen" 2>"$T/said" ||
		diag "exit code $?: $* $(cat "$T/said")"
	sed -n '/ I *refs:/{s/.*: *//;s/,//gp}' "$T/log"
}

system_calls()
{
	"${on[@]}" strace -o "$T/calls" "$@" <"$T/keys" >"$T/screen" 2>"$T/said"
	grep -c '^[a-z_0-9]*(' "$T/calls"
}

# A session more costs at most a quarter more than one costs among fewer.
# The counts are those at $few, $some and $many sessions.
is_linear() # COUNT COUNT COUNT NAME
{
	[ $# = 4 ] || { fail "three counts, and not: $*"; return; }
	local before=$((($2 - $1) * 1000 / (some - few)))
	local now=$((($3 - $2) * 1000 / (many - some)))
	diag "$4: $1 $2 $3: $((before / 1000)), then $((now / 1000)) a session"
	ok $((now > before * 5 / 4 + 1000)) "$4"
}

declare -A counts
count() # NAME COMMAND...
{
	counts[$1]+=" $(instructions "${@:2}")"
	counts[$1/calls]+=" $(system_calls "${@:2}")"
}

count_all()
{
	count ls "$BUILD/afw" ls
	count status "$BUILD/afw" status s1
	count 'wait --any' "$BUILD/afw" wait --any --timeout 0s "${names[@]}"
	local on=("$BUILD/tests/tools/onpty" -s 120x40)
	count 'the dashboard' "$BUILD/afw-dashboard"
}

printf q >"$T/keys"
names=()
few=25 some=100 many=400
for n in $few $some $many; do
	while [ ${#names[@]} -lt $n ]; do
		names+=("s$((${#names[@]} + 1))")
		fake_session "${names[-1]}" stopped
	done
	count_all
done
for name in "${!counts[@]}"; do
	is_linear ${counts[$name]} "$name"
done
done_testing
