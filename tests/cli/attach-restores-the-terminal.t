#!/bin/bash
# However attach ends, the terminal's settings are restored; a terminal that no
# program reads blocks nothing.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
onpty=$BUILD/tests/tools/onpty
cat >"$T/full" <<'END'
#!/bin/bash
stty raw -echo
printf '\033[?1049h\033[?1003h\033[?1006h\033[?2004h\033[?1004h\033[?25l\033[>1u\033[?1h'
printf '\033]8;id=1;http://a/b\033\\\033[4:3mready'
while read -r -n 1 key; do [ "$key" != q ] || exit 4; done
END
chmod +x "$T/full"
mkfifo "$T/in"
attach()
{
	: >"$T/screen"
	"$onpty" afw attach one <"$T/in" >"$T/screen" 2>&1 &
	pid=$!
	exec 7>"$T/in"
	wait_for 'grep -q ready "$T/screen"'
	client=$(pgrep -P "$pid" afw)
}
# ended NAME: onpty gives 99 where the settings are not as before.
ended()
{
	local code=0 mode
	wait_for '! kill -0 $pid 2>/dev/null'
	exec 7>&-
	wait "$pid" || code=$?
	isnt "$code" 99 "$1: the settings are as before"
	exit=$code
	for mode in 1049 1003 1006 2004 1004; do
		# the last word about it must be "off"
		[[ $(grep -ao "\[?${mode}[hl]" "$T/screen" | tail -n 1) = *l ]] ||
			fail "$1: mode $mode is off"
	done
	[[ $(grep -ao '\]8;[^[:cntrl:]]*' "$T/screen" | tail -n 1) = ']8;;' ]] ||
		fail "$1: the link is closed"
	[[ $(grep -ao '\[?25[hl]' "$T/screen" | tail -n 1) = *h ]]
	ok $? "$1: the cursor is there, the modes are off"
}
exit_is 0 'a session' afw new one -- "$T/full"
attach; printf '\034' >&7; ended 'detach'
like "$(<"$T/screen")" $'4:3m\033]8;id=1;http://a/b\033\\\\ready' \
	'links and underline styles are drawn again'
attach; kill -TERM "$client"; ended 'TERM to the client'
attach; kill -INT "$client"; ended 'INT to the client'
attach; kill -HUP "$client"; ended 'HUP to the client'
attach; kill -KILL "$client"; ended 'KILL to the client'
attach; printf 'q' >&7; ended 'the end of the harness'
like "$(<"$T/screen")" 'one: .*exited with code 4' 'which is reported'
exit_is 0 'start' afw start one
attach; afw stop one >/dev/null; ended 'stop'
exit_is 0 'start' afw start one
attach
kill -KILL "$(state_of one supervisor_pid)"
ended 'KILL to the supervisor'
like "$(<"$T/screen")" "attach to 'one': lost the connection" 'which is reported'
is "$exit" 1 'by the exit code too'
exit_is 6 'attach to a lost session has code 6' "$onpty" afw attach one
like "$out" "afw: session 'one' is not running" 'and one line'
refused 2 'not a terminal.*afw capture one' 'attach without a terminal' \
	afw attach one
exit_is 0 'the dashboard without one' afw
like "$out" 'one +generic' 'lists the sessions'
exit_is 0 'rm' afw rm one

# 100 MB to a terminal that no process reads.
cat >"$T/flood" <<'END'
#!/bin/bash
read -r _
yes 'a line of some length, over and over again, to fill what can be filled' | head -c 100000000
echo done >"$1"
exec cat
END
chmod +x "$T/flood"
exit_is 0 'a session that prints' afw new flood -- "$T/flood" "$T/flooded"
supervisor=$(state_of flood supervisor_pid)
rss() { awk '/^VmRSS/ {print $2}' "/proc/$supervisor/status"; }
"$onpty" -n afw attach flood </dev/null >/dev/null 2>&1 &
deaf=$!
wait_for 'pgrep -P $deaf afw'
before=$(rss)
exit_is 8 'it begins' afw send flood go
waits_for '[ -e "$T/flooded" ]' '100 MB go through beside a deaf terminal'
grown=$(($(rss) - before))
[ -n "${SANITIZE-}" ] || [ "$grown" -lt 12000 ]
ok $? "its memory is bounded ($grown KiB more)"
exit_is 0 'it answers' afw capture flood
kill -KILL "$(pgrep -P "$deaf" afw)"
exit_is 0 'stop is not held up' timeout 60 afw stop flood
wait "$deaf"
done_testing
