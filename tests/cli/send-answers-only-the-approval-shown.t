#!/bin/bash
# send --approve and --deny press the keys of the approval that is on the
# screen, of no other, and only while it is shown.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

mkdir "$T/bin" "$XDG_CONFIG_HOME/afw"
export ASKER=$T
ln -s "$ROOT/tests/cli/asker-agent" "$T/bin/asker"
printf '#!/bin/bash\ncat >>"%s"\n' "$T/told" >"$T/bin/tell"
chmod +x "$T/bin/tell"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
[notify]
desktop = no
command = $T/bin/tell
[harness.asker]
command = $T/bin/asker
idle = ^resting
waiting = ^(.*) [(]y/n[)]
approval = ^(Run .*[?]) [(]y/n[)]
approve_option = ([0-9]) Yes\$
deny_option = ([0-9]) No\$
approve = {option}
deny = {option}
[harness.walker]
command = $T/bin/asker
waiting = ^(.*[?]) [(]y/n[)]
approve = j Enter
[harness.claude]
command = $T/bin/asker
END

# asks TEXT: and is idle after key 1 (yes) or 2 (no).
asks()
{
	printf 'resting now' >"$T/on-1"
	cp "$T/on-1" "$T/on-2"
	: >"$T/keys"
	shows "$1"
}

# shows TEXT: in one step.
shows()
{
	: >"$T/drawn"
	printf '%b' "$1" >"$T/.ask"
	mv "$T/.ask" "$T/ask"
}

# asked NAME QUESTION: status says that this is up; sets qid.
asked()
{
	afw status "$1" --json >"$T/.status" &&
		[ "$(json question "$T/.status")" = "$2" ] || return
	qid=$(json question_id "$T/.status")
}

# is_asked QUESTION NAME
is_asked()
{
	waits_for "asked one '$1'" "$2"
}

asks 'Run A? (y/n)\n 1 Yes\n 2 No'
exit_is 0 'a session' afw new one -a asker
is_asked 'Run A?' 'its approval is reported'
like "$qid" '^[0-9a-f]{8}$' 'with an id'
first=$qid
like "$(afw status one)" 'says +Run A\?' 'for people, too'
like "$(afw status -v one)" "question +$qid: Run A\?" 'its id is in status'
like "$(afw ls --json)" "\"question_id\": ?\"$qid\"" 'and in the list'
shows 'Run A? (y/n)\n> 1 Yes\n  2 No'
waits_for 'afw capture one | grep -q "> 1"' 'its marker moves'
is_asked 'Run A?' 'the question is the same'
is "$qid" "$first" 'and so is its id'

# The supervisor is stopped while another approval is drawn and the answer
# arrives: both are there when it continues.
# A has been there for long: its key would be pressed at once.
since=$SECONDS
wait_for '[ $((SECONDS - since)) -ge 2 ]'
supervisor=$(json supervisor_pid "$T/.status")
kill -STOP "$supervisor"
shows 'Run B? (y/n)\n 1 Yes\n 2 No'
wait_for 'grep -q "Run B" "$T/drawn"'
afw send one --approve --question "$first" >"$T/racer" 2>&1 &
racer=$!
# It has sent its request when it waits for the answer.
wait_for 'grep -q poll "/proc/$racer/wchan" 2>/dev/null ||
	grep -q "^State:.S" "/proc/$racer/status"'
for _ in 1 2 3 4 5; do nap; done
kill -CONT "$supervisor"
ends_with 4 "$racer" 'an approval that changed under its answer is not approved'
like "$(<"$T/racer")" 'another approval is on its screen.*Run B' 'that is reported'
is "$(<"$T/keys")" '' 'and nothing was typed'

is_asked 'Run B?' 'the other one is reported'
isnt "$qid" "$first" 'with an id of its own'
refused 4 'another approval' 'the old id' \
	afw send one --approve --question "$first"
exit_is 0 'its own' afw send one --approve --question "$qid" -t 240s
is "$out" 'one: approved: Run B?' 'is reported'
is "$(<"$T/keys")" '1 ' 'one key was pressed'
nok_cmd 'nothing is asked any more' asked one 'Run B?'
refused 4 'no approval is on its screen' 'then there is none' \
	afw send one --approve
is "$(<"$T/keys")" '1 ' 'nothing was pressed for that'

asks 'Run B? (y/n)\n 3 Yes, always\n 1 Yes\n 2 No'
is_asked 'Run B?' 'a question with more options'
exit_is 0 'is denied' afw send one --deny -t 240s --json
is "$(json receipt)/$(json answer)/$(json question_id)/$(json code)" \
	"answered/deny/$qid/0" 'JSON'
is "$(<"$T/keys")" '2 ' 'by its own key'

asks 'Run C? (y/n)\n 1 Yes, always\n 2 No'
is_asked 'Run C?' 'a menu without "once"'
refused 9 'shows no option to allow this once' 'is not approved' \
	afw send one --approve
exit_is 9 'JSON' afw send one --approve --json
is "$(json receipt)/$(json code)" refused/9 'says so'
is "$(<"$T/keys")" '' 'nothing was typed'
asks 'Which colour? (y/n)\n 1 Yes\n 2 No'
waits_for '! asked one "Run C?" &&
	[ "$(json activity "$T/.status")" = waiting_for_input ]' \
	'a question about something else'
is "$(json question_id "$T/.status")" null 'is no approval'
refused 9 'not an approval that afw knows' 'and not approved' \
	afw send one --approve
is "$(<"$T/keys")" '' 'nothing was typed'

asks 'Run D? (y/n)\n 1 Yes\n 2 No'
rm "$T/on-1"
is_asked 'Run D?' 'an agent that drops the key'
exit_is 8 'is not used' afw send one --approve -t 5s
like "$err" 'perhaps approved.*still there' 'and that is reported'
is "$(<"$T/keys")" '1 ' 'the key was pressed once'

# One that has just come up is not answered at once (some drop a key then);
# whose time is over by then has no key pressed behind its back. The answer is
# on its way before the supervisor has seen what is asked.
asks 'Run G? (y/n)\n 1 Yes\n 2 No'
is_asked 'Run G?' 'an approval'
shows 'resting now'
waits_for '! asked one "Run G?"' 'is gone'
clients() { grep -c "/$id/control\$" /proc/net/unix; }
id=$(json id "$T/.status")
kill -STOP "$supervisor"
shows 'Run G? (y/n)\n 1 Yes\n 2 No'
wait_for 'grep -q "Run G" "$T/drawn"'
before=$(clients)
afw send one --approve -t 100ms >"$T/racer" 2>&1 &
racer=$!
wait_for '[ "$(clients)" -gt "$before" ]'
kill -CONT "$supervisor"
ends_with 7 "$racer" 'an answer without time for it'
like "$(<"$T/racer")" 'time was over before a key was pressed' 'says so'
is_asked 'Run G?' 'the approval stays'
exit_is 0 'and is answered by the next' afw send one --deny -t 240s
is "$(<"$T/keys")" '2 ' 'with the only key that was pressed'

asks 'Run E? (y/n)'
exit_is 0 'an agent with two keys' afw new two -a walker
# The second key comes 250 ms after the first: on a slow machine before the
# other approval is there.
for _ in {1..10}; do
	asks 'Run E? (y/n)'
	printf 'Run F? (y/n)' >"$T/on-j"
	wait_for 'asked two "Run E?"'
	run afw send two --approve
	# With 0 its second key is on its way.
	[ "$code" = 0 ] || break
	wait_for '[[ $(<"$T/keys") = *Enter* ]]'
done
is "$code" 8 'another approval after the first'
like "$err" 'Run E.*another approval is on its screen' 'is reported'
is "$(<"$T/keys")" 'j ' 'the second was not pressed'
refused 9 'no option to deny' 'an approval without such a key is not denied' \
	afw send two --deny

# A menu without numbers: Enter takes what is marked, so each key must have moved
# the marker before the next.
marked()
{
	printf '%80s\n Bash command\n\n Do you want to proceed?\n %s No\n' '' "$1" |
		sed '1s/ /─/g'
	printf ' %s Yes\n\n Esc to cancel' "$2"
}
asks "$(marked ❯ ' ')"
marked ' ' ❯ >"$T/on-B"
printf 'gone' >"$T/on-Enter"
exit_is 0 'an agent whose menu has no numbers' afw new three -a claude
asked_three() { asked three "$1"; }
waits_for 'asked_three "Do you want to proceed?"' 'its approval is reported'
exit_is 0 'is approved' afw send three --approve -t 240s
is "$(<"$T/keys")" 'Esc [ B Enter ' 'when its marker is at the option'
asks "$(marked ' ' ❯)"
waits_for 'asked_three "Do you want to proceed?"' 'the next one'
run afw send three --deny -t 3s
is "$code" 8 'is not answered if its marker does not move'
is "$(<"$T/keys")" 'Esc [ A ' 'and Enter was not pressed'
printf 'gone' >"$T/on-Enter"
asks "$(marked ❯ ' ')"
waits_for 'afw capture three | grep -q "❯ No" &&
	asked_three "Do you want to proceed?"' 'one more'
exit_is 0 'is denied' afw send three --deny -t 240s
is "$(<"$T/keys")" 'Enter ' 'by the option that is marked'

refused 2 'cannot be combined with --deny' 'both' afw send one --approve --deny
refused 2 'cannot be combined with --keys' 'with keys' afw send one --approve --keys
refused 2 'cannot be combined with --all' 'unseen, everywhere' afw send --approve --all
refused 3 "send: --approve takes only names: no session 'and more'" 'with a text' \
	afw send one --approve 'and more'
refused 2 'is empty' 'an empty id' afw send one --approve --question ''
refused 2 'is only for --approve' 'an id alone' afw send one --question 1 x
afw events one --json >"$T/events"
like "$(grep '"event":"question"' "$T/events" | grep -o 'Run .' | tr '\n' ' ')" \
	'^Run A Run B Run B Run C Run D Run G ' 'the approvals are in the history'
like "$(grep '"event":"answer"' "$T/events" | head -n 1)" \
	'"answer":"approve","receipt":"answered"' 'and what was said'

# The next one right after it is reported, too.
asks 'Run H? (y/n)\n 1 Yes\n 2 No'
printf 'Run I? (y/n)\n 1 Yes\n 2 No' >"$T/on-1"
is_asked 'Run H?' 'one more approval'
waits_for 'grep -q "one waits.*Run H" "$T/told"' 'is reported to the user'
exit_is 0 'is answered' afw send one --approve -t 240s
is_asked 'Run I?' 'and the next one is there at once'
waits_for 'grep -q "one waits.*Run I" "$T/told"' 'which is reported to the user'

# Rules of the user's own. Of a harness whose dialogs only patterns know, what
# it shows may be the model's: none is allowed.
cat >>"$XDG_CONFIG_HOME/afw/afw.ini" <<'END'
[approve.rest]
pattern = Run [JK]*
decision = allow
[approve.never]
harness = asker
pattern = Run [LM]*
decision = deny
[approve.all]
decision = ask
END
shows 'resting'
exit_is 0 'a session with rules' afw new ruled -a asker
asks 'Run J? (y/n)\n 1 Yes\n 2 No'
asked_ruled() { asked ruled "$1"; }
waits_for 'asked_ruled "Run J?"' 'an approval that may be forged is asked'
waits_for 'afw events ruled --json | grep -q "\"answer\":\"ask\",\"rule\":\"all\""' \
	'by a rule, which the history has'
is "$(<"$T/keys")" '' 'nothing is pressed'
asks 'Run L; rm x? (y/n)\n 1 Yes\n 2 No'
waits_for '[ "$(<"$T/keys")" = "2 " ]' 'an approval that a rule denies is denied'
waits_for 'afw events ruled --json | grep -q "deny answered.*\"rule\":\"never\"\|\"rule\":\"never\".*answered"' \
	'by its name'
mkdir .af
printf '[approve.x]\ndecision = allow\n' >.af/afw.ini
refused 1 'for the user to choose' 'a repository has no rules' afw trust -y
printf '[approve.x]\ndecision = yes\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
refused 1 "afw.ini:2: .*allow, deny, ask" 'a rule decides one of three' \
	afw config check
done_testing
