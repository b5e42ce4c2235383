#!/bin/bash
# An agent in landlock can use its tools, in afw's terminal and in tmux; the
# tools can read what the agent cannot; they end with their supervisor.
. "$(dirname "$0")/../lib.sh"
afw_env
needs_landlock
make_repo "$T/repo"
cd "$T/repo" || exit 2
. "$ROOT/tests/cli/bridge.sh"
mkdir -p "$XDG_CONFIG_HOME/afw"
echo "the tracker's answer" >"$T/private"
printf '%s\n' 'bridge = yes' "issues_list_command = cat $T/private" \
	>"$XDG_CONFIG_HOME/afw/afw.ini"

for backend in pty tmux; do
	agent $backend --sandbox landlock --backend $backend
	like "$(afw exec $backend -- cat "$T/private" 2>&1)" \
		'private: (No such|Permission)' 'a file that it cannot read'
	use af_issues '{"action":"list"}'
	is "$said" "the tracker's answer" 'it has by af_issues'
	use af_spec_read
	is "$(field workspace)" $backend 'and by af_spec_read what it is'
	use af_memory_note '{"text":"Noted inside."}'
	is "$bad" false 'and by af_memory_note a memory'
	pid=$(pgrep -f "afw-tools $DATA")
	kill -9 "$(state_of $backend supervisor_pid)"
	waits_for 'has_ended "$pid"' 'its tools end where their supervisor is killed'
	disconnect
	exit_is 0 'rm' afw rm -s $backend
done
is "$(afw memory | grep -c 'Noted inside')" 2 'notes outlive them'
done_testing
