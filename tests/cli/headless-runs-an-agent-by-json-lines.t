#!/bin/bash
# afw-supervisor --stdio: one agent without a terminal, requests and events as
# JSON lines; bad input, clients that disconnect and clients that do not read.
. "$(dirname "$0")/../lib.sh"
afw_env
cd "$T" || exit 2
mkfifo in out

# serve: the server is $pid; say writes it a line, its events are in ev.
serve()
{
	rm -f ev # which the server before has filled
	cat out >ev &
	reader=$!
	"$BUILD/afw-supervisor" --stdio <in >out &
	pid=$!
	exec {in}>in
	wait_for 'grep -q system:ready ev'
}

say()
{
	printf '%s\n' "$@" >&"$in"
}

hush()
{
	exec {in}>&-
}

# ends CODE NAME: the server does, and all that it said is there.
ends()
{
	ends_with "$1" "$pid" "$2"
	wait "$reader"
}

# told EVENT [REGEX]: the event was printed.
told()
{
	grep "\"ev\":\"$1\"" ev | grep -qE -- "${2-}"
}

texts()
{
	grep "agent:$1" ev | json data /dev/stdin | grep .
}

serve
is "$(json v ev) $(json pid ev)" "1 $pid" 'it greets with the version'
mkdir work
say '{"cmd":"start","argv":["sh","-c","echo to-err >&2; pwd; echo $OPEN $HIDDEN; exec cat"],"dir":"work","env":["OPEN=seen"],"secrets":["HIDDEN=s3cretValue51"]}'
waits_for "told agent:started && texts stdout | grep -q s3cret" 'an agent starts'
agent=$(json pid <(grep agent:started ev))
is "$(texts stdout)" "$T/work
seen s3cretValue51" 'in its directory, with its environment and secrets'
is "$(texts stderr)" 'to-err' 'its standard error comes apart'
say '{"cmd":"chat","text":"hello \u00e4"}'
waits_for "texts stdout | grep -qx 'hello ä'" 'chat is a line on its standard input'
is "$(readlink "/proc/$agent/fd/0" | cut -d: -f1) $(cd "/proc/$agent/fd" && echo *)" \
	'pipe 0 1 2' 'it has three pipes and no more'
say '{"cmd":"exec","id":"a","argv":["sh","-c","pwd; echo $OPEN-$HIDDEN; echo no >&2; exit 3"]}'
waits_for 'told exec:result' 'a command runs beside it'
is "$(grep exec:result ev)" '{"ev":"exec:result","id":"a","code":3,"signal":null,"stdout":"'"$T"'/work\nseen-\n","stderr":"no\n","truncated":false,"timed_out":false}' \
	'with its directory and environment, without its secrets'
say '{"cmd":"exec","id":"b","argv":["sleep","600"],"timeout_ms":50}' \
	'{"cmd":"exec","id":"c","argv":["nonesuch"]}' \
	'{"cmd":"exec","id":"d","argv":["head","-c","100000","/dev/zero"]}' \
	'{"cmd":"exec","id":"e","argv":["sh","-c","sleep 600 & kill -TERM $$"]}'
waits_for 'told exec:result "\"b\",\"code\":null,\"signal\":\"SIGKILL\".*timed_out\":true"' 'its deadline ends it'
waits_for 'told exec:result "\"c\",\"code\":127.*No such file.*stdout\":\"\",\"stderr\":\"\""' \
	'one that is not there'
waits_for 'told exec:result "\"d\",\"code\":0.*truncated\":true"' 'its output is cut'
waits_for 'told exec:result "\"e\",\"code\":null,\"signal\":\"SIGTERM\""' \
	'processes that it leaves are not waited for'

# Who else may look: other users may not, and there is nothing to be found.
guard=$(awk '/^PPid:/ { print $2 }' "/proc/$agent/status")
run grep -la s3cretValue51 "/proc/$pid/environ" "/proc/$pid/cmdline" \
	"/proc/$guard/environ" "/proc/$guard/cmdline"
is "$out" '' 'a secret is in no environment or argument of ours'
if [ "$(id -u)" = 0 ] && [ -z "${SANITIZE-}" ]; then
	is "$(perl "$ROOT/tests/memory_has.pl" "$guard" \
		'"HIDDEN=|HIDDEN=s3cretV')$?" 0 "nor in the guard's memory"
else
	skip 1 'root only, without sanitizers'
fi

# Bad input is reported, and does not end the program.
say 'garbage' '{"cmd":"dance","seq":4}' '[1]' '{"seq":5}' '{"cmd":"chat","text":7}' \
	'{"cmd":"exec","id":"x"}' '{"cmd":"exec","argv":["true"]}' \
	'{"cmd":"exec","id":"y","argv":["true"],"timeout_ms":0}' \
	'{"cmd":"exec","id":"z","argv":["true",1]}' \
	'{"cmd":"start","argv":["true"]}' '{"cmd":"stop","timeout_ms":"now"}' \
	"$(printf '\377')" '' '{"cmd":"chat","cmd":"chat"}'
waits_for '[ "$(grep -c "ev\":\"error" ev)" = 14 ]' 'each bad line is told'
ok_cmd 'with the request that it was' \
	told error '"cmd":"dance","seq":4,"code":2,.*no request .dance'
ok_cmd 'or that it was none' told error '"seq":5,"code":2,"error":"cmd is not a string'
ok_cmd 'a second start' told error '"cmd":"start","code":4,.*already'
: >long
head -c 1048000 /dev/zero | tr '\0' @ >long
{ printf '{"cmd":"chat","text":"'; cat long; printf '"}\n'; } >&"$in"
waits_for '[ "$(texts stdout | tr -cd @ | wc -c)" = 1048000 ]' 'a line of a MiB'
{ cat long long; printf '\n'; } >&"$in"
waits_for 'told error "more than 1048576 bytes"' 'a longer one is refused'
say '{"cmd":"chat","text":"after","eof":true}'
waits_for 'told agent:exit' 'requests after it are read, and the end of input'
ends 0 "it ends with the agent's code"
ok_cmd 'its output to the last' grep -q '"after\\n"' ev
is "$(tail -n 1 ev)" '{"ev":"agent:exit","code":0,"signal":null}' \
	'its exit is the last word'
hush

# Ends of all kinds.
serve
say '{"cmd":"start","argv":["sh","-c","printf \"\\377a\\000\\303\"; (setsid sleep 600 &); kill -9 $$"]}'
ends 137 'an agent that is killed'
is "$(texts stdout | tr -d '\n')" $'\uFFFDa\uFFFD\uFFFD' 'bytes that are no text are replaced'
ok_cmd 'the signal is reported' told agent:exit '"code":null,"signal":"SIGKILL"}'
hush
serve
say '{"cmd":"start","argv":["sh","-c","trap \"\" TERM HUP; echo up; while :; do sleep 0.1; done"]}'
wait_for 'texts stdout | grep -q up'
say '{"cmd":"stop","timeout_ms":100}'
ends 137 'stop kills what ignores it'
ok_cmd 'as asked' told agent:exit '"asked":true'
hush
serve
say '{"cmd":"start","argv":["sleep","600"]}'
wait_for 'told agent:started'
hush
ends 143 'the end of its input stops the agent'
serve
say '{"cmd":"start","argv":["sh","-c","trap \"echo got-int\" INT; trap \"exit 9\" TERM; echo up; while :; do sleep 0.05; done"]}'
wait_for 'texts stdout | grep -q up'
kill -INT "$pid"
waits_for 'texts stdout | grep -q got-int' 'a SIGINT is passed on'
kill -TERM "$pid"
ends 9 "SIGTERM ends it, with the agent's code"
hush
serve
say '{"cmd":"start","argv":["sh","-c","exec <&-; echo shut; exec sleep 600"]}'
wait_for 'texts stdout | grep -q shut'
say '{"cmd":"chat","text":"unheard"}'
waits_for 'told error "chat: .*closed its standard input, 8 bytes"' \
	'input that it does not read is reported'
say '{"cmd":"chat","text":"again"}'
waits_for 'told error "chat.*input is closed"' 'and that it never will'
say '{"cmd":"stop"}'
ends 143 'which does not end it'
hush
serve
say '{"cmd":"start","argv":["nonesuch"]}' '{"cmd":"chat","text":"x"}'
waits_for 'told error "start.*nonesuch.*No such file"' 'an agent that is not there'
hush
ends 1 'none was started: 1'
serve
kill -TERM "$pid"
ends 143 'a signal before any was'
hush
serve
say '{"cmd":"start","argv":["sleep","600"]}'
wait_for 'told agent:started'
agent=$(json pid <(grep agent:started ev))
disown "$pid"
kill -9 "$pid"
waits_for 'has_ended "$agent"' 'with a server that is killed the agent ends'
hush
serve
say '{"cmd":"start","argv":["sleep","600"]}'
wait_for 'told agent:started'
agent=$(json pid <(grep agent:started ev))
kill -9 "$(awk '/^PPid:/ { print $2 }' "/proc/$agent/status")"
ends 143 'and with its guard'
ok_cmd 'which is reported' told error 'the agent is lost'
is "$(grep -c '"ev":"agent:exit".*"asked"' ev)" 0 'and is not as asked'
hush

serve
for i in 1 2 3 4 5 6 7 8 9; do
	say '{"cmd":"exec","id":"'$i'","argv":["sleep","600"]}'
done
waits_for 'told error "exec.*\"9\".*8 programs are running"' \
	'a ninth command at once is refused'
hush
ends 1 'the end of its input ends them, too, without an agent'
is "$(grep -c 'exec:result.*"code":null,"signal":"SIGTERM"' ev)" 8 \
	'each end is reported'
serve
say '{"cmd":"start","argv":["wc","-c"]}'
{ printf '{"cmd":"chat","eof":true,"text":"'; cat long; printf '"}\n'; } >&"$in"
ends 0 'an input that is closed before it is read'
is "$(texts stdout)" 1048001 'is read to its end'
hush

# A reader that does not read blocks the agent, and memory does not grow.
exec {hold}<>out
"$BUILD/afw-supervisor" --stdio <in >out &
pid=$!
exec {in}>in
say '{"cmd":"start","argv":["sh","-c","for i in $(seq 64); do head -c 65536 /dev/zero | tr \\\\0 @; echo $i >count; done"]}'
last='' same=0
stands()
{
	local now
	now=$(cat count 2>/dev/null) || return 1
	if [ "$now" = "$last" ]; then same=$((same + 1)); else same=0; fi
	last=$now
	[ "$same" -ge 8 ]
}
waits_for stands 'an agent waits for its reader'
ok_cmd 'before its end' [ "$(cat count)" -lt 40 ]
ok_cmd 'and little is kept' \
	[ "$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status")" -lt 40000 ] ||
	diag "$(grep Vm "/proc/$pid/status")"
cat out >ev {hold}>&- &
reader=$!
exec {hold}>&-
ends 0 'it continues with its reader'
is "$(texts stdout | tr -cd @ | wc -c)" 4194304 'and nothing is lost'
hush

# A reader that goes away ends it.
exec {hold}<>out
"$BUILD/afw-supervisor" --stdio <in >out {hold}<&- &
pid=$!
exec {in}>in
say '{"cmd":"start","argv":["sleep","600"]}'
read -r line <&"$hold"
read -r line <&"$hold"
like "$line" 'agent:started' 'a reader sees it start'
exec {hold}>&-
ends_with 143 "$pid" 'when he goes it is stopped'
hush

# Not all that is below it is the agent's: as of `afw-supervisor > >(reader)`.
sh -c 'sleep 600 & echo $! >other; exec "$0" --stdio >ev' \
	"$BUILD/afw-supervisor" <in &
pid=$!
exec {in}>in
say '{"cmd":"start","argv":["true"]}'
ends_with 0 "$pid" 'an agent that was started with a child'
nok_cmd 'which it leaves alone' has_ended "$(cat other)"
ok_cmd 'and writes to a file' told agent:exit
kill "$(cat other)"
hush
run "$BUILD/afw-supervisor" --stdio
is "$code" 2 'an input that is no pipe is refused'
like "$err" 'standard input is not a pipe' 'with the reason'
done_testing
