#!/bin/bash
# Issues and CI, by the user's own commands: a tool that has a command
# is offered, and the agent's text becomes a single argument of it.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
ini=$XDG_CONFIG_HOME/afw/afw.ini
. "$ROOT/tests/cli/bridge.sh"
cat >"$T/tracker" <<'END'
#!/bin/bash
case $1 in
log) for ((i = 1; i <= 40000; i++)); do echo "step $i of job $2"; done ;;
*) printf '%s\n' "$PWD" "$@" ;;
esac
[ "$2" != fails ] || { echo 'no such tracker' >&2; exit 3; }
END
chmod +x "$T/tracker"

# -- what is offered ----------------------------------------------------------

printf '%s\n' 'bridge = yes' "issues_read_command = $T/tracker read {issue}" \
	"ci_log_command = $T/tracker log {job}" >"$ini"
agent few
ask tools/list
like "$out" '"enum":\["read"\]' 'an action without a command is not offered'
use af_issues '{"action":"list"}'
like "$said" "action cannot be 'list'" 'and it cannot be called'
use af_ci_status
like "$said" 'no command for a branch' 'a branch without a command is refused in words'
exit_is 0 'status' afw status few
like "$out" 'tool +af_issues: offered: read
.*tool +af_ci_status: offered: .*log
.*tool +af_sessions: offered
.*tool +af_message: not offered: agent_messages = no' \
	'has a line for each tool: offered, or why not'
exit_is 0 'status' afw status few --json
is "$(json tools.0.name) $(json tools.0.offered) $(json tools.2.offered)" \
	'af_subtask_state true false' 'as --json has'
afw stop few >/dev/null
disconnect
like "$(afw status few)" 'tool +af_issues: offered: read' 'also if it has ended'
exit_is 0 'without a bridge' afw new none -o bridge=no -- sleep 600
unlike "$(afw status none)" 'tool ' 'there are no such lines'
afw stop none >/dev/null

cat >"$ini" <<END
bridge = yes
issues_list_command = $T/tracker list
issues_read_command = $T/tracker read {issue} {branch}/{issue}{
issues_search_command = $T/tracker search {query} in={query}
ci_command = $T/tracker ci {branch}
ci_log_command = $T/tracker log {job}
END
agent one
ask tools/list
like "$out" '"enum":\["list","read","search"\]' 'with all commands all is offered'
like "$out" 'af_ci_status.*"run".*"job".*"log"' \
	'with all arguments'

# -- issues --------------------------------------------------------------------

use af_issues '{"action":"list"}'
is "$said" "$T/repo"$'\nlist' 'issues are listed by a command in the repository'
use af_issues '{"action":"search","query":"a b; touch /tmp/x {branch}"}'
is "$said" "$T/repo"$'\nsearch\na b; touch /tmp/x {branch}\nin=a b; touch /tmp/x {branch}' \
	'searched without a shell, and what is filled in is filled in once'
use af_issues '{"action":"read","issue":"AFW-12"}'
is "$said" "$T/repo"$'\nread\nAFW-12\naf/one/AFW-12{' 'and read'
for id in 'https://example.org/other/issues/1' '../x' 'other/repo#1' "$(printf '1%.0s' {1..65})"; do
	use af_issues "{\"action\":\"read\",\"issue\":\"$id\"}"
	like "$said" 'issue is not an id' "${id:0:40} is no issue of this repository"
done
use af_issues '{"action":"search","query":"--web"}'
like "$said" "query cannot begin with '-'" 'no query is an option'
use af_issues '{"action":"read"}'
like "$said" 'issue is missing' 'the arguments that the command needs must be given'
use af_issues '{"action":"search","query":"fails"}'
like "$said" 'failed \(3\): no such tracker' 'a command that fails says why'

# -- continuous integration ------------------------------------------------------

use af_ci_status
is "$said" "$T/repo"$'\nci\naf/one' 'CI of its own branch'
use af_ci_status '{"branch":"main"}'
is "$said" "$T/repo"$'\nci\nmain' 'of another branch'
use af_ci_status '{"job":"5","log":2}'
is "$said" $'step 39999 of job 5\nstep 40000 of job 5' \
	'the end of a log of 900 kB, in lines'
use af_ci_status '{"job":"5","log":0}'
is "$(wc -l <<<"$said") ${said%%$'\n'*}" '100 step 39901 of job 5' '100 by default'
use af_ci_status '{"log":5}'
like "$said" 'job is missing' 'a log of nothing is refused'

afw stop one >/dev/null
disconnect
done_testing
