#!/bin/bash
# logs: text without control bytes, events, bytes, recordings; -f follows to the
# end.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
cat >"$T/agent" <<'END'
printf 'hello \033[31mred\033[0m \033]0;title\007end\r\n'
i=0
while [ $i -lt 500 ]; do printf '\r%d%%' $i; i=$((i + 1)); done
printf '\rdone\r\n'
read -r line
echo "got $line"
read -r line
exit 0
END
exit_is 0 'a session' afw new one -- sh "$T/agent"
waits_for 'afw logs one | grep -q done' 'its log'
run afw logs one
is "$out" $'hello red end\ndone' 'text, and no progress'
(afw logs -f one >"$T/follow" 2>&1; echo "code $?" >>"$T/follow") &
waits_for 'grep -q done "$T/follow"' '-f has what was before'
run afw send one more
waits_for 'grep -q "got more" "$T/follow"' 'and what comes'
grep -q code "$T/follow"
isnt $? 0 'it continues'
run afw stop one
waits_for 'grep -q "^code 0" "$T/follow"' 'and ends with the session'
wait
run afw logs one -n 1
is "$(grep -c . <<<"$out")" 1 'the last line'
run afw logs one --raw
like "$out" $'\033\\[31mred' '--raw'
run afw logs one --json
is "$(json event | head -n 1)" output 'events'
exit_is 0 'a recording' afw logs one --cast "$T/one.cast"
is "$(json version "$T/one.cast" | head -n 1)" 2 'asciicast v2'
refused 1 'nowhere' 'not to be written' afw logs one --cast "$T/nowhere/x"
refused 2 'raw cannot be combined with --cast' 'either or' afw logs one --raw --cast x
# a log without an end does not outlive its reader
exit_is 0 'another' afw new two -- sh -c 'while :; do echo y; done'
waits_for 'afw logs -f two | head -n 1 | grep -q y' 'a reader that leaves'
run afw stop two
done_testing
