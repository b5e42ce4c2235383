#!/bin/bash
# capture prints the live screen and the last one, with history, and with
# colours only on request.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
cat >"$T/agent" <<'END'
for i in $(seq 1 60); do echo "line $i"; done
printf 'plain \033[31mred\033[0m \033]0;a title\007\033]8;;http://a/b\007end\033]8;;\007\r\n'
read -r line
echo "bye $line"
END
exit_is 0 'a session' afw new one -- sh "$T/agent"
waits_for 'afw capture one | grep -q end' 'its screen'
run afw capture one
like "$out" 'plain red end' 'text'
unlike "$out" $'\033' 'nothing but text'
unlike "$out" 'line 1'$'\n' 'no history'
run afw capture one -e
like "$out" $'plain \033\\[[0-9;]*31mred' 'colours with -e'
like "$out" $'\033]8;;http://a/b\033\\\\end\033\\[0m\033]8;;\033\\\\' 'and links'
unlike "${out//$'\033]8;'/}" $'\033\\]' 'but nothing else that a terminal obeys'
run afw capture one -S 1000
like "$out" '^line 1'$'\n''line 2' 'history'
run afw capture one -S 5
is "$(grep -c . <<<"$out")" "$(($(afw capture one | grep -c .) + 5))" \
	'that many lines of it'
run afw capture one --json
is "$(json name)" one 'JSON'
is "$(json live)" true 'live'
is "$(json title)" 'a title' 'title'
is "$(json rows)" "$("$BUILD/tests/tools/jsonget" '#' lines <<<"$out")" \
	'a line for each row'
refused 2 'is not a number of lines' 'bad history' afw capture one -S many
exit_is 0 'it ends' afw stop one
exit_is 0 'capture afterwards' afw capture one
like "$out" 'plain red end' 'has the last screen'
unlike "$out" $'\033' 'as text'
run afw capture one -S 5
like "$out" '^line ' 'with history'
run afw capture one --json
is "$(json live)" false 'not live'
exit_is 0 'it starts again' afw start one
waits_for 'afw capture one | grep -q end' 'its new screen'
kill -KILL "$(state_of one supervisor_pid)"
waits_for 'afw status one | grep -q lost' 'its supervisor is killed'
refused 6 'left no screen.*afw logs one' \
	'the screen of the life before is not shown' afw capture one
exit_is 0 'stop' afw stop one
echo '{"lines":' >"$(session_dir one)/screen.json"
refused 1 'screen.json' 'broken' afw capture one
# What the one before has left is not what the next one says.
exit_is 0 'a session that has a title once' afw new next -- sh -c \
	'[ -e here ] || printf "\033]0;old\007"; : >here; echo up; exec cat'
titled() { [ "$(state_of next title)" = "$1" ]; }
waits_for 'titled old' 'has it'
exit_is 0 'stop' afw stop next
exit_is 0 'start' afw start next
waits_for 'afw capture next | grep -q up' 'it runs again'
nok_cmd 'without that title' titled old
done_testing
