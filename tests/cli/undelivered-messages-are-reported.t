#!/bin/bash
# A task that came with a start is never lost, however long the start takes; if
# it is unknown whether it, or another message whose client has disconnected,
# arrived, the session reports that.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
# Its composer comes when the FIFO is written to; "mute" reads what it gets,
# prints, and never shows it; "asks" asks something when it gets a paste first,
# which is lost.
cat >"$T/agent" <<'END'
#!/bin/bash
stty raw -echo
printf 'loading\r\n'
[ ! -p "$1" ] || read -r _ <"$1"
printf '\033[?2004h\033[2J\033[H> '
if [ "$2" = asks ]; then
	IFS= read -rsd '~' _
	printf '\033[2J\033[HSure? y/n'
	IFS= read -rsd y _
	printf '\033[2J\033[H> '
fi
while [ "$2" = mute ] && IFS= read -rsd '~' _; do
	sleep 1
	printf '\r> '
done
text=
while IFS= read -rsN1 key; do
	[[ $key != $'\033' ]] || IFS= read -rsd '~' _
	case $key in
	[$'\r\n']) printf '\r\ngot %s\r\n> ' "$text"; text= ;;
	$'\033') ;;
	*) text+=$key; printf %s "$key" ;;
	esac
done
END
chmod +x "$T/agent"
mkfifo "$T/go" "$T/never"
mkdir "$XDG_CONFIG_HOME/afw"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
[harness.slow]
command = $T/agent $T/go
ready_timeout = 1
composer = ^>( .*)?\$
[harness.never]
command = $T/agent $T/never
ready_timeout = 1
composer = ^>( .*)?\$
[harness.mute]
command = $T/agent $T/agent mute
composer = ^>( .*)?\$
[harness.asks]
command = $T/agent $T/agent asks
composer = ^>( .*)?\$
waiting = ^(Sure[?]) y/n
END

exit_is 0 'an agent that starts slowly' afw new slow -a slow -m 'the task'
exit_is 0 'another' afw new other -a never
run afw send other 'the message'
like "$code $err" '^1 .*not ready for a message after|^9 .*not been on the screen' \
	'a message does not wait for ever, which is reported to its client'
exit_is 0 'an agent that shows nothing' afw new mute -a mute -m 'the task'

# Until its start is over, it seems to be working.
waits_for 'afw send --list slow |
	grep -q "has not been on the screen for 0 s  *the task"' \
	'the task of the slow one waits'
echo >"$T/go"
waits_for 'afw capture slow | grep -qx "got the task"' 'and goes in'

waits_for 'afw status mute --json >"$T/s"; [[ $(json degraded "$T/s") == *task* ]]' \
	'the result of the other task is shown'
like "$(afw status mute)" \
	'note +its task: unconfirmed: pasted, but its input field does not' \
	'and why'
unlike "$(afw status slow)" 'note +its task' 'nothing is reported of a task that arrived'

exit_is 0 'an agent that asks when its task is being typed' \
	afw new asks -a asks -m 'the task'
waits_for 'afw send --list asks |
	grep -q "held: it asks something .*: Sure?  *the task"' 'its task is held'
waits_for '[[ $(afw ls | grep ^asks) == *waiting*"[1 queued] Sure?"* ]]' \
	'which is shown'
exit_is 0 'the answer' afw send --keys asks y
waits_for 'afw capture asks | grep -qx "got the task"' 'lets it in'
is "$(afw capture asks | grep -c 'got the task')" 1 'once'
unlike "$(afw status asks)" 'note ' 'and nothing is reported as lost'

# degraded: of mute, one a line.
degraded()
{
	afw status mute | sed -n 's/^ *note *//p'
}

exit_is 7 'a sender that does not wait' afw send mute -t 100ms 'a message'
waits_for 'degraded | grep -q "^message 2: unconfirmed: pasted"' \
	'does not learn it, the session reports it'
exit_is 8 'a waiting session' afw send mute 'a message'
unlike "$(degraded)" 'message 3' 'does'
exit_is 0 'a queued message' afw send other --when-idle 'a message'
exit_is 0 'and is cancelled' afw send other --cancel all
unlike "$(afw status other)" 'note ' 'is not missed'

# Those that a killed supervisor was just typing; of many the last ones.
exit_is 0 'stop' afw stop mute
dir=$(session_dir mute)
mkdir -p -m 700 "$dir/queue"
for n in {10..19}; do : >"$dir/queue/00000000$n.typing"; done
exit_is 0 'after a kill' afw start mute
like "$err" 'message 19: unconfirmed: its supervisor ended while it was typed' \
	'the start reports it'
is "$(degraded | grep -c '^message 1[2-9]: unconfirmed')" 8 'and the session'
is "$(degraded | wc -l)" 8 'the newest eight, and nothing of the last life'
done_testing
