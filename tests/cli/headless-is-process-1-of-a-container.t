#!/bin/bash
# afw-supervisor --stdio as the first process of a PID namespace: it reaps
# orphans, passes signals on and ends with the agent's exit code.
. "$(dirname "$0")/../lib.sh"
afw_env
cd "$T" || exit 2
unshare=(unshare -pf --mount-proc)
"${unshare[@]}" true 2>/dev/null || unshare=(unshare -Urpf --mount-proc)
"${unshare[@]}" true 2>/dev/null || skip_all 'no PID namespace can be made here'
mkfifo in
"${unshare[@]}" "$BUILD/afw-supervisor" --stdio <in > >(exec cat >ev) &
outer=$!
exec {in}>in
cat >agent <<'E2'
trap 'echo got-hup' HUP
trap 'exit 21' TERM
# Each of them is an orphan when it ends.
for i in 1 2 3 4 5; do (setsid sh -c 'sleep 0.05' &); done
echo up
while :; do sleep 0.05; done
E2
printf '%s\n' '{"cmd":"start","argv":["sh","agent"]}' \
	'{"cmd":"exec","id":"orphan","argv":["sh","-c","(setsid sleep 0.05 &)"]}' >&"$in"
waits_for 'grep -q "up.n" ev && grep -q orphan ev' 'an agent runs in it'
is "$(json pid <(head -n 1 ev))" 1 'it is process 1'
zombies()
{
	echo '{"cmd":"exec","id":"ps","argv":["sh","-c","grep -hE \"^(Name|State)\" /proc/[0-9]*/status; echo over"]}' >&"$in"
	wait_for 'grep -q "\"ps\".*over" ev'
	grep '"ps"' ev | tail -n 1 | grep -qE 'zombie|setsid|sleep 0.05'
}
waits_for '! zombies' 'orphans are reaped'
# Signals come to it from outside.
first=$(pgrep -x -P "$outer" afw-supervisor)
kill -HUP "$first"
waits_for 'grep -q got-hup ev' 'a signal is passed on'
kill -TERM "$first"
ends_with 21 "$outer" "it ends with the agent's code"
is "$(tail -n 1 ev)" '{"ev":"agent:exit","code":21,"signal":null,"asked":true}' \
	'which is its last word'
done_testing
