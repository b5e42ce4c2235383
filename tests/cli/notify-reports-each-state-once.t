#!/bin/bash
# notify-send and the user's command are called once for each state, and every
# part of the text is only text.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$T/bin" "$XDG_CONFIG_HOME/afw"
export PATH="$T/bin:$PATH"
cat >"$T/bin/notify-send" <<END2
#!/bin/bash
printf '[%s]' "\$@" >>"$T/shown"
echo >>"$T/shown"
END2
cat >"$T/bin/tell" <<END2
#!/bin/bash
echo "\$#|\$2|\$PWD" >"$T/args"
cat >>"$T/told"
[ ! -e "$T/hold" ] || read -r _ <"$T/hold"
END2
chmod +x "$T/bin"/*
ini() { printf '%s\n' '[notify]' "$@" >"$XDG_CONFIG_HOME/afw/afw.ini"; }

# An agent that says by OSC 7501 what is written to its FIFO. noflsh: Ctrl-C
# makes the kernel discard output that afw has not read yet, even what was
# written after the key.
agent()
{
	who=$1
	mkfifo "$T/say.$1" && exec {say}<>"$T/say.$1"
	exit_is 0 "$1 starts" afw new "$1" -- sh -c '
		trap "" INT
		stty noflsh
		exec 3<>"$0"
		echo listening
		while read -r s <&3; do
			case $s in exit*) exit "${s#exit }" ;; esac
			printf "\033]7501;state=%s\033\\" "$s"
		done' "$T/say.$1"
}
say() { printf '%s\n' "$@" >&"$say"; }
asks() { say "blocked:kind=question:msg=$(printf %s "$1" | base64 -w0)"; }
told() { grep -c "\"event\":\"$1\"" "$T/told" 2>/dev/null; }
tells() { waits_for "[ \"\$(told $1)\" = $2 ]" "$3"; }
value() { json "$1" "$(session_dir "$who")/state.json"; }
is_now() { wait_for "[ \"\$(state_of $who activity)\" = $1 ]"; }

ini 'desktop = yes' "command = tell one 'two words'"
agent one
say working
asks '<b>rm -rf</b> & \074i\076 $(touch '"$T"'/pwned)'
tells waiting_for_input 1 'the command gets that it waits'
is "$(json event "$T/told") $(json name "$T/told") $(json phase "$T/told")" \
	'waiting_for_input one running' 'which session, and how it is'
is "$(json title "$T/told")" 'one waits for you' 'in words, too'
is "$(json detail "$T/told")" '<b>rm -rf</b> & \074i\076 $(touch '"$T"'/pwned)' \
	'with what it asks, as it is'
is "$(<"$T/args")" '2|two words|/' 'it has the arguments that are configured'
waits_for '[ -s "$T/shown" ]' 'notify-send is run'
is "$(<"$T/shown")" "[--app-name=afw][--][one waits for you][&lt;b&gt;rm -rf\
&lt;/b&gt; &amp; \\\\074i\\\\076 \$(touch $T/pwned)]" \
	'and gets it as text, not as markup'

# Appears and disappears; the text after it shows that it has ended.
# Three seconds later it would be another one.
slowest=0
for _ in 1 2 3 4; do
	since=$(now_ms)
	say working
	is_now working
	asks again
	is_now waiting_for_input
	took=$(($(now_ms) - since))
	[ "$took" -le "$slowest" ] || slowest=$took
done
say working 'done'
tells completed 1 'that it is done is reported'
if [ "$slowest" -lt 2500 ]; then
	is "$(told waiting_for_input)" 1 \
		'a question that appears and disappears is reported once'
else
	skip 1 "this machine needs $slowest ms for a question to come again"
fi
asked=$(told waiting_for_input)
say working error
tells error 1 'and that a turn failed'
nok_cmd 'nothing that it said was run' test -e "$T/pwned"

# The user had a hand in it: what comes now is new at once.
afw interrupt one >/dev/null
say working
asks more
tells waiting_for_input $((asked + 1)) 'a question after a key of the user is a new one'

# Attached: who looks at it sees it.
tmux_start 80 20 afw attach one
tmux_wait_for listening
afw interrupt one >/dev/null
say working
is_now working
asks seen
is_now waiting_for_input
since=$(now_ms) # it is told after a second, or never
wait_for '[ $(($(now_ms) - since)) -gt 4000 ]'
tmux_keys 'C-\'
wait_for tmux_dead
tmux_stop
say working
is_now working
say error
tells error 2 'after detaching it is reported'
is "$(told waiting_for_input)" $((asked + 1)) 'while attached it was not'

# A harness that dies takes its supervisor along, but not the message; and
# no process waits for the command.
mkfifo "$T/hold" && exec {hold}<>"$T/hold"
say 'exit 3'
tells error 3 'the end of an agent with an error is reported'
tail -n 1 "$T/told" >"$T/last"
is "$(json phase "$T/last") $(json detail "$T/last")" \
	'error sh exited with code 3' 'with its reason'
ok_cmd 'the session is free meanwhile' afw rm one
echo >&"$hold"
rm "$T/hold"

# A failure is reported once.
ini 'on = done error' "command = false" 'desktop = no'
: >"$T/shown"
agent two
say working 'done'
waits_for 'value degraded | grep -q "notify: false exited with code 1"' \
	'a command that fails is a reason for degraded'
say working error
waits_for '[ "$(value notices)" = 2 ]' 'reported again'
asks x
waits_for '[ "$(value notices)" = 3 ]' 'and of what is not in "on"'
say 'exit 0'
waits_for '[ "$(value phase)" = stopped ]' 'and stopped'
is "$(afw events two --json | grep -c notify:failed)" 1 'it was said once'
is "$(<"$T/shown")" '' 'desktop = no: notify-send is not run'
is "$(told waiting_for_input)" $((asked + 1)) 'a state that is not in "on" is not reported'

# The configuration of the day counts.
ini "command = tell"
waits_for 'afw start two' 'started again'
say 'exit 4'
tells error 4 'a session that starts again has the present configuration'
waits_for '[ "$(value phase)" = error ]' 'it is in error'

# A message that waits goes in by itself, and then it is not done; but not
# where a draft is in its way.
ini 'command = tell'
cat >>"$XDG_CONFIG_HOME/afw/afw.ini" <<END
[harness.drafty]
command = $T/bin/drafty
composer = ^>( .*)?\$
END
cat >"$T/bin/drafty" <<END
#!/bin/bash
stty raw -echo
exec 3<>"$T/say.drafty"
printf '\033[?2004h> '
while read -r s <&3; do
	case \$s in
	draft) printf 'my draft' ;;
	*) printf '\033]7501;state=%s\033\\\\' "\$s" ;;
	esac
done
END
chmod +x "$T/bin/drafty"
mkfifo "$T/say.drafty" && exec {say}<>"$T/say.drafty"
exit_is 0 'an agent with a composer' afw new drafty -a drafty
who=drafty
say working
is_now working
exit_is 0 'works' afw send drafty --when-idle 'and then this'
like "$out" 'queued' 'and a message waits'
say draft 'done'
is_now completed
waits_for 'grep -q "\"event\":\"completed\".*\"name\":\"drafty\"" "$T/told"' \
	'the end of its turn is reported: a draft holds the message back'

mkdir -p .af
printf '[notify]\ncommand = tell\n' >.af/afw.ini
refused 1 'for the user to choose' 'a repository cannot have a command run' \
	afw trust --yes
ini 'on = wait'
refused 1 'afw.ini:2: .*not one of waiting, done, failed' 'a wrong word is refused' \
	afw config
done_testing
