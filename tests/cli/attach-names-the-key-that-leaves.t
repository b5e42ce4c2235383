#!/bin/bash
# The first line of attach shows the session and the key that detaches, for a
# few seconds or until a key is typed; then the line is restored.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

# Prints lines, and as many more as its FIFO says.
cat >"$T/agent" <<'END2'
#!/bin/bash
stty -echo
exec 3<>"$1"
seq -f 'line %.0f' 1 "$2"
while read -r from to <&3; do seq -f 'line %.0f' "$from" "$to"; done
END2
chmod +x "$T/agent"
mkfifo "$T/say"
first() { tmux_screen | head -n 1; }
away() { ! tmux_screen | grep -q leaves; }
# attaches COLS LINE ARGS...: it shows LINE; a machine may be too slow once.
attaches()
{
	local cols=$1 line=$2
	for _ in {1..5}; do
		tmux_start "$cols" 10 afw attach "${@:3}"
		within 4 '[ "$(first)" = "$line" ]' && return
		tmux_stop
	done
	return 1
}
leaves='Ctrl-\ leaves, it keeps running'

exit_is 0 'a session' afw new one -- "$T/agent" "$T/say" 30
waits_for 'afw capture one | grep -q "line 30"' 'prints'
ok_cmd 'attach names the session and the key in its first line' \
	attaches 60 "repo/one   $leaves" one
since=$(now_ms)
echo 31 40 >"$T/say"
ok_cmd 'below it is what the agent prints' tmux_wait_for 'line 40'
now=$(tmux_screen)
if [ $(($(now_ms) - since)) -lt 3000 ]; then
	is "$(sed -n '1p;2p' <<<"$now")" "repo/one   $leaves"$'\nline 33' \
		'and does not move it'
else
	skip 1 'this machine is too slow to see both'
fi
tmux_type x
waits_for away 'a key takes it away'
is "$(first)" 'line 32' 'and the agent has that line'
is "$(tm capture-pane -p -t =t: -S - | grep -c '^line ')" 40 \
	'all that was printed is there'
unlike "$(tm capture-pane -p -t =t: -S -)" leaves 'and nothing else'
tmux_keys 'C-\'
waits_for tmux_dead 'that key leaves'
tmux_stop

ok_cmd 'read-only, by another key' \
	attaches 60 'repo/one   Ctrl-B leaves; keys have no effect' -r -k C-b one
waits_for away 'it goes by itself'
is "$(first)" 'line 32' 'and leaves the agent as it was'
tmux_stop
ok_cmd 'without a key, in a narrow terminal' \
	attaches 20 'repo/one   no key le' -k none one
tmux_stop

exit_is 0 'a session in tmux' afw new two --backend tmux -- \
	"$T/agent" "$T/say" 30
waits_for 'afw capture two | grep -q "line 30"' 'prints'
ok_cmd 'attach shows the same' attaches 60 "repo/two   $leaves" two
tmux_type x
waits_for away 'until a key is typed'
tmux_stop
exit_is 0 'stop' afw stop one two
done_testing
