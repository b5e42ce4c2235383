#!/bin/bash
# afw merge merges a session's commits into its base branch, or changes nothing
# and prints why.
. "$(dirname "$0")/../lib.sh"
afw_env
seq 1 20 >"$T/lines"
make_repo "$T/repo" README gone
cd "$T/repo" || exit 2
cp "$T/lines" lines
printf '*.log\n' >.gitignore
git add -A && git commit -qm lines

# A session whose branch has one more commit: session NAME 'shell commands'.
session()
{
	run afw new "$1" --no-start -- cat
	[ "$code" = 0 ] || diag "new $1: $err"
	tree=$T/.af_worktrees/repo-$1
	[ -z "${2-}" ] || (cd "$tree" && eval "$2" && git add -A && git commit -qm "work of $1")
}
tip() { git rev-parse "${1:-main}"; }
# All that a merge could change: branch, index, files.
snapshot() { tip; git diff; git diff --cached; git status --short; ls -A; cat lines; }
# unchanged CODE REGEX NAME CMD...: fails so, and nothing is changed.
unchanged()
{
	local code_is=$1 re=$2 name=$3 before
	shift 3
	before=$(snapshot)
	exit_is "$code_is" "$name" "$@"
	like "$err" "$re" "$name: says why"
	is "$(snapshot)" "$before" "$name: nothing is changed"
	nok_cmd "$name: no lock is left" test -e .git/index.lock
}

# --- as far as git can, fast-forward ----------------------------------------
session ff 'echo new >new; mkdir -p a/b; echo deep >a/b/c; chmod +x README; git rm -q gone; ln -s new link'
exit_is 0 'a dry run' afw merge ff --dry-run
like "$out" 'af/ff into main: 1 commit.*work of ff.*fast-forward' 'prints what it would do'
isnt "$(tip)" "$(tip af/ff)" 'but changes nothing'
run touch -d '1 hour ago' lines
before=$(stat -c '%y %i' lines)
exit_is 0 'a merge' afw merge ff
is "$(tip)" "$(tip af/ff)" 'fast-forwards'
is "$(git status --short)" '' 'the worktree and its index follow'
is "$(cat new a/b/c; readlink link; test -x README && echo runs; test -e gone && echo there)" \
	$'new\ndeep\nnew\nruns' 'with all files'
is "$(stat -c '%y %i' lines)" "$before" 'and no other is touched'
like "$(git reflog -1 main) $(git reflog -1 HEAD)" 'afw merge af/ff: fast-forward.*HEAD.*afw merge af/ff' \
	'both reflogs have it'
like "$out" "; updated the files in $T/repo$" 'names the worktree'
like "$err" 'afw rm ff' 'the next step is printed'
unlike "$err" check 'without a check there is no warning of one'
exit_is 0 'once more' afw merge ff
like "$out" 'main has all of it already' 'is no more to do'
exit_is 0 'rm' afw rm ff
nok_cmd 'then takes it away, with its branch' git rev-parse -q --verify af/ff

# --- a merge commit, a squash, a rebase --------------------------------------
session one 'sed -i s/^3$/three/ lines'
session two 'sed -i s/^17$/seventeen/ lines; echo two >two'
(cd "$tree" && echo more >>two && git commit -qam 'more of two')
session three 'echo three >three'
(cd "$tree" && echo more >>three && git commit -qam 'more of three' --author 'Agent <a@example.org>')
exit_is 0 'the first' afw merge one
old=$(tip)
exit_is 0 'both have moved' env GIT_AUTHOR_NAME=Ann afw merge two
is "$(git log -1 --format='%s|%an|%cn|%P')" \
	"Merge branch 'af/two' into main|Ann|Test|$old $(tip af/two)" \
	'becomes a merge commit as of git'
is "$(sed -n '3p;17p' lines)" $'three\nseventeen' 'with the lines of both'
is "$(git status --short)" '' 'and a clean worktree'
exit_is 0 'a rebase' afw merge three --rebase --json
is "$(json how)|$(json merged)|$(json into)" 'rebase|true|main' 'is reported in JSON'
is "$(git log -2 --format='%s by %an, %cn')" \
	$'more of three by Agent, Test\nwork of three by Test, Test' 'has its commits'
is "$(git log -1 --format=%P main~1)" "$(git rev-parse ':/Merge')" 'after those of main'
session four 'echo four >four'
(cd "$tree" && echo more >>four && git commit -qam 'more of four')
exit_is 0 'a squash' afw merge four --squash
is "$(git log -1 --format=%B)" $'Squash branch \'af/four\'\n\n* more of four\n* work of four' \
	'is one commit'
exit_is 0 'once more' afw merge four --squash
like "$out" 'has all of it already' 'has nothing to add'
session five 'echo five >five'
exit_is 0 'a text' afw merge five --squash -m 'all of five'
is "$(git log -1 --format=%s)" 'all of five' 'is the message'
is "$(git status --short)" '' 'the worktree is clean'
is "$(git fsck --strict 2>&1 | grep -v dangling)" '' 'the repository is whole'

# --- conflicts ----------------------------------------------------------------
session left 'sed -i "5,6s/.*/left/" lines; rm two; git rm -q --cached two'
session right 'sed -i "4,5s/.*/right/;12s/.*/right/" lines; echo right >>two; echo both >both'
run afw merge left
unchanged 4 'conflicts with main; nothing is changed' 'a conflict' afw merge right
like "$out" $'conflicts:\n  lines: both changed it, lines 4-6' 'names the file and the lines'
like "$out" 'two: deleted there, changed by the session' 'and what was deleted'
like "$err" "hint: .*afw send right \"Please merge commit $(git rev-parse --short=10 main) into" 'the agent can solve it'
unchanged 4 'conflicts' 'a rebase that conflicts' afw merge right --rebase
like "$out" 'work of right' 'names the commit'
unchanged 4 'conflicts' 'in JSON' afw merge right --json
is "$(json refused)|$(json merged)|$(json conflicts.0.path)|$(json conflicts.0.lines.0.from)" \
	'conflicts|false|lines|4' 'the same'

# --- what is not committed ----------------------------------------------------
session dirty 'echo dirty >dirty'
echo more >>"$tree/dirty"
echo x >"$tree/un tracked"
unchanged 4 'its worktree has uncommitted changes' 'uncommitted work' afw merge dirty
like "$out" $'^files:\n  dirty\n  un tracked' 'is listed'
like "$err" 'afw commit dirty' 'and can be committed'
rm "$tree/un tracked"
(cd "$tree" && git commit -qam 'more of dirty' && git checkout -q --detach)
unchanged 4 'is on no branch, not on its branch' 'a session that is on no branch' afw merge dirty
git -C "$tree" switch -q af/dirty

# --- the user's own changes ---------------------------------------------------
session mine 'sed -i 1s/.*/first/ lines; echo mine >mine; rm five; echo ignored >x.log; git add -f x.log'
echo own >>lines
unchanged 4 'has changes of its own' 'a file that is modified' afw merge mine
like "$out" $'\n  lines$' 'is named'
git stash -q
echo own >mine
unchanged 4 'changes of its own' 'an untracked file in the way' afw merge mine
stash=${err#*\`} stash=${stash%%\`*}
is "$(sh -c "${stash/FILES/mine}" >/dev/null; ls mine 2>/dev/null)" '' \
	'the command of its hint puts it away'
git stash drop -q
mkdir mine; echo own >mine/own
unchanged 4 'changes of its own' 'a directory in the way' afw merge mine
rm -r mine
echo own >x.log
unchanged 4 'changes of its own' 'an ignored file in the way' afw merge mine
is "$(cat x.log)" own 'which stays'
unchanged 4 'changes of its own' 'a dry run reports it, too' afw merge mine --dry-run
rm x.log
sed -i 1s/.*/staged/ lines; git add lines; git show HEAD:lines >lines
unchanged 4 'changes of its own' 'a file that is only staged' afw merge mine
git reset -q --hard
ln -s "$T" mine
unchanged 4 'changes of its own' 'a link in the way' afw merge mine
rm mine
touch .git/index.lock
exit_is 4 'while another git is running' afw merge mine
like "$err" 'another git is running.*hint: .*index.lock' 'it is refused'
rm .git/index.lock
git worktree add -q "$T/twice" -f main
unchanged 4 'checked out in 2 worktrees' 'a branch that is checked out twice' afw merge mine
git worktree remove "$T/twice"
# What has nothing to do with it stays as it is.
echo unrelated >>README; echo new >untracked; echo staged >staged; git add staged
before=$(git status --short)
exit_is 0 'changes elsewhere' afw merge mine
is "$(git status --short)" "$before" 'stay, staged or not'
is "$(tip)|$(cat mine)|$(sed -n 1p lines)" "$(git rev-parse main)|mine|first" 'beside the work'
git reset -q --hard; rm untracked

# --- killed in the middle -----------------------------------------------------
# Files are there, index and branch not yet: the next run finishes.
session killed 'echo killed >killed; sed -i 2s/.*/killed/ lines; rm new'
old=$(tip)
echo killed >killed; cp "$tree/lines" lines
exit_is 0 'a merge that a killed run has begun' afw merge killed
is "$(git status --short)|$(test -e new && echo there)" '|' 'is finished'
is "$(tip)" "$(git rev-parse af/killed 2>/dev/null)" 'to the end'

# A real one: no file is ever met half-written.
session many 'mkdir m; for i in {1..500}; do echo $i >m/$i; done; sed -i 30,40d lines; rm -f killed'
afw merge many >"$T/null" 2>&1 &
until [ -e m/1 ] || has_ended $!; do :; done
kill -KILL $(pgrep -P $!) $! 2>"$T/null"
wait $! 2>"$T/null"
is "$(grep -c . m/* | grep -v :1$)" '' 'those that are there are whole'
find .git -name '*.lock' -delete
exit_is 0 'the next run' afw merge many
is "$(git status --short)|$(tip)|$(ls -d .git/afw-merge 2>&1 | grep -c '^\.git')" "|$(tip af/many)|0" \
	'finishes and leaves nothing'

# --- where the branch is not checked out ---------------------------------------
session away 'echo away >away'
git checkout -q --detach
exit_is 0 'a branch that is checked out nowhere' afw merge away
is "$(tip)|$(git status --short)|$(test -e away && echo there)" "$(tip af/away)||" 'moves alone'
git switch -q -c other main~1
session into 'echo into >into'
git worktree add -q "$T/linked" main
exit_is 0 'one in a linked worktree' afw merge into --into main
is "$(<"$T/linked/into")|$(git -C "$T/linked" status --short)|$(git status --short)" 'into||' \
	'is updated there'
like "$(git -C "$T/linked" reflog -1 HEAD)" 'afw merge' 'with its reflog'
exit_is 0 'and its base branch' afw merge into
is "$(tip other)|$(cat into)" "$(tip af/into)|into" 'here'
exit_is 1 'a branch that is not there' afw merge into --into nowhere
like "$err" 'there is no branch nowhere.*hint: --into' 'is reported'
exit_is 2 'its own branch' afw merge into --into af/into
git worktree remove "$T/linked"

# --- nothing of the tree is run ------------------------------------------------
printf '#!/bin/sh\ntouch "%s"\ncat\n' "$T/ran" >"$T/evil"
chmod +x "$T/evil"
for hook in pre-commit post-commit post-merge pre-merge-commit post-checkout reference-transaction; do
	cp "$T/evil" ".git/hooks/$hook"
done
mkdir .git/parked; mv .git/hooks/* .git/parked
session hostile 'echo "* filter=evil merge=evil diff=evil" >.gitattributes; echo h >hostile'
mv .git/parked/* .git/hooks
git config core.fsmonitor "$T/evil"
exit_is 0 'hooks, fsmonitor and filters of a hostile tree' afw merge hostile
nok_cmd 'are not run' test -e "$T/ran"
is "$(cat hostile)" h 'its files are there'
rm -f .git/hooks/* && git config --unset core.fsmonitor
session lfs 'echo x >lfs'
git config filter.evil.smudge "$T/evil"
exit_is 9 'a file that git would filter' afw merge lfs
like "$err" 'has the filter evil, which afw does not run.*hint: merge with git' 'is left to git'
nok_cmd 'and not run either' test -e "$T/ran"
git config --unset filter.evil.smudge

# --- a bare repository ----------------------------------------------------------
git clone -q --bare . "$T/bare.git"
cd "$T/bare.git"
run afw new bare --no-start -- cat
(cd "$T/.af_worktrees/bare-bare" && echo b >b && git add b && git commit -qm bare)
exit_is 0 'a bare repository' afw merge bare
is "$(tip HEAD)" "$(tip af/bare)" 'has it'
cd "$T/repo"

# --- what works ------------------------------------------------------------------
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
mkdir -p "$XDG_CONFIG_HOME/afw"
printf 'check = test -e good\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'an agent' afw new agent -a demo
exit_is 0 'is ready' afw wait agent --for idle -t 240s
refused 9 'its check has not run since its last turn$' 'one that was never checked' \
	afw merge agent --require-check
run afw send agent "[[until $T/go]]"
waits_for '[ "$(state_of agent activity)" = working ]' 'it works'
refused 9 'is not done \(working\)' 'and is refused' afw merge agent
like "$err" 'hint: .*afw wait agent' 'with the way to wait'
touch "$T/go"
waits_for '[ "$(state_of agent check)" = failed ]' 'it ends'
refused 9 'its check failed' 'with a check that has failed it is refused' afw merge agent --require-check
like "$err" 'afw logs --service check agent' 'with its log'
exit_is 0 'without the option' afw merge agent --dry-run
like "$err" 'afw: agent: its check failed.*hint: .afw logs --service check agent' \
	'it is merged with a warning'
(cd "$T/.af_worktrees/repo-agent" && touch good && git add good && git commit -qm good)
run afw send agent '[[lines 1]]'
waits_for '[ "$(state_of agent check)" = passed ]' 'the check passes'
exit_is 0 'and it is merged' afw merge agent --require-check
is "$(tip other)" "$(tip af/agent)" 'all of it'
done_testing
