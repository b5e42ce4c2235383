#!/bin/bash
# One term for one thing: in the list, the header, the filter and the help, in
# afw ls, status and wait, in completions and in the manual.
. "$(dirname "$0")/dash.sh"

words='waiting failed done working starting stopping idle created suspended stopped'
# NAME PHASE ACTIVITY: named for its word
fake_session waiting running waiting_for_input
fake_session failed error '' '"error_reason":"no disk",'
fake_session 'done' running completed
fake_session working running thinking
fake_session starting provisioning
fake_session stopping stopping
fake_session idle running idle
fake_session created created
fake_session suspended suspended
fake_session stopped stopped
hold waiting 'done' working starting stopping idle

run afw ls
is "$(awk 'NR > 1 { print $1 }' <<<"$out" | paste -sd' ')" "$words" \
	'all are there, in the order of need'
is "$(awk 'NR > 1 { print $3 }' <<<"$out" | paste -sd' ')" "$words" \
	'afw ls has their words'
for word in $words; do
	like "$(afw status "$word" 2>/dev/null)" "^$word: $word( |$)" "$word: afw status"
	exit_is 0 "$word: afw wait" afw wait "$word" --for "$word" -t 10s
	is "$out" "$word" 'says it'
	like "$(<"$ROOT/man/afw.1")" $'\n'"\.It Cm $word"$'\n' 'so does the manual'
done
is "$(afw completion words -- wait --for '' | cut -f 1 | paste -sd' ')" \
	"$words" 'completion offers them'

dash 200 50
see "$(sed 's/ / · 1 /g; s/^/1 /' <<<"$words")" 'the header counts by them'
rows() { tmux_screen | sed -n 's/│.*//; 3,$s/^[>*!] \|^  //p' |
	awk '/generic/ { print $1 "=" $3 }' | paste -sd' '; }
is "$(rows)" "$(for w in $words; do printf '%s=%s ' "$w" "$w"; done | sed 's/ $//')" \
	'the list has them, whole'
keys ?
see '── help' 'the help has it, too'
lines=$(tmux_screen | sed -n '/── help/,/q back/p' | grep -c '[a-z]')
ok_cmd "in at most 40 lines ($((lines - 2)))" test "$((lines - 2))" -gt 30 -a "$((lines - 2))" -le 40
like "$(tmux_screen -e | grep 'States and columns')" $'\e\\[1m' 'a heading of several words is bold'
unlike "$(tmux_screen)" LINES 'the column is called as in the list'
keys G
for word in $words; do
	see "  $word " "with what they mean: $word"
done
keys q
keys / 's' 't' 'o' 'p' 'p' 'i'
names_are stopping 'the filter knows them'
keys q
tmux_stop
unlike "$(afw ls; afw status waiting)" \
	'waiting_for_input|completed|thinking|provisioning|at rest|in error' \
	'and nowhere is there another'
end
