#!/bin/bash
# Commit, merge, pull request and removal in the dashboard.
. "$(dirname "$0")/dash.sh"

git init -q --bare "$T/remote.git"
git remote add origin "$T/remote.git"
cat >"$T/gh" <<'END'
#!/bin/bash
[ ! -e "$0.fails" ] || { echo 'no such account' >&2; exit 3; }
echo 'https://example.org/pull/7'
END
chmod +x "$T/gh"
mkdir -p "$XDG_CONFIG_HOME/afw"
printf 'pr_command = %s {branch} {base}\npr_state_command = echo DRAFT {url}\n' \
	"$T/gh" >"$XDG_CONFIG_HOME/afw/afw.ini"
seq 5 >lines
git add lines
git commit -qm 'five lines'
main=$(git branch --show-current)

# agent NAME SCRIPT
agent()
{
	afw new "$1" -- bash -c "$2; exec cat" >/dev/null || exit 2
	wait_for "afw status $1 --json | grep -q '\"activity\": *\"idle\"'"
}
agent first 'sed -i s/3/three/ lines'
agent second 'sed -i s/3/drei/ lines; git commit -qam "drei, not 3"'
tip() { git log -1 --format=%s "$main"; }

# press KEY TEXT: presses KEY until the screen has TEXT. The key is refused while
# the dry run is repeated, which it is when the session's counts arrive.
press()
{
	_press=$2
	keys "$1"
	while wait_for '_now=$(tmux_screen)
		[[ $_now == *"$_press"* || $_now == *"not yet: "* ]]' &&
		[[ $_now != *"$_press"* ]]; do
		keys Down
		tmux_wait_gone 'not yet: '
		keys "$1"
	done
}

dash 100 30
names_are 'first second' 'both are there'
keys g
selected_is first 'the first is selected'
see 'changes the same lines as second' 'sessions that change the same lines are shown by themselves'
row_like 3 '^> first .* \+1 -1 +≠ ' 'and marked in its row'
keys X
row_like 3 '^  NAME +WITH +FILES' 'X shows a table'
row_like 4 '^> (first +second|second +first) +lines' 'of the sessions that change the same lines'
see 'lines: both changed it, line 3' 'and the lines'
see "can be merged in this order: first; conflict after that: second" 'and the order'
keys Enter
see 'what first has changed' 'Enter shows the diff of one'
keys Tab
see 'what second has changed' 'and of the other'
keys q
see 'both changed it' 'q leads back'
keys q
gone 'both changed it' 'q leaves it'

keys j Space k
tmux_type mm
see 'not yet: what it would do' 'm at once merges nothing that was not shown'
see 'its worktree has uncommitted changes' 'm shows what is in the way'
see 'files:' 'and the files'
see '> lines    +1 -1' 'and what it has changed'
press Enter 'f files'
see '+three' 'Enter shows the lines of the file'
keys q
see 'its worktree has uncommitted changes' 'q leads back'
row_like 30 '^c commit  p pull request  Enter diff  q back *$' 'the last row has the keys that work'
mkdir -p .git/hooks
printf '#!/bin/sh\necho "afw: hint: a line of its own"; echo no trailing spaces; exit 1\n' \
	>.git/hooks/pre-commit
printf '#!/bin/sh\n' >.git/hooks/post-merge
chmod +x .git/hooks/pre-commit .git/hooks/post-merge
press c 'commit all, message: '
tmux_type 'refused'
keys Enter
see 'git has failed (exit code 1): no trailing spaces' 'a hook that refuses is reported'
rm .git/hooks/pre-commit
press c 'commit all, message: '
see 'commit all, message: refused' 'c commits, with the message to edit'
keys C-u
see 'commit all, message: first' 'an empty line means the name'
tmux_type 'three, not 3'
keys Enter
see 'merged into main without a conflict: fast-forward' 'which can be merged now'
see 'three, not 3' 'by its commits'
see 'hooks not run: post-merge' 'and without its hooks'
rm .git/hooks/post-merge
is "$(tip)" 'five lines' 'nothing is merged yet'

touch "$T/gh.fails"
press p 'Push the branch of first'
keys y
see 'no such account' 'a pull request that fails is reported'
rm "$T/gh.fails"
press p 'Push the branch of first'
keys y
see 'pull request: DRAFT https://example.org/pull/7' 'a pull request that was made stays visible, with its state'

git -C ../.af_worktrees/repo-first rm -q README
git -C ../.af_worktrees/repo-first commit -qm 'no README'
see 'no README' 'a commit made meanwhile is shown before the merge'

echo mine >>lines
press m '  lines'
see '  lines' 'changes in the main worktree stop it'
is "$(tip)" 'five lines' 'and nothing is merged'
git checkout -q lines
press m 'Stop and remove first and'
see 'Stop and remove first and its worktree?' 'after m it offers to remove'
is "$(tip)" 'no README' 'it is merged'
keys y
gone 'first ' 'and is removed'
see '1 marked' 'the other one stays marked'
is "$(sed -n 3p lines)" three 'the main worktree has it'

press m 'it conflicts with'
see 'it conflicts with' 'a conflict is shown before anything is touched'
see 'drei, not 3' 'with the commit'
press s 'let the agent resolve them: '
see 'let the agent resolve them: ' 'squash is refused'
is "$(tip)" 'no README' 'and nothing is merged'
see 'a sends the agent this message: Please merge commit' 'the message for the agent is shown'
press a 'second: submitted'
waits_for 'afw logs second | grep -q "^Please merge commit .* into your branch and resolve the conflicts"' \
	'a sends it'
keys q
gone 'drei, not 3' 'q leaves it'

exit_is 0 'another asks something' afw new asks -a demo -m '[[ask]]'
see 'Shall I go on?' 'which the list has'
keys g
selected_is asks 'is the first'
press m 'it is not done (waiting)'
see 'answer it first: `afw send asks --approve`' 'm shows the hint as it is'
unlike "$(tmux_screen)" 'a sends|a ask the agent' 'which is no message for the agent'
keys q
end
