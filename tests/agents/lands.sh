# lands.sh - a real agent resolves the conflict of a landing. Sourced after
# agent_begins AGENT; the options of its start are the other arguments.

# lands AGENT OPTION...: the model is told by the other side's subject, which the
# message quotes, to call the shell.
lands()
{
	local agent=$1
	shift
	seq 9 >lines && git add lines && git commit -qm lines
	exit_is 0 'one session' afw new mine -a "$agent" -m 'say something [[text=hello]]' -- "$@"
	waits_for '[ "$(state_of mine activity)" = completed ]' 'that is done'
	sed -i '3s/.*/mine/' "$T/.af_worktrees/repo-mine/lines"
	git -C "$T/.af_worktrees/repo-mine" commit -qam mine
	exit_is 0 'and another' afw new other --no-start -- cat
	sed -i '3s/.*/other/' "$T/.af_worktrees/repo-other/lines"
	printf '%s\n' 'git merge -q main' 'sed -i "/^[<=>]/d" lines' 'git commit -qam both' >"$T/resolve"
	git -C "$T/.af_worktrees/repo-other" commit -qam "[[tool=bash:sh $T/resolve >$T/resolved 2>&1]]"
	printf 'check = test -s lines\n' >>"$XDG_CONFIG_HOME/afw/afw.ini"
	exit_is 0 'land' afw land -y other mine
	like "$out" 'mine: it conflicts with main: asked its agent to resolve that.*mine: merged into main \(fast-forward\), check passed in .*, after 1 turn' \
		'has the agent resolve the conflict, and lands it'
	is "$(sed -n 3,4p lines | sort | tr '\n' ' ')$(git log -1 --format=%s main)" 'mine other both' 'as it has'
	like "$(afw ls)" 'mine .*merged' 'which lists show at once'
}
