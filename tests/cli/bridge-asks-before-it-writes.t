#!/bin/bash
# A tool that changes an issue asks the user first: the question is answered
# like an approval, by a rule or by the user, and applies to exactly that text.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
. "$ROOT/tests/cli/bridge.sh"
cat >"$T/tracker" <<'END'
#!/bin/sh
printf '%s|' "$@" >>"$0.log"
echo done
END
chmod +x "$T/tracker"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
bridge = yes
issues_create_command = $T/tracker create --title={title} {body}
issues_comment_command = $T/tracker comment {issue} {body}
issues_update_command = $T/tracker update {issue} {state}
[approve.no-updates]
tool = af_issues
pattern = update
decision = deny
[approve.comments]
tool = af_issues
pattern = comment
decision = allow
END
touch "$T/tracker.log"
wrote() { cat "$T/tracker.log"; }

# begin ARGUMENTS: as use af_issues, without the answer; end_call: that.
begin()
{
	_id=$((_id + 1))
	printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"af_issues","arguments":%s}}\n' \
		$_id "$1" >&"$to"
}
end_call()
{
	IFS= read -r -t "$DEADLINE" out <&"$from" || fail 'an answer'
	said=$(json result.content.0.text) bad=$(json result.isError)
}
asks() { waits_for '[ "$(state_of one question_id)" != null ]' "$1"; }

agent one
ask tools/list
like "$out" '"readOnlyHint":false,"destructiveHint":false,"openWorldHint":true' \
	'a harness is told that the tool writes'

# -- the user -------------------------------------------------------------------

begin '{"action":"create","title":"Login\u001b[31m fails","body":"It\nis broken."}'
asks 'the user is asked'
is "$(state_of one question)" \
	'af_issues: create, title: "Login\u001b[31m fails", body: "It\nis broken."' \
	'all that will be written, in one line'
waits_for '[ "$(state_of one activity)" = waiting_for_input ]' 'the agent waits'
like "$(afw ls)" 'waiting +[0-9]+s.*af_issues: create' \
	'as the list says, since it asks'
like "$(afw status one)" 'af_issues: create, title' 'and the status'
like "$(afw status -v one)" 'because.*a tool asks you first, af_issues: create' \
	'with the reason'
is "$(wrote)" '' 'nothing is written before the answer'
refused 4 'no approval|another' 'another question is not answered' \
	afw send one --approve --question 0123abcd
exit_is 0 'yes' afw send one --approve --question "$(state_of one question_id)"
is "$out" 'one: approved: af_issues: create, title: "Login\u001b[31m fails", body: "It\nis broken."' \
	'which is reported'
end_call
is "$said $(wrote)" $'done create|--title=Login\e[31m fails|It\nis broken.|' \
	'then it is done'
waits_for '[ "$(state_of one question_id) $(state_of one activity)" != \
	"null waiting_for_input" ]' 'and nothing waits any more'
is "$(state_of one question_id)" null 'with no question left'
exit_is 0 'events' afw events one --json
like "$out" '"event":"question".*af_issues.*"event":"answer".*"answer":"approve"' \
	'both are in the history'

: >"$T/tracker.log"
begin '{"action":"create","title":"x","body":"y"}'
asks 'each call is asked about'
exit_is 0 'no' afw send one --deny
end_call
is "$bad $said $(wrote)" 'true af_issues: the user does not allow it ' 'a no is a no'
begin '{"action":"create","title":"x","body":"'"$(printf 'y%.0s' {1..300})"'€"}'
asks 'a long text'
like "$(state_of one question)" 'title: "x", body: "y+\.\.\.$' 'is cut where it is listed'
like "$(afw status -v one)" 'because.*y{300}€' 'and printed whole'
exit_is 0 'no' afw send one --deny
end_call
use af_issues '{"action":"create","title":"x"}'
like "$said" 'body is missing' 'the user is not asked about a call that cannot be done'
use af_issues '{"action":"create","title":"x","body":"'"$(printf 'y%.0s' {1..7000})"'"}'
like "$said" 'at most' 'and not about more than can be read'
use af_issues '{"action":"comment","issue":"7","body":"-y"}'
like "$said" "cannot begin with '-'" 'no text is an option'

# -- rules ------------------------------------------------------------------------

use af_issues '{"action":"comment","issue":"7","body":"It is (fixed)."}'
is "$said $(wrote)" 'done comment|7|It is (fixed).|' 'a rule allows it'
use af_issues '{"action":"update","issue":"7","state":"closed"}'
is "$bad $said" 'true af_issues: the user does not allow it' 'or not'
exit_is 0 'events' afw events one --json
like "$out" '"answer":"approve","rule":"comments".*"answer":"deny","rule":"no-updates"' \
	'which is in the history'
is "$(state_of one question_id)" null 'and the user was not asked'

# -- no tool waits any more -----------------------------------------------------------

# again: another bridge of the same session, after the end of the last.
again()
{
	kill "$(pgrep -f "afw-tools $(session_dir one)")"
	disconnect
	rm -f "$T/in" "$T/out"
	mkfifo "$T/in" "$T/out"
	AF_DOOR=$(session_dir one)/home/door "$BUILD/afw-supervisor" mcp \
		<"$T/in" >"$T/out" &
	exec {to}<>"$T/in" {from}<>"$T/out"
	_id=0
	ask ping
}
: >"$T/tracker.log"
begin '{"action":"create","title":"later","body":"b"}'
asks 'it asks'
id=$(state_of one question_id)
again
is "$(state_of one question_id)" "$id" 'the question outlives its bridge'
begin '{"action":"create","title":"later","body":"b"}'
ok_cmd 'the same call waits for the same answer' \
	wait_for '[ "$(state_of one question_id)" = "$id" ]'
again
exit_is 0 'yes' afw send one --approve
like "$out" 'when it asks again' 'the answer is kept'
use af_issues '{"action":"create","title":"later","body":"b"}'
is "$said $(wrote)" 'done create|--title=later|b|' 'for the same call'
begin '{"action":"create","title":"later","body":"b"}'
asks 'once'
again
exit_is 8 'another task' afw send one 'Do something else.'
waits_for '[ "$(state_of one question_id)" = null ]' 'ends the question'

# -- an agent is not the user -------------------------------------------------------

begin '{"action":"create","title":"z","body":"z"}'
asks 'it asks once more'
exit_is 0 'an agent answers' afw new other -- \
	sh -c "afw send one --approve 2>said; echo \$? >code; cat"
tree=$T/.af_worktrees/repo-other
waits_for '[ -s "$tree/code" ]' 'at once'
is "$(<"$tree/code")" 9 'and is refused'
like "$(<"$tree/said")" 'what runs in a session may not do that' 'in words'
disconnect
afw stop one other >/dev/null
is "$(state_of one question_id)" null 'a session that has ended asks nothing'
unlike "$(wrote)" 'z' 'and a call that was not allowed was not done'
done_testing
