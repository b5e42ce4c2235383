#!/bin/bash
# idle_timeout: a session that has been idle that long, with no client attached,
# is suspended, or stopped if it cannot be resumed; no other session is.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
cd "$T/repo" || exit 2
phase() { state_of "$1" phase; }
phases() { local n; for n; do printf '%s ' "$(phase "$n")"; done; }
# One that says what it does: what is echoed into $T/NAME.
cat >"$T/agent" <<'END'
#!/bin/sh
echo I am up
while read -r w; do printf '\033]7501;state=%s\007' "$w"; done <"$1"
END
chmod +x "$T/agent"
# talker NAME FD: ... by descriptor FD.
talker()
{
	mkfifo "$T/$1"
	eval "exec $2<>\"\$T/$1\""
	exit_is 0 "new $1" afw new "$1" -- "$T/agent" "$T/$1"
}

can_resume "$T/agent $T/sleeps"
# Long enough to type a draft on a machine that is slow.
idle=$((AFW_SLOW < 20 ? 2 * AFW_SLOW : 40))s
sed -i "1i idle_timeout = $idle" "$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'config' afw config idle_timeout
is "$out" "$idle" 'it is what was said'
talker sleeps 4
talker works 5
talker asks 6
talker seen 7
talker shell 8
exit_is 0 'one with a shell' afw exec -n watches shell -- tail -f /dev/null
exit_is 0 'one of which nothing is known' afw new unknown -- cat
exit_is 0 'one with a draft' afw new drafts -a demo
exit_is 0 'it is ready' afw wait drafts --for idle -t 240s
exit_is 0 'a draft' afw send drafts --keys d r a f t
exit_is 0 'a message waits' afw send drafts --when-idle -- \
	'[[lines 1]]'
exit_is 0 'one with a draft alone' afw new typed -a demo
exit_is 0 'it is ready, too' afw wait typed --for idle -t 240s
exit_is 0 'its draft' afw send typed --keys d r a f t
echo working >&5
echo blocked >&6
tmux_start 80 24 afw attach seen
tmux_wait_for 'I am up' 'a client is attached'
echo 'done' >&7
echo 'done' >&8
echo 'done' >&4
exit_is 0 'an idle session' afw wait sleeps --for suspended -t 240s
is "$(state_of sleeps error_reason)" null 'that is no error'
like "$(afw events sleeps --json)" \
	'"event":"idle_timeout".*"idle_timeout_ms":'${idle%s}'000,"detail":"nothing to do for '$idle': it is suspended"' \
	'but an event'
is "$(phases works asks seen unknown drafts shell typed)" \
	'running running running running running running running ' \
	'a session that works, asks, is watched or unknown, has a draft or a shell, keeps running'
waits_for '[ "$(state_of unknown activity_source)" = process ] &&
	[ "$(state_of unknown activity)" = idle ]' 'judged by its process alone, idle'
exit_is 0 'it is restored' afw resume sleeps
echo 'done' >&4
exit_is 0 'and goes again' afw wait sleeps --for suspended -t 240s
is "$(phases works asks seen unknown drafts shell)" \
	'running running running running running running ' 'the others still run'
exit_is 0 'the shell is ended' afw exec -n watches -k shell
exit_is 0 'and then it is' afw wait shell --for suspended -t 240s

tmux_keys 'C-\'
exit_is 0 'no client is attached any more' afw wait seen --for suspended -t 240s
echo 'done' >&5
exit_is 0 'it has done its work' afw wait works --for suspended -t 240s
exit_is 0 'the draft is cleared' afw send drafts --keys BSpace BSpace BSpace \
	BSpace BSpace
exit_is 0 'its message went in, its turn has ended' \
	afw wait drafts --for stopped -t 240s
like "$(afw events drafts --json)" "nothing to do for $idle: it is stopped" \
	'it cannot be resumed: it is stopped'
is "$(state_of drafts queued)" 0 'with nothing left to do'
is "$(phases asks unknown)" 'running running ' 'the others run on'
rm "$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'the setting is read at each start' afw resume sleeps
is "$(json idle_timeout_ms "$(session_dir sleeps)/spec.json")" 0 'anew'
done_testing
