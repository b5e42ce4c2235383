#!/bin/bash
# afw merge --check merges only what has passed the check in the state in which
# it arrives.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/merge.sh"
afw_env
seq 1 20 >"$T/lines"
make_repo "$T/repo" README
cd "$T/repo" || exit 2
cp "$T/lines" lines
printf '*.log\n' >.gitignore
git add -A && git commit -qm lines

# session NAME 'shell commands': its branch has one more commit.
session()
{
	run afw new "$1" --no-start "${@:3}" -- cat
	[ "$code" = 0 ] || diag "new $1: $err"
	(cd "$T/.af_worktrees/repo-$1" && eval "$2" && git add -A && git commit -qm "work of $1")
}
check() { printf 'check = sh -c "%s"\n' "$1" >"$T/config/afw/afw.ini"; }
tip() { git rev-parse "${1:-main}"; }
left() { ls -A "$T/.af_worktrees"; git worktree list | grep -c _land; git branch --list 'af/_land'; find "$DATA" -name ".new-*" | wc -l; }
mkdir -p "$T/config/afw"

session one 'echo one >one'
exit_is 9 'without a check' afw merge --check one
like "$err" "merge 'one': it has no check" 'there is nothing to check with'
# shellcheck disable=SC2016 # for the check
check 'test -e one && pwd >>$T/ran && git rev-parse HEAD >>$T/ran'
export T
before=$(tip)
exit_is 0 'merge --check' afw merge --check one
like "$out" "one: the check passed in [0-9]+s" 'prints that the check has passed'
is "$(tip) $(cat one)" "$(tip af/one) one" 'merges'
is "$(cat "$T/ran")" "$T/.af_worktrees/repo-_land
$(tip)" 'the check ran in a worktree of its own, at the commit that was to come'
is "$(left)" "repo-one
0
0" 'nothing is left of that'

# Each passes alone, both together do not.
session two 'echo >two'
session three 'echo >three'
check 'test ! -e two || test ! -e three'
exit_is 0 'the first of two that do not go together' afw merge --check two
before=$(tip) files=$(world)
check 'test ! -e two || test ! -e three || { echo both are there; exit 3; }'
exit_is 9 'the second' afw merge --check three
like "$err" "both are there.*merge 'three': the check of the result exited with code 3; nothing is changed" \
	'says what the check printed and how it ended'
is "$(tip) $(world)" "$before $files" 'changes nothing'
exit_is 9 'the second, with --rebase' afw merge --check --rebase three
exit_is 9 'and with --squash' afw merge --check --squash three
is "$(tip)" "$before" 'does not either'

# What the check does to the files is not merged.
session four 'sed -i s/^3$/three/ lines'
check 'echo junk >>lines; echo x >>README; rm -f .gitignore; echo >new; echo >a.log; test ! -t 0; ! read x; ! (: >/dev/tty)'
exit_is 0 'a check that changes files' afw merge --check four
is "$(grep -o 'check changes [^,]*' <<<"$err" | tr '\n' ' ')" 'check changes .gitignore check changes README check changes lines ' 'names them'
is "$(git status --short)$(git diff --stat "$before" main | tail -1)" ' 1 file changed, 1 insertion(+), 1 deletion(-)' \
	'but merges the commit'
# shellcheck disable=SC2016 # for the check
check 'sleep 1000 & echo $! >$T/pid; sleep 1000'
echo 'check_timeout = 1s' >>"$T/config/afw/afw.ini"
session five 'echo >five'
exit_is 9 'a check that does not end' afw merge --check five
like "$err" 'was not done in time \(check_timeout\)' 'is ended'
nok_cmd 'with all that it has started' kill -0 "$(cat "$T/pid")"

# --- what is refused before anything runs ------------------------------------
check 'echo >>$T/ran2'
echo mine >>lines
session six 'sed -i s/^4$/four/ lines'
exit_is 4 'with changes of the user in the way' afw merge --check six
like "$err" 'has changes of its own' 'it is refused'
git checkout -q lines
session seven 'sed -i s/^3$/drei/ lines'
git branch -q -f af/seven "$(cd "$T/.af_worktrees/repo-seven" && git rev-parse HEAD)" 2>/dev/null
(cd "$T/.af_worktrees/repo-seven" && echo >new-file)
exit_is 4 'with uncommitted work' afw merge --check seven
like "$err" 'uncommitted' 'it is refused'
nok_cmd 'and no check has run' test -e "$T/ran2"

# --- the branch moves during the check ----------------------------------------
# shellcheck disable=SC2016 # for the check
check 'test -e $T/moved || { touch $T/moved; git -C $T/repo commit -q --allow-empty -m meanwhile; }; echo >>$T/twice'
exit_is 0 'a branch that moves meanwhile' afw merge --check six
is "$(wc -l <"$T/twice") $(git log --format=%s -2 --first-parent main | tr '\n' ' ')" \
	"2 Merge branch 'af/six' into main meanwhile " 'the candidate is made and checked again'

# --- two at once, and kill -9 ---------------------------------------------------
# shellcheck disable=SC2016 # for the check
check 'echo $$ >$T/pid; sleep 1000'
echo 'check_timeout = 100s' >>"$T/config/afw/afw.ini"
session eight 'echo >eight'
rm -f "$T/pid"
before=$(tip)
afw merge --check eight >/dev/null 2>&1 &
first=$!
waits_for 'test -s "$T/pid"' 'a check runs'
exit_is 4 'another one meanwhile' afw merge --check --dry-run eight
like "$err" 'another landing runs in this repository.hint: .*run one after another' 'says that it has to wait'
exit_is 0 'ls' afw ls
unlike "$out" _land 'does not show where it runs'
kill -9 "$first"
wait "$first" 2>/dev/null
waits_for '! kill -0 "$(cat "$T/pid")" 2>/dev/null' 'kill -9 ends the check, too'
waits_for '! test -e "$T/.af_worktrees/repo-_land"' 'and its worktree is removed'
is "$(tip)" "$before" 'the branch has not moved'
check 'true'
exit_is 0 'then it can be merged' afw merge --check eight
waits_for '! git worktree list | grep -q _land && ! git branch --list "af/_land" | grep -q .' 'nothing is left in git'
done_testing
