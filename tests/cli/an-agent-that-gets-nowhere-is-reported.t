#!/bin/bash
# A working agent that has stalled, or loops, is reported once. A spinner is no
# progress; hooks, files, processes and processor time are.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

# A Claude Code that draws a spinner for ever, and reports what is written into
# its door. It burns the processor while there is a file "burns".
cat >"$T/agent" <<'END'
#!/bin/bash
exec {nap}<> <(:)
line=$(printf '─%.0s' {1..80})
printf '\e[2J\e[H\r\n\r\n%s\r\n❯ \r\n%s\r\n  ? for shortcuts\e[4;3H' "$line" "$line"
printf '\e]2;✳ Claude Code\a'
until [ -e "$FILES/works" ]; do read -rt 0.05 -u "$nap" _; done
while :; do
	for c in ✢ ✳; do
		printf '\e[1;1H%s Transmuting… (1s)\e[4;3H' "$c"
		[ -e "$FILES/burns" ] && for ((i = 0; i < 50000; i++)); do :; done
		read -rt 0.1 -u "$nap" _
	done
done
END
chmod +x "$T/agent"
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
stall_after = 5s
[notify]
desktop = no
command = $T/tell
[harness.claude]
command = $T/agent
END
printf '#!/bin/bash\ncat >>"%s"\n' "$T/told" >"$T/tell"
chmod +x "$T/tell"

export FILES=$T
exit_is 0 'an agent' afw new one -a claude -e FILES
waits_for '[ "$(state_of one activity)" = idle ]' 'is idle' 'afw status -v one'
hook() { echo "{\"hook\":\"$1\",\"payload\":$2}" >"$(session_dir one)/home/door"; }
stuck() { state_of one stuck; }
events() { afw events one --json | grep -c "\"event\":\"$1\""; }
hook UserPromptSubmit '{"prompt":"do it","session_id":"abc"}'
: >"$T/works"
waits_for '[ "$(state_of one activity)" = working ]' 'it works'
hook PreToolUse '{"tool_name":"Bash","tool_input":{"command":"make test"}}'
waits_for '[ "$(stuck)" != null ]' 'it has stalled, whatever it draws' \
	'afw status -v one'
like "$(stuck)" '^stalled: nothing has moved for [5-9]s, in Bash: make test$' \
	'with the reason'
like "$(afw ls)" 'one .*stalled: nothing has moved' 'ls shows it'
waits_for 'grep -q "\"event\":\"stuck\".*may be stuck" "$T/told"' 'a notification'

echo work >"$(state_of one worktree)/file"
waits_for '[ "$(stuck)" = null ]' 'a file of its worktree is progress'
waits_for '[ "$(stuck)" != null ]' 'if no more follows, it has stalled again'
: >"$T/burns"
waits_for '[ "$(stuck)" = null ]' 'processor time is progress'
rm "$T/burns"
waits_for '[ "$(stuck)" != null ]' 'again'
hook PostToolUse '{"tool_name":"Bash","tool_input":{"command":"make test"},"tool_response":{"stdout":"1 failed"}}'
waits_for '[ "$(stuck)" = null ]' 'a hook is progress'
hook PreToolUse '{"tool_name":"Bash","tool_input":{"command":"sleep 600"}}'
before=$(events stuck)
told=$(grep -c '"event":"stuck"' "$T/told")
is "$told" 1 'it is told once in ten seconds at most' || diag "$(<"$T/told")"

# Meanwhile the time of a stall passes: the command waits by its nature.
now=$SECONDS
wait_for '[ $((SECONDS - now)) -ge 7 ]'
is "$(events stuck)" "$before" 'a sleep may take longer'

call()
{
	hook PostToolUse "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"$1\"},\"tool_response\":{\"stdout\":\"$2\"},\"duration_ms\":$RANDOM}"
}
for n in 1 2 3 4; do call 'make test' 'same'; done
call 'make test' 'other'
for n in 1 2 3 4; do call 'make test' 'same'; done
call 'ls' 'same'
is "$(stuck)" null 'not five times in a row is no loop'
for n in 1 2 3 4 5; do call 'make test' 'same'; done
waits_for 'case $(stuck) in "loops: 5 times the same result of "*) ;; *) false ;; esac' \
	'the same result five times in a row is one'
call 'make test' 'other'
waits_for '[ "$(stuck)" = null ]' 'until another follows'
hook Stop '{"last_assistant_message":"done"}'
like "$(afw config get notify.on)" stuck 'it is a word of notify.on'
done_testing
