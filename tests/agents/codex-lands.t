#!/bin/bash
# afw land asks the real Codex to resolve a conflict. Its own sandbox keeps git's
# directory as it is, so it asks before git merge, unless its rules allow that.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'an agent is at work there, not afw'
. "$(dirname "$0")/codex.sh"
. "$(dirname "$0")/lands.sh"
agent_begins codex
mkdir -p "$XDG_CONFIG_HOME/afw" "$HOME/.codex/rules"
# As afw-land(1) says it.
sed -n '/^prefix_rule/,/^\.Ed/{/^\.Ed/d;p}' "$ROOT/man/afw-land.1" >"$HOME/.codex/rules/default.rules"
(
	wait_for '[ "$(state_of mine activity)" = waiting_for_input ]'
	afw send mine --approve >"$T/approved" 2>&1
) &
lands codex "${ASKS[@]}"
wait $!
like "$out" 'mine: its agent asks: .*sh .*/resolve' 'after the user has answered'
like "$(<"$T/approved")" 'approved' 'as asked'

sed -i '7s/.*/mine/' "$T/.af_worktrees/repo-mine/lines"
git -C "$T/.af_worktrees/repo-mine" commit -qam more
exit_is 0 'a third one' afw new third --no-start -- cat
sed -i '7s/.*/third/' "$T/.af_worktrees/repo-third/lines"
git -C "$T/.af_worktrees/repo-third" commit \
	-qam '[[tool=*exec_command:{"cmd":"git merge -q -X ours main"}]]'
exit_is 0 'with a command that its rules allow' afw land -y third mine
unlike "$out" 'asks' 'nobody is asked'
like "$out" 'mine: merged into main \(fast-forward\), check passed in .*, after 1 turn' 'and it lands'
is "$(sed -n 7p lines)" mine 'as it has resolved it'
agent_end
