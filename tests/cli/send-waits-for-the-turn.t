#!/bin/bash
# send --wait waits until the turn has ended, or something prevents that.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
cd "$T/repo" || exit 2
# does WORD: one's activity is that.
does()
{
	afw status one --json >"$T/.state" &&
		[ "$(json activity "$T/.state")" = "$1" ]
}

exit_is 0 'a session' afw new one -a demo

# A command after the receipt finds no older state: "afw wait" would take the
# end of the turn before for the end of this one.
exit_is 0 'it is ready' afw wait one --for idle -t 240s
seen=
for i in {1..5}; do
	run afw send one -- "[[until $T/end-$i]]"
	seen+="$out $(state_of one activity), "
	touch "$T/end-$i"
	seen+="$(afw wait one -t 240s); "
done
is "$seen" "$(printf 'one: accepted working, done; %.0s' {1..5})" \
	'a message that is accepted has begun a turn'

sent=$(now_ms)
exit_is 0 'waits for the end of a turn' afw send one -w -- '[[sleep 2]] [[lines 2]]'
ok_cmd 'and not less' test $(($(now_ms) - sent)) -ge 2000
waits_for 'afw capture one | grep -q "line 2"' 'it has done its work by then'
is "$out" '' 'standard output is for the answer alone'
like "$err" 'one: its turn has ended; what it answered is not known' \
	'an unknown answer is reported'

# What a turn has changed, and no other's work.
turn_began()
{
	afw status one --json >"$T/.state" &&
		[[ $(json turn_at "$T/.state") > ${last_turn:-} ]]
}
tree=$T/.af_worktrees/repo-one
echo mine >"$tree/mine"
does completed
last_turn=$(json turn_at "$T/.state")
afw send one --wait -- "[[until $T/go]] [[write made]]" >/dev/null 2>&1 &
pid=$!
waits_for turn_began 'a turn begins'
refused 2 'staged cannot be combined with --turn' 'one side of a diff at once' afw diff one -t -s
is "$(afw diff one --turn)" '' 'diff --turn has nothing of before it'
git -C "$tree" add mine && git -C "$tree" commit -qm mine
touch "$T/go"
wait "$pid"
like "$(afw diff one -t --stat)" '^ made +\| +1 \+' 'and what the turn has made'
unlike "$(afw diff one -t)" mine 'but not what was only committed in it'
is "$(git for-each-ref --format='%(refname)' | grep -v refs/heads/)" '' \
	'no reference of it is in the way of the user'

exit_is 0 'JSON' afw send one --wait --json -- '[[lines 1]]'
is "$(json turn)" completed 'how the turn ended'
is "$(json receipt)" accepted 'the receipt'
is "$(json code)" 0 'the code'

exit_is 9 'a question in between ends it' afw send one --wait -- '[[ask]] [[lines 1]]'
like "$err" 'afw: one: it asks something.*Shall I go on' 'its question is reported'
is "$out" '' 'nothing was answered'
refused 9 'asks something' 'another message is refused meanwhile' \
	afw send one --wait more
wait_for 'does waiting_for_input'
run afw interrupt one
waits_for 'does idle' 'it rests'

exit_is 1 'a turn that fails' afw send one --wait -- '[[fail]]'
like "$err" 'one: its turn ended in an error' 'is reported'
exit_is 9 'a wait for it is refused, too' afw wait one
is "$out" failed 'with a word of its own'
like "$err" "'one': its turn failed: the model could not be reached" 'and the reason'
exit_is 0 'unless it is asked for' afw wait one --for failed
like "$(afw ls)" 'one +demo +failed .* the model could not be reached' 'ls shows it'
run afw status one --json
is "$(json phase) $(json activity)" 'running failed' 'and JSON'
exit_is 0 'that it failed' sh -c 'afw since --json | grep -q "\"failed\":1"'
like "$(afw events one --json)" '"activity":"failed"' 'is in its history'
exit_is 7 'a turn that takes longer' \
	afw send one --wait -t 8s -- '[[sleep 900]]'
like "$err" 'its turn has not ended in time' 'than the time'
afw send one --wait --json -- '[[lines 3]]' >"$T/queued" 2>&1 &
pid=$!
waits_for 'afw status one --json | grep -q "\"queued\":1"' \
	'a message that must be queued'
run afw interrupt one
ends_with 0 "$pid" 'waits for its own turn'
out=$(<"$T/queued")
is "$(json turn)" completed 'and its end'

afw send one --wait --json -- '[[sleep 60]]' >"$T/cut" 2>&1 &
pid=$!
waits_for 'does working' 'a turn'
run afw interrupt one
ends_with 1 "$pid" 'that is interrupted'
out=$(<"$T/cut")
is "$(json turn)" interrupted 'has no answer'

# A message after a turn that asks: the script gets an error, the message stays.
exit_is 0 'a turn' afw send one -- "[[until $T/now]] [[ask]]"
timeout 90 afw send one --wait -- '[[lines 1]]' 2>"$T/err" &
pid=$!
waits_for 'afw send one --list --json | grep -q "lines 1"' 'a message waits'
touch "$T/now"
ends_with 9 "$pid" 'that asks while a message waits for its end'
like "$(<"$T/err")" 'one: the message is queued, and is not delivered before you act: it asks something first' \
	'is reported to the client that waits for it'
exit_is 0 'the message' afw send one --list --json
is "$(json 0.first_line)" '[[lines 1]]' 'waits on'
exit_is 0 'is answered' afw send one --approve -t 240s
waits_for 'afw send one --list 2>&1 | grep -q "no message is queued"' \
	'and goes in'
waits_for 'afw wait one --for idle,completed' 'to its end'

exit_is 6 'a harness that ends first' afw send one --wait -- '[[exit 3]]'
like "$err" 'one: the agent ended before its turn did: .*exited with code 3' \
	'is reported'

# A Claude Code that answers each message with $T/answer.
cat >"$T/agent" <<'END'
#!/bin/bash
line=$(printf '─%.0s' {1..80})
box()
{
	printf '\e[2J\e[H%s\r\n❯ %s\r\n%s\r\n  ? for shortcuts\e[2;%dH' \
		"$line" "$1" "$line" $((3 + ${#1}))
}
stty raw -echo
printf '\e[?2004h'
box ''
while IFS= read -rd '~' _ && IFS= read -rd '~' text; do
	text=${text%$'\e[201'}
	box "$text"
	read -rN 1 _
	box ''
	printf '{"hook":"%s","payload":%s}\n' \
		UserPromptSubmit "{\"prompt\":\"$text\"}" \
		Stop "$(<"$1/answer")" >"$(<"$1/door")"
done
END
chmod +x "$T/agent"
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '[harness.claude]\ncommand = %s %s\n' "$T/agent" "$T" \
	>>"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'an agent that reports its answer' afw new two -a claude
echo "$(session_dir two)/home/door" >"$T/door"
printf %s '{"last_assistant_message":"all:\n\tcc -c\u0007 a.c\n\n\tar\tx"}' \
	>"$T/answer"
exit_is 0 'a message' afw send two --wait what
is "$out" $'all:\n\tcc -c? a.c\n\n\tar\tx' 'its lines and tabs are printed'
run afw send hello
like "$code $err" "^2 afw: send: no session 'hello'; if it is the message, NAME is missing" \
	'one word: which of the two is missing'
like "$err" 'hint: .afw send NAME hello.$' 'with the command'
done_testing
