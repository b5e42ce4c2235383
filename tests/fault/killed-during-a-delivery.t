#!/bin/bash
# SIGKILL of the supervisor right before each step of two messages: queued,
# marked, typed, entered, removed. Each arrives once, or its client or the
# history gets "unconfirmed"; none arrives twice.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
afw_env
kill_world README
make_repo "$T/repo" && cd "$T/repo" || exit 2
export PATH="$ROOT/share:$PATH" DEMO_SPEED=50
[ "$EVERY" = 1 ] || EVERY=4 # there are about thirty

# The first is typed at once; the second waits for its turn. Its sender waits
# for the end of that, and learns of the kill at once.
cat >"$T/cmd" <<'END'
afw start $1 >/dev/null || exit 3
afw send $1 --when-idle -- '[[lines 1]] first'
echo "first $?" >>"$T/codes.$1"
afw send $1 --when-idle -w -- '[[lines 1]] second'
echo "second $?" >>"$T/codes.$1"
END
export T
nap # one for all lanes

# outcome WORD: how often it arrived, what its sender was told, and what the
# history says of its end, all of that.
outcome()
{
	local n code words id
	n=$(grep -c "$1" "$log")
	code=$(sed -n "s/^$1 //p" "$codes")
	[ "$1" = first ] && id=$first || id=$((first + 1))
	words=$(tail -n +$((lines + 1)) "$dir/events.jsonl" |
		grep "\"message\":$id,.*\"last\":true" |
		grep -o '"receipt":"[a-z]*"' | cut -d'"' -f4)
	case $n,$code,${words//$'\n'/ } in
	1,[08],accepted | 1,[08],unconfirmed) ;;
	# Killed when that was reported, but its file not yet removed.
	1,[08],'accepted unconfirmed') ;;
	0,[08],unconfirmed) ;; # in the middle of its typing
	0,,) ;;	 # was never sent: the start was cut off
	0,8,) ;; # its sender alone knows that nobody knows
	0,6,) ;; # was not taken: it runs no more
	*) _say "$1: arrived $n times, its sender was told $code, the" \
		"history says $words: $(cat "$log.cmd")" ;;
	esac
}

# lane NAME FROM STEP: every STEP-th kill, in a session of its own.
lane()
{
	local n=$2 dir log=$T/log.$1 codes=$T/codes.$1 first lines at
	local tried=0 _bad=0
	export DEMO_LOG=$log
	_where=$1
	must afw new "$1" -a demo
	dir=$(session_dir "$1")
	echo "1 0" >"$T/result.$1"
	[ -n "$dir" ] || return
	must afw stop "$1"
	while :; do
		: >"$log"
		: >"$codes"
		# The numbers continue in the next supervisor.
		first=$(json messages "$dir/state.json")
		first=$((first + 1))
		lines=$(wc -l <"$dir/events.jsonl")
		"$KILL" -x afw-supervisor -n $n -o "$log.kill" \
			-r "$dir/queue" -r "$dir/events.jsonl" \
			-r /dev/ptmx -r /dev/pts -- \
			bash "$T/cmd" "$1" >"$log.cmd" 2>&1 </dev/null
		at=$(tail -n 1 "$log.kill")
		_where="kill $(tail -n 2 "$log.kill" | head -n 1)"
		[ "$at" = killed ] || break
		tried=$((tried + 1))
		must afw start "$1"
		# Half a file is swept a minute later.
		within "$DEADLINE" '[ -z "$(ls "$dir/queue")" ]' ||
			_say "left: $(ls "$dir/queue")"
		must afw wait --for completed,idle --timeout 90s "$1"
		must afw stop "$1"
		outcome first
		outcome second
		n=$((n + $3))
	done
	# 8 where the harness was too slow to tell of it.
	[[ $(<"$codes") == "first "[08]$'\n'"second "[08] ]] &&
		[ "$(grep -c 'first\|second' "$log")" = 2 ] ||
		_say "without a kill: $(cat "$codes" "$log" "$log.cmd")"
	must afw stop "$1"
	echo "$_bad $tried" >"$T/result.$1"
}

for i in {1..8}; do
	lane "lane$i" $((6 + i * EVERY + SEED % EVERY)) $((8 * EVERY)) >"$T/said.$i" 2>&1 &
done
wait
tried=0
for i in {1..8}; do
	read -r bad n <"$T/result.lane$i"
	is "$bad" 0 "lane $i: nothing lost, nothing doubled" ||
		cat "$T/said.$i"
	tried=$((tried + n))
done
ok $((tried < 30 / EVERY)) "killed at $tried steps, which are all there are"
done_testing
