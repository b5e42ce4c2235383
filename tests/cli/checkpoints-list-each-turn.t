#!/bin/bash
# checkpoints: one when a turn begins and one when it ends, with what it changed
# and what its check said; afw diff compares them.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
echo "check = test -e good" >"$XDG_CONFIG_HOME/afw/afw.ini"
tree=$T/.af_worktrees/repo-one

exit_is 0 'a session' afw new one -a demo
exit_is 0 'is ready' afw wait one --for idle -t 240s
exit_is 0 'a turn' afw send one --wait -- '[[write first]] make it good'
waits_for '[ "$(state_of one check)" = failed ]' 'whose check fails'
echo mine >"$tree/mine"
exit_is 0 'another' afw send one --wait -- '[[write good]] [[write second]]'
waits_for '[ "$(state_of one check)" = passed ]' 'whose check passes'
exit_is 0 'are listed' afw checkpoints one
like "$(afw checkpoints one | head -1)" ' CHANGES ' 'with the same titles as elsewhere'
like "$out" ' 1 +..:.. +turn-begin +1 +\+1 -0 +failed +\[\[write first\]\] make it good' \
	'when a turn began, with its message, what it changed, and its check'
like "$out" ' 2 +..:.. +turn-end +1 +\+1 -0 +-' \
	'when it ended, with what was changed after it'
like "$out" ' 3 +..:.. +turn-begin +2 +\+2 -0 +passed +\[\[write good\]\]' \
	'and the next'
like "$out" ' 4 +..:.. +turn-end +- +- +-' 'the last state'
exit_is 0 'JSON' afw checkpoints one --json
like "$out" '"kind":"turn-end","text":"\[\[write first\]\] make it good"' 'has them'
like "$out" '"at":"20[0-9-]*T[0-9:.]*Z"' 'with times as elsewhere'
like "$out" '"check":"passed"' 'and the check'

is "$(afw diff one --from 1 --stat | sed -n 's/ *|.*//p' | xargs)" \
	'first good mine second' 'a diff since one'
is "$(afw diff one --from 1 --to 2 --stat | sed -n 's/ *|.*//p' | xargs)" \
	first 'a diff between two'
is "$(afw diff one --from 4)" '' 'nothing since the last'
refused 1 'no checkpoint 999' 'diff from a missing checkpoint' \
	afw diff one --from 999
refused 2 'to is only for --from' '--to alone' afw diff one --to 3
refused 2 'cannot be combined with --from' 'from and turn' afw diff one --turn --from 3
refused 2 'from' 'no number' afw diff one --from x

truncate -s 65M "$tree/large"
exit_is 0 'checkpoint by hand' afw checkpoint one -m 'before lunch'
like "$err" 'one: left out: large' 'names what is too large'
rm "$tree/large"
like "$out" '^one: checkpoint [0-9]+, [0-9]+ files? changed since the previous one$' \
	'and prints its number'
like "$(afw checkpoints one | tail -1)" ' user .* before lunch$' 'with its note'
is "$(git for-each-ref --format='%(refname)' | grep -v refs/heads/)" '' \
	'git shows none of them'
git -c gc.worktreePruneExpire=never gc -q --prune=now
exit_is 0 'and does not delete them' afw diff one --from 1 --stat

exit_is 0 'merge' afw commit one -m all
exit_is 0 'merge' afw merge one
like "$(afw checkpoints one)" ' merge ' 'takes one before'
echo late >"$tree/late"
exit_is 0 'stop' afw stop one
like "$(afw checkpoints one | tail -2)" ' merge +1 +\+1 -0 .* stop ' 'takes one at the end'

exit_is 0 'removed' afw rm one
exit_is 0 'and restored' afw trash restore one
like "$(afw checkpoints one | tail -1)" ' stop ' 'they came back'
rm -rf "$tree"
refused 1 'checkpoint of .one.: ' 'no checkpoint without a worktree' afw checkpoint one
done_testing
