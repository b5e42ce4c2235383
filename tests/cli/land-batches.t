#!/bin/bash
# afw land --batch checks all at once, and finds the one that fails in few checks.
. "$(dirname "$0")/../lib.sh"
afw_env
export T
mkdir -p "$XDG_CONFIG_HOME/afw"
config=$XDG_CONFIG_HOME/afw/afw.ini
make_repo "$T/repo" README
cd "$T/repo" || exit 2
seq 20 >lines && git add lines && git commit -qm lines
base=$(git rev-parse main)

# session NAME 'shell commands' [OPTION...]: with one commit.
session()
{
	run afw new "$1" --no-start "${@:3}" -- cat
	[ "$code" = 0 ] || diag "new $1: $err"
	(cd "$T/.af_worktrees/repo-$1" && eval "$2" && git add -A && git commit -qm "work of $1")
}
# shellcheck disable=SC2016 # for the check
check() { echo "check = sh -c 'git rev-parse HEAD >>\$T/checked; $1'" >"$config"; }
checks() { wc -l <"$T/checked"; }
# again: nothing has landed.
again() { git reset -q --keep "$base"; rm -f "$T/checked"; }

for i in 1 2 3 4 5 6 7 8; do session "s$i" "echo $i >f$i"; done
check true
exit_is 0 'eight that are good' afw land -y --batch
is "$(checks)" 1 'cost one check'
like "$out" 's1: merged into main \(fast-forward\).*s8: merged into main \(merge\), check passed.*8 sessions, 1 check passed\.' 'and all land'
is "$(ls | tr '\n' ' ')" 'README f1 f2 f3 f4 f5 f6 f7 f8 lines ' 'with all of their work'
is "$(git rev-parse main)" "$(cat "$T/checked")" 'at the commit that was checked'
for bad in 1 4 8; do
	again
	check "test ! -e f$bad"
	exit_is 4 "one of eight that is bad: $bad" afw land -y --batch --no-resolve
	like "$out" "s$bad: left out: the check of the result exited with code 1.*7 sessions" 'is found'
	is "$(ls -d f* | wc -l)" 7 'the others land'
	ok_cmd "in 8 checks at most: $(checks)" test "$(checks)" -le 8
	is "$(git reflog --format='%H %gs' main | awk '/reset/ { exit } { print $1 }' |
		while read -r c; do grep -c "$c" "$T/checked"; done | sort -u)" 1 \
	'the branch was only at commits that had passed'
done
again
check 'test ! -e f2 || test ! -e f7'
exit_is 4 'two that do not go together' afw land -y --batch --no-resolve
like "$out" 's7: left out: the check of the result exited with code 1' 'the later one is left out'
is "$(ls -d f* | wc -l)" 7 'the others land'

# --- a pull request ------------------------------------------------------------------
again
check true
echo 'pr_command =' >>"$config"
exit_is 1 'land --pr without a remote' afw land -y --pr --json s1
like "$out$err" "^[^}]*has no remote 'origin'" 'says so at once'
nok_cmd 'and checks nothing' test -e "$T/checked"
git init -q --bare "$T/remote.git"
git remote add origin "$T/remote.git"
for how in '' --batch; do
	again
	check 'test ! -e f2'
	echo "pr_command = echo opened {branch} {base} {title}" >>"$config"
	# shellcheck disable=SC2086 # an option
	exit_is 4 "land --pr $how" afw land -y --pr --no-resolve $how
	like "$out" "opened land-[0-9a-f]{7} main Land s1, s3, s4, s5, s6, s7, s8" 'opens one pull request'
	is "$(git rev-parse main; git status --short)" "$base" 'moves no branch here'
	is "$(git -C "$T/remote.git" log --format=%s "$(sed -n 's/.*opened \(land-[0-9a-f]*\).*/\1/p' <<<"$out")" | grep -c '^work of s[1-8]')" 7 'and pushes what has passed'
done
again
exit_is 4 'land --pr --json' afw land -y --pr --no-resolve --json
is "$(grep -c . <<<"$out")" 9 'prints an object for each session, and one more'
tail -n 1 <<<"$out" >"$T/pr"
branch=$(json branch "$T/pr")
is "$(json base "$T/pr")|$(json title "$T/pr")|$(json pr "$T/pr")|$(json sessions.6 "$T/pr")" \
	'main|Land s1, s3, s4, s5, s6, s7, s8|null|s8' 'for the pull request, with the sessions in it'
is "$(git -C "$T/remote.git" rev-parse "$branch") $branch" \
	"$(json commit "$T/pr") land-$(json commit "$T/pr" | head -c 7)" 'and with what was pushed'
is "$(git rev-parse main)" "$base" 'and moves no branch here'
check 'test ! -e f2'
echo 'pr_command = echo see https://example.org/repo/pull/8' >>"$config"
exit_is 0 'with a command that prints an address' afw land -y --pr --json s1
is "$(tail -n 1 <<<"$out" >"$T/pr"; json pr "$T/pr")" https://example.org/repo/pull/8 'that is in the object'
check false
echo 'pr_command =' >>"$config"
exit_is 4 'nothing that lands' afw land -y --pr --json --no-resolve s1
is "$(grep -c . <<<"$out") $(json landed)" '1 false' 'needs no pull request'
check true
echo 'pr_command = false' >>"$config"
exit_is 1 'a command that fails' afw land -y --pr --json s1
is "$(json error <(tail -n 1 <<<"$err"))" 'land: false failed (exit code 1)' 'is reported'
is "$(grep -c . <<<"$out") $(json landed)" '1 true' 'has no object'
echo 'pr_command = no-such-program' >>"$config"
exit_is 1 'a command that is not installed' afw land -y --pr s1
like "$err" 'land: no-such-program is not installed.hint: pr_command in afw.ini' 'is noticed before anything runs'
branches() { git -C "$T/remote.git" for-each-ref --format='%(refname:short)' 'refs/heads/land-*'; }
was=$(branches)
again
session fresh 'echo fresh >fresh'
check true
echo 'pr_command = false' >>"$config"
exit_is 1 'a command that fails' afw land -y --pr fresh
new=$(comm -13 <(echo "$was") <(branches))
like "$err" "hint: the branch $new is pushed; pr_command in afw.ini\(5\) is what was run" 'the branch is named'
printf 'pr_command = echo opened {branch}\npr_find_command =\n' >>"$config"
exit_is 0 'once more' afw land -y --pr fresh
is "$(comm -13 <(echo "$was") <(branches))" "$new" 'the same branch is taken'
like "$out" "1 session, 1 check passed\..opened $new.$new: was pushed before, to be merged into main" 'and its pull request opened'
unlike "$out" 'main: [0-9a-f]{7}' 'main has not moved'
echo 'pr_find_command = echo https://example.org/repo/pull/9 {branch}' >>"$config"
exit_is 0 'and again' afw land -y --pr fresh
like "$out" "passed\..https://example.org/repo/pull/9.$new: was pushed before" 'the pull request is found, no other is opened'
run afw rm --yes fresh
git remote remove origin

# --- conflicts, sessions that continue others, different checks ---------------------
again
for i in 3 4 5 6 7 8; do run afw rm --yes "s$i"; done
check 'test ! -e f2'
session x 'sed -i "s/^3$/x/" lines'
session y 'sed -i "s/^3$/y/" lines'
session on-s2 'echo more >more' --from s2
session other 'echo other >other' -o 'check=sh -c "echo other >>$T/checked; test ! -e f1"'
exit_is 4 'a bad one, with one that continues it' afw land -y --batch --no-resolve
like "$out" 's2: left out: the check' 'is left out'
like "$out" 'on-s2: left out: it continues s2, which is left out' 'with that'
like "$out" 'y: left out: it conflicts with main' 'a conflict comes last'
like "$out" 'other: left out: the check of the result exited with code 1' 'a session has its own check'
is "$(git status --short; ls | tr '\n' ' ') $(sed -n 3p lines)" 'README f1 lines  x' 'what is good lands'
done_testing
