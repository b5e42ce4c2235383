#!/bin/bash
# AFW_SESSION and the like are set in the agent, its services, shells and check,
# in each backend and sandbox (podman: podman-holds-a-session.t).
. "$(dirname "$0")/../lib.sh"
# Not in /tmp, which landlock has another one of.
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<'END'
check = sh -c "env | sort >check.tmp; mv check.tmp check.env"
[service.beside]
command = sh -c "env | sort >service.tmp; mv service.tmp service.env; exec sleep 600"
END
names='AFW_(SESSION|WORKSPACE|ROLE|BRANCH|REPOSITORY|RUN)'
afws() { grep -aE "^$names=" "$1"; }
run_of() { sed -n 's/^AFW_RUN=//p' "$1"; }

# As in an agent of afw's that starts another one.
export AFW_SESSION=other AFW_WORKSPACE=other AFW_ROLE=other AFW_RUN=other

# knows NAME: what agent.env in its worktree has.
knows()
{
	local tree=$T/.af_worktrees/repo-$1
	waits_for "[ -e '$tree/agent.env' ] && [ -e '$tree/service.env' ]" \
		"$1: runs, and its service"
	is "$(afws "$tree/agent.env")" "AFW_BRANCH=af/$1
AFW_REPOSITORY=$T/repo
AFW_RUN=$(state_of "$1" run)
AFW_SESSION=$(state_of "$1" id)
AFW_WORKSPACE=$1" "$1: the agent knows where it is"
	like "$(run_of "$tree/agent.env")" '^[0-9a-f]{16}$' "$1: and which run"
	is "$(afws "$tree/service.env")" "$(afws "$tree/agent.env")" \
		"$1: as its service does"
}

agent=(sh -c 'env | sort >agent.tmp; mv agent.tmp agent.env; exec cat')
exit_is 0 'pty' afw new one -e AFW_BRANCH=mine -e AFW_ROLE=mine -- "${agent[@]}"
knows one
tree=$T/.af_worktrees/repo-one
like "$(afw events one --json | grep agent:started)" \
	"\"run\":\"$(state_of one run)\"" 'an event names the run'
exit_is 0 'a shell' afw exec -n side one -- \
	sh -c 'env | sort >shell.tmp; mv shell.tmp shell.env'
waits_for '[ -e "$tree/shell.env" ]' 'runs'
is "$(afws "$tree/shell.env")" "$(afws "$tree/agent.env")" 'and knows the same'
run afw exec one -- sh -c 'env >exec.env'
is "$(afws "$tree/exec.env" | sort)" "$(afws "$tree/agent.env")" 'as exec does'
was=$(run_of "$tree/agent.env")
rm "$tree"/*.env
exit_is 0 'again' afw restart one
knows one
isnt "$(run_of "$tree/agent.env")" "$was" 'each start is another run'
exit_is 0 'stop' afw stop one
run afw exec one -- sh -c 'env >exec.env'
is "$(run_of "$tree/exec.env")" '' 'without an agent there is no run'

exit_is 0 'a role' afw new role -t implementor -a demo -m '[[lines 1]]'
tree=$T/.af_worktrees/repo-role
waits_for '[ -e "$tree/check.env" ]' 'is checked'
like "$(afws "$tree/check.env")" "AFW_ROLE=implementor" \
	'and the check knows it'
is "$(afws "$tree/check.env")" "$(afws "$tree/service.env")" \
	'the role and the rest'

if command -v tmux >/dev/null; then
	exit_is 0 'tmux' afw new two --backend tmux -- "${agent[@]}"
	knows two
fi
if [[ $("$BUILD/afw-supervisor" confine | tr '\n' ' ') == [6-9]' yes ' ]]; then
	exit_is 0 'landlock' afw new three --sandbox landlock -- "${agent[@]}"
	knows three
fi
done_testing
