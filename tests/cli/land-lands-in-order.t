#!/bin/bash
# afw land brings finished sessions into the branch, one after another, each one
# checked in the state in which it arrives.
. "$(dirname "$0")/../lib.sh"
afw_env
export T
mkdir -p "$XDG_CONFIG_HOME/afw"
config=$XDG_CONFIG_HOME/afw/afw.ini
make_repo "$T/repo" README
cd "$T/repo" || exit 2
seq 20 >lines && git add lines && git commit -qm lines
tip() { git rev-parse "${1:-main}"; }
tree() { echo "$T/.af_worktrees/repo-$1"; }

# session NAME 'shell commands' [OPTION...]: with one commit.
session()
{
	run afw new "$1" --no-start "${@:3}" -- cat
	[ "$code" = 0 ] || diag "new $1: $err"
	(cd "$(tree "$1")" && eval "$2" && git add -A && git commit -qm "work of $1")
}

run afw land -y
is "$code $err" '3 afw: land: this repository has no session with a worktree' 'without a session there is nothing to land'

# --- the plan ------------------------------------------------------------------
# shellcheck disable=SC2016 # for the check
echo 'check = sh -c "git rev-parse HEAD >>$T/checked; test ! -e a || test ! -e b"' >"$config"
session one 'sed -i "s/^3$/three/" lines'
session two 'sed -i "s/^3$/drei/" lines'
session a 'echo a >a'
session b 'echo b >b'
session open 'echo open >open'
echo more >>"$(tree open)/open"
session after-b 'echo more >more' --from b
session merged 'echo merged >merged'
run afw new idle --no-start -- cat
run afw new only-files --no-start -- cat
echo new >"$(tree only-files)/new"
before=$(git rev-parse HEAD; git status --short)
exit_is 0 'a dry run' afw land -n
like "$out" '^Landing 6 sessions into main, in this order, each if its check passes:' 'says what would land, and where'
like "$out" '[0-9]  a +1 file +\+1 -0  check sh -c .git .*test ! -e b.' 'with counts and check'
like "$out" 'one .*conflicts with two in lines' 'with conflicts'
like "$out" '-  open .*left out: 1 file is not committed \(--commit\)' 'and what is left out'
like "$out" '-  only-files .*left out: 1 file is not committed \(--commit\)' 'with one that has nothing else'
like "$out" ' b .* after-b ' 'what continues a session comes after it'
unlike "$out" 'idle' 'a session without work is none of it'
is "$(git rev-parse HEAD; git status --short)" "$before" 'nothing is changed'
exit_is 2 'without a terminal and --yes' afw land
like "$err" 'land: there is no terminal to ask on' 'nothing is done'
exit_is 2 'a branch that does not exist' afw land one --into nowhere
exit_is 0 'a dry run with JSON' afw land -n --json
is "$(json into) $(json sessions.0.name) $(json sessions.0.why) $(json sessions.0.files) $(json sessions.0.conflicts_with) $(json sessions.0.check.0)" 'main a null 1 [] sh' \
	'prints one object'
exit_is 3 'a session that does not exist' afw land none
make_repo "$T/other"
(cd "$T/other" && afw new far --no-start -- cat && afw new bare --scratch --no-start -- cat) >/dev/null
refused 2 "'bare' has no worktree of its own\$" 'one without a worktree' afw land bare
refused 2 "'other/far' is of another repository than 'one'|'far' is of another repository than 'one'" 'two repositories' afw land one other/far
like "$err" 'hint: land those of one repository at a time' 'say so'
run afw rm --yes other/far bare

# --- landing -------------------------------------------------------------------
run afw merge merged
rm -f "$T/checked"
exit_is 4 'land' afw land -y
like "$out" 'a: merged into main \(merge\), check passed in 0s' 'lands what passes'
like "$out" 'b: left out: the check of the result exited with code 1 and printed nothing; its agent is not running' \
	'leaves out what passes alone, and not in combination'
like "$out" 'after-b: left out: it continues b, which is left out' 'with what continues it'
like "$out" 'two: left out: it conflicts with main|one: left out: it conflicts with main' 'and a conflict'
like "$out" "main: [0-9a-f]{7}\.\.$(git rev-parse --short=7 main), 2 sessions, 2 checks passed\. Left out: " 'sums up'
like "$err" "afw rm --merged.*git -C $T/repo reset --keep" 'says how to go on'
is "$(git status --short; ls | tr '\n' ' ')" 'README a lines merged ' 'the files are what has landed'
# Every commit that main has pointed to was checked, or was there before.
is "$(git reflog main --format=%H | head -2 | while read -r c; do grep -c "$c" "$T/checked"; done)" $'1\n1' \
	'each commit of the branch was checked before'
like "$(afw since 1h | head -1) $(afw events a)" "2 landed.*landed in main: .*, check passed" 'since and events have it'
like "$(afw ls)" 'a +.*merged' 'ls shows them as merged at once'
run afw ls --json
is "$(find "$T/.af_worktrees" -name '*_land*'; git worktree list | grep -c _land)" 0 'nothing is left of the checks'
exit_is 0 'the hint' git reset -q --keep "$(git merge-base af/merged main)"
is "$(tip)" "$(tip af/merged)" 'takes all of it back'

# --- options ---------------------------------------------------------------------
exit_is 0 'one, with JSON' afw land -y --json a
is "$(json name) $(json landed) $(json how) $(json check.passed) $(json from) $(json to)" \
	"a true merge true $(tip af/merged) $(tip)" 'is an object'
exit_is 4 'one with uncommitted work' afw land -y open
exit_is 0 'with --commit' afw land -y --commit open
is "$(cat open; git log -1 --format=%s af/open)" $'open\nmore\nopen' 'it is committed and lands'
exit_is 0 'with --squash' afw land -y --squash one
is "$(git log -1 --format='%s %P')" "work of one $(tip main~1)" 'as one commit'
exit_is 0 'again' afw land -y -n one
like "$out" 'one .*left out: it has nothing that main lacks|Nothing to land' 'it is known to have landed'
echo 'check =' >"$config"
exit_is 0 'without a check' afw land -y b
like "$out" 'Nothing is checked: check in afw.ini is not set' 'it says so before'
like "$out" 'b: merged into main \(merge\)' 'and lands'
exit_is 0 'then what continues it' afw land -y after-b
like "$out" 'after-b: merged' 'lands, too'

# --- files of the user in the way ---------------------------------------------------
# shellcheck disable=SC2016 # for the check
echo 'check = sh -c "touch $T/ran"' >"$config"
session x 'echo x >x'
session y 'sed -i "s/^9$/nine/" lines'
echo mine >>lines
before=$(tip)
exit_is 4 'a changed file of the user' afw land -y
like "$err" "$T/repo has changes of its own in lines, which 'y' changes" 'is named'
is "$(tip) $(test -e "$T/ran" && echo ran)" "$before " 'before anything runs'
git checkout -q lines

# --- a branch that moves, a session that is removed ----------------------------------
# shellcheck disable=SC2016 # for the check
echo 'check = sh -c "test -e $T/moved || { touch $T/moved; git -C $T/repo commit -q --allow-empty -m meanwhile; afw rm y --force || afw rm y; } >$T/rm 2>&1"' >"$config"
session z 'echo z >z'
exit_is 4 'a session that is removed meanwhile' afw land -y x y z
like "$out" 'y: left out: ' 'is left out'
like "$out" 'x: merged.*z: merged' 'the others land'
like "$(git log --format=%s main)" 'meanwhile' 'on what the branch has become'
done_testing
