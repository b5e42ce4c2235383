#!/bin/bash
# A harness that afw does not know works by the section that afw-adapters(5)
# shows, unchanged.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir "$T/bin" "$XDG_CONFIG_HOME/afw"
ln -s "$ROOT/tests/cli/pear-agent" "$T/bin/pear"
export PATH="$T/bin:$PATH" PEAR_LOG=$T/log PEAR_HOLD=$T/hold
sed -n '/^\[harness\.pear\]$/,/^\.Ed/{/^\.Ed/!p}' "$ROOT/man/afw-adapters.5" \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
section=$(<"$XDG_CONFIG_HOME/afw/afw.ini")
like "$section" 'command = pear' 'the page has a section'
unlike "$section" '\\' 'that stands there as it is to be written'

# activity_is WORD: what status says of it.
activity_is()
{
	afw status one --json >"$T/.status" &&
		[ "$(json activity "$T/.status")" = "$1" ]
}

exit_is 0 'it is started' afw new one -a pear
waits_for 'activity_is idle' 'idle: its composer is empty'

: >"$T/hold"
exit_is 0 'a message is accepted' afw send one 'hello pear'
like "$out" '^one: accepted' 'because its busy row came'
ok_cmd 'which makes it working at once' activity_is working
rm "$T/hold"
waits_for 'activity_is completed' 'completed: the row has gone'
waits_for 'afw status one --json | grep -q "\"said\": *\"hello pear\""' \
	'what it answered is known'
is "$(<"$T/log")" 'hello pear' 'the message arrived as it was, once'

for text in '!touch f' ' /new' exit 'quit '; do
	refused 9 'may read it as a command' "what may be a command is refused: $text" \
		afw send one -- "$text"
done
is "$(<"$T/log")" 'hello pear' 'and not typed'

exit_is 0 'a long turn' afw send one long
waits_for 'activity_is working' 'working: its busy row is there'
exit_is 0 'a message meanwhile' afw send one second
like "$out" '^one: queued' 'is queued'
before=$(<"$T/log")
refused 2 'takes no messages while it works.*hint: without --now' \
	'but not typed into its turn, which its section does not allow' \
	afw send --now one third
is "$(<"$T/log")" "$before" 'nothing was typed'
exit_is 0 'interrupt' afw interrupt one
waits_for 'afw capture one | grep -qx Stopped' 'presses the key it has'
waits_for 'grep -qx second "$T/log"' 'the queued message is delivered'
waits_for 'afw capture one | grep -qx "Answered: second"' 'and answered'

waits_for 'activity_is completed' 'to its end'
exit_is 0 'a message that is waited for' afw send one -w third
like "$out" '^third$' 'prints the answer'
: >"$T/hold"
afw send one -w ask >"$T/asks" 2>&1 &
pid=$!
waits_for 'grep -qx ask "$T/log" && activity_is working' 'a turn'
rm "$T/hold"
ends_with 9 "$pid" 'that ends in a question'
ok_cmd 'waiting_for_input: its question is there' activity_is \
	waiting_for_input
like "$(json detail "$T/.status")" 'Run it\?' 'and told'
exit_is 9 'a message is refused' afw send one 'rm -rf'
like "$out$err" 'asks something first' 'because it asks'
is "$(tail -n 1 "$T/log")" ask 'nothing was answered by it'
exit_is 0 'the answer' afw send one --deny -t 240s
is "$out" 'one: denied: Run it?' 'is reported'
waits_for 'afw capture one | grep -qx "It did not run"' 'is a key'

exit_is 0 'suspend' afw suspend one
exit_is 0 'resume' afw resume one
like "$out" 'resumed its conversation' 'continues the conversation'
waits_for 'afw capture one | grep -q "Going on behind: hello pear long"' \
	'by the command that the section has'
waits_for 'activity_is idle' 'and it is idle'
: >"$T/hold"
exit_is 0 'a message' afw send one again
rm "$T/hold"
exit_is 0 'stop' afw stop one
printf 'stop_timeout = 7s\n%s\nguard = Space\n' \
	"$(sed 's/^resume = .*/resume = pear --newer {conversation}/' \
		"$XDG_CONFIG_HOME/afw/afw.ini")" >"$T/changed"
mv "$T/changed" "$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'start after its section was changed' afw start one
like "$err" 'its conversation is not known: started with a new conversation' \
	'which reports why it does not continue'
spec=$(session_dir one)/spec.json
like "$(json harness_config.resume "$spec")" 'pear --newer' \
	'the section as it is at this start is in force'
is "$(json stop_timeout_ms "$spec")" 7000 'and the timeouts are'
exit_is 0 'a message that the section hides' afw send one -- /new
waits_for '[ "$(tail -n 1 "$T/log")" = " /new" ]' 'is typed behind its key'
exit_is 0 'stop' afw stop one
is "$(grep -c . "$T/log")" 8 'nothing but that was ever typed'
done_testing
