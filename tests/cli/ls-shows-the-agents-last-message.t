#!/bin/bash
# The list shows an agent's last message until its next turn begins: not its
# terminal's title, and not the last line of its screen.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

# A Claude Code that says only what is written into its door.
cat >"$T/agent" <<'END'
#!/bin/bash
printf '\e]2;✳ Claude Code\a\e[2J\e[H'
line=$(printf '─%.0s' {1..80})
printf '%s\r\n❯ \r\n%s\r\n  ? for shortcuts\e[2;3H' "$line" "$line"
read -r _
END
chmod +x "$T/agent"
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '[harness.claude]\ncommand = %s\n[harness.demo]\ncommand = %s\n' \
	"$T/agent" "$ROOT/share/demo-agent" >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'an agent' afw new one -a claude
waits_for '[ "$(state_of one activity)" = idle ]' 'is idle'
unlike "$(afw ls)" 'Claude Code|shortcuts' 'its title is no word of it'

# hook EVENT PAYLOAD
hook() { echo "{\"hook\":\"$1\",\"payload\":$2}" >"$(session_dir one)/home/door"; }
# The text, and nothing else.
says() { afw ls | grep -qE "^one .*-[0-9]+ +$1\$"; }
hook UserPromptSubmit '{"prompt":"do it","session_id":"abc"}'
waits_for '[ "$(state_of one activity)" = working ]' 'it works'
hook Stop '{"last_assistant_message":"\nAll tests pass now, I changed 3 files.\nOne: a.c"}'
waits_for 'says "All tests pass now, I changed 3 files."' \
	'it ends with these words'
# A minute later it reports that it is idle, and nothing else.
hook Notification '{"notification_type":"idle_prompt","message":"Claude is waiting"}'
waits_for 'afw status one --json | grep -q "\"source\":\"hook\"[^}]*\"idle\",\"detail\":\"\""' \
	'a minute later'
says 'All tests pass now, I changed 3 files.'
ok $? 'they are still there'
is "$(state_of one said)" 'All tests pass now, I changed 3 files.' 'in JSON, too'
exit_is 0 'it is stopped' afw stop one
says 'All tests pass now, I changed 3 files.'
ok $? 'they are still there, then'
exit_is 0 'it is started again' afw start one
waits_for '[ "$(state_of one activity)" = idle ]' 'it is idle'
says 'All tests pass now, I changed 3 files.'
ok $? 'with its last words'
hook UserPromptSubmit '{"prompt":"once more","session_id":"abc"}'
waits_for '! afw ls | grep -q "All tests pass"' 'until its next turn'

exit_is 0 'another, without hooks' afw new two -a demo -m '[[until there]]'
waits_for 'afw capture two | grep -q Waiting' 'works on its task'
exit_is 0 'it is stopped meanwhile' afw stop two
# On a busy machine it is killed, or not counted.
like "$(afw ls | grep two)" 'stopped.* (\+0 -0|-)( +killed)?$' 'no spinner and no title is left there'
exit_is 0 'a session that does its task' env DEMO_SPEED=20 afw new three -a demo -m x
waits_for '[ "$(state_of three activity)" = waiting_for_input ]' 'asks'
exit_is 0 'is allowed' afw send three --approve
waits_for 'afw ls | grep -q "Done: x. The files are in demo/."' 'is done'
exit_is 0 'and stopped' afw stop three
like "$(afw ls)" 'stopped .*Done: x\. The files are in demo/\.' 'its words stay'

# Of a command afw knows no more than what it printed.
exit_is 0 'a command' afw new four -- sh -c 'echo well; echo bye'
waits_for 'afw ls | grep -q "^four .* stopped .*bye$"' 'its last line is there'
done_testing
