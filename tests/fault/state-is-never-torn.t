#!/bin/bash
# KILL of the supervisor at random moments of its writing: state.json is always
# complete. Broken files of one session never hide the others.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
rounds=${AF_TEST_ROUNDS:-$([ -z "${SANITIZE-}" ] && echo 40 || echo 12)}
exit_is 0 'another session' afw new other -- cat
# Titles and a last line that change all the time: ten states a second.
cat >"$T/busy" <<'END'
#!/bin/bash
i=0
while :; do
	printf '\033]2;title %d\007line %d\r\n' $((i += 1)) $i
	read -r -t 0.003 <> <(:) || :
done
END
chmod +x "$T/busy"
exit_is 0 'a busy session' afw new busy -- "$T/busy"
dir=$(session_dir busy)
torn=0 lost=0 back=0 last=0
for ((i = 0; i < rounds; i++)); do
	pid=$(json supervisor_pid "$dir/state.json")
	printf -v moment 0.%06d $((RANDOM * 8 + 20000))
	nap "$moment"
	kill -KILL "$pid"
	wait_for "! grep -qs '^State:.*[RSDT] (' /proc/$pid/status"
	rev=$(json rev "$dir/state.json")
	[ "$(json phase "$dir/state.json")" = running ] && [ "$rev" -ge "$last" ] ||
		{ torn=$((torn + 1)); diag "round $i: $(head -c 300 "$dir/state.json")"; }
	last=$rev
	run afw status busy --json
	[[ $(json error_reason) == lost:* ]] || lost=$((lost + 1))
	run afw start busy
	[ "$code" = 0 ] || { back=$((back + 1)); diag "round $i: $err"; }
done
is "$torn" 0 "$rounds kills: the state is always whole, and never older"
is "$lost" 0 'the session reads as lost each time'
is "$back" 0 'and starts again each time'
left=$(find "$dir" -name '.*.json.*' | wc -l)
[ "$left" -le 5 ]
ok $? "no heap of temporary files is left ($left)"
exit_is 0 'stop' afw stop busy
exit_is 0 'the other one was never touched' afw capture other

# Broken files.
state=$(<"$dir/state.json") spec=$(<"$dir/spec.json")
others()
{
	run afw ls --json
	[ "$code" = 0 ] && [[ $out == *'"name":"other"'*'"phase":"running"'* ]]
	ok $? "$1: ls lists the others"
}
broken=('' '{' "${state:0:100}" '[]' 'null' '{"v":1}' '{"v":99,"phase":"running"}'
	'{"v":1,"v":1}' "$state$state" '{"v":1,"phase":"magic","activity":""}'
	$'{"v":1,"phase":"\xff"}' "$(head -c 200000 /dev/zero | tr '\0' ' ')$state")
for text in "${broken[@]}"; do
	printf '%s' "$text" >"$dir/state.json"
	others "state ${text:0:24}"
	run timeout 60 afw status busy
	[ "$code" -lt 124 ] || fail 'status of it ends'
done
rm "$dir/state.json"
mkfifo "$dir/state.json"
others 'a FIFO for a state'
rm "$dir/state.json"
mkdir "$dir/state.json"
others 'a directory for a state'
rmdir "$dir/state.json"
ln -s /dev/zero "$dir/state.json"
others 'a link to /dev/zero for a state'
rm "$dir/state.json"
printf '%s\n' "$state" >"$dir/state.json"
for text in '' '{' "${spec:0:200}" '{"v":99}' '{"v":1,"id":"x"}' "$spec$spec"; do
	printf '%s' "$text" >"$dir/spec.json"
	others "spec ${text:0:24}"
done
printf '{"v":99,"new":"things"}' >"$dir/spec.json"
refused '1' 'newer' 'rm of what a newer afw wrote' afw rm "$(basename "$dir" | cut -c1-8)"
is "$(<"$dir/spec.json")" '{"v":99,"new":"things"}' 'leaves it untouched'
printf '%s\n' "$spec" >"$dir/spec.json"
exit_is 0 'whole again, it starts' afw start busy
exit_is 0 'stop' afw stop busy other
done_testing
