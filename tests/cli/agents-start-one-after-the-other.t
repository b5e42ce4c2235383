#!/bin/bash
# start_gap: two starts of one agent at once are apart, those of two agents not.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/cli/pear.sh"
ini=$XDG_CONFIG_HOME/afw/afw.ini
sed 's/pear\]/plum]/' "$ini" >"$T/plum"
printf 'start_gap = 3000\n' >>"$ini"
cat "$T/plum" >>"$ini"
began() { date +%s%3N -d "$(afw events "$1" --json | sed -n '/agent:started/s/.*"at":"\([^"]*\).*/\1/p')"; }

pids=()
for name in one two three; do
	afw new "$name" -a pear >/dev/null 2>"$T/err.$name" &
	pids+=($!)
done
for pid in "${pids[@]}"; do exit_is 0 'three are made at once' wait "$pid"; done
mapfile -t at < <(for name in one two three; do began $name; done | sort -n)
is $((at[1] - at[0] >= 1500)) 1 "the second is later ($((at[1] - at[0])) ms)"
is $((at[2] - at[1] >= 1500)) 1 "and the third ($((at[2] - at[1])) ms)"
printf '99999999999999999999\n' >"$(find "$T" -name pear.start)"
before=$(date +%s%3N)
exit_is 0 'a time of another clock' afw new four -a pear
is $(($(date +%s%3N) - before < 20000)) 1 'is not waited for'
exit_is 0 'another agent' afw new five -a plum
is "$(find "$T" -name plum.start)" '' 'without the key has no turn'
done_testing
