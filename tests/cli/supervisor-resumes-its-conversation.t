#!/bin/bash
# resume gives the harness its earlier conversation, and so does start if there
# is one; start --fresh begins another.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir "$T/bin"
cat >"$T/bin/claude" <<END
#!/bin/bash
printf '%s\n' "\$@" >"$T/args"
exec sleep 1000
END
chmod +x "$T/bin/claude"
PATH=$T/bin:$PATH
export CLAUDE_CONFIG_DIR=$T/claude
after() { grep -A1 -Fx -- "$1" "$T/args" | sed -n 2p; }

exit_is 0 'a session' afw new one -a claude
wait_for '[ -s "$T/args" ]'
first=$(after --session-id)
like "$first" '^[0-9a-f-]{36}$' 'its conversation has an id of ours'
exit_is 0 'status' afw status one --json
is "$(json conversation)" "$first" 'which the state knows'
exit_is 0 'stop' afw stop one
rm "$T/args"
mkdir -p "$T/claude/projects/x"
echo '{}' >"$T/claude/projects/x/$first.jsonl"
exit_is 0 'resume' afw resume one
like "$out" 'resumed its conversation' 'says that it resumed'
wait_for '[ -s "$T/args" ]'
is "$(after --resume)" "$first" 'and it is the same one'
exit_is 0 'stop' afw stop one
rm "$T/args"
exit_is 0 'start' afw start one
is "$out" 'one: resumed its conversation' 'resumes, too'
wait_for '[ -s "$T/args" ]'
is "$(after --resume)" "$first" 'the same one'
for last in suspend 'kill -9'; do
	if [ "$last" = suspend ]; then
		afw suspend one >"$T/null"
	else
		kill -9 "$(state_of one supervisor_pid)"
		wait_for '[ "$(state_of one phase)" = error ]'
	fi
	rm "$T/args"
	exit_is 0 "start after $last" afw start one
	wait_for '[ -s "$T/args" ]'
	is "$(after --resume)" "$first" 'continues it as well'
done
exit_is 0 'stop' afw stop one
rm "$T/args"
exit_is 0 'start --fresh' afw start --fresh one
is "$out" 'one: started with a new conversation' 'says that it started afresh'
wait_for '[ -s "$T/args" ]'
isnt "$(after --session-id)" "$first" 'with a new conversation'
exit_is 0 'stop' afw stop one
# Nothing was said in the new one, and Claude Code has not stored it.
exit_is 0 'start without a conversation to resume' afw start one
is "$out$err" 'one: started with a new conversation' 'starts afresh, and that is no surprise'
exit_is 0 'stop' afw stop one
exit_is 0 'resume gets the conversation' afw resume one
like "$err" 'has no transcript.*started with a new' 'and it warns'
exit_is 0 'stop' afw stop one
done_testing
