#!/bin/bash
# A session whose work is merged is marked in the list, in JSON and for a
# filter, however it was merged; afw rm --merged removes such sessions.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README
cd "$T/repo" || exit 2
git init -q --bare "$T/remote.git"
git remote add origin "$T/remote.git"
tree() { echo "$T/.af_worktrees/repo-$1"; }
# work NAME [FILE]: one commit of a new file, by git.
work()
{
	printf '1\n2\n' >"$(tree "$1")/${2-$1}"
	git -C "$(tree "$1")" add -A && git -C "$(tree "$1")" commit -qm "work of $1 (finish)"
}
merged() { [ "$(state_of "$1" merged)" = true ]; }
not_merged() { [ "$(state_of "$1" merged)" = false ]; }
row() { afw ls | grep "^$1 "; }

# -- running ----------------------------------------------------------------

for name in ff none joined squashed rebased; do
	exit_is 0 "session $name" afw new $name -- cat
done
waits_for 'not_merged ff' 'one without a commit is not merged'
for name in ff joined squashed rebased; do work $name; done
waits_for '[[ $(row ff) == *"+2 -0"* ]]' 'its changes are counted'
ok_cmd 'with a commit it is not merged' not_merged ff
git merge -q af/ff
waits_for 'merged ff' 'git merge merges it, by a fast-forward'
like "$(row ff)" ' af/ff +merged' 'the list says so in place of the lines'
unlike "$(row ff)" '\+2 -0' 'which are not shown'
like "$(afw status ff)" 'committed +1 commit, merged;' 'and status'
git merge -q --no-edit af/joined
waits_for 'merged joined' 'a merge commit'
exit_is 0 'afw merge --squash' afw merge --squash squashed
waits_for 'merged squashed' 'a squash'
exit_is 0 'afw merge --rebase' afw merge --rebase rebased
waits_for 'merged rebased' 'a rebase'
ok_cmd 'a session without commits is not one of these' not_merged none
echo more >"$(tree ff)/more"
waits_for 'not_merged ff' 'an uncommitted file is not merged'
like "$(row ff)" '\+3 -0' 'the lines are back'
rm "$(tree ff)/more"
waits_for 'merged ff' 'until it is gone'
exit_is 0 'from its branch another one' afw new next --base af/none -- cat
work none
git -C "$(tree next)" merge -q af/none
waits_for '[[ $(row none) == *"+2 -0"* ]]' 'a commit that only another session has'
ok_cmd 'is not merged' not_merged none
waits_for '[ "$(state_of next ahead)" = 1 ]' 'the other one has it, too'
ok_cmd 'and has done nothing itself' not_merged next
exit_is 0 'pr without a command' afw config set pr_command ''
exit_is 0 'a push' afw pr none

# -- not running ------------------------------------------------------------

run afw stop --all
run afw exec none -- true
ok_cmd 'a branch that was only pushed is not merged' not_merged none
for name in local fetched given; do
	if [ $name = given ]; then
		git branch side
		exit_is 0 'one on a branch that was there' \
			afw new given --branch side --no-start -- cat
	else
		exit_is 0 "session $name" afw new $name --no-start -- cat
	fi
	work $name
	run afw exec $name -- true
	ok_cmd 'is not merged' not_merged $name
done
mkdir "$T/bin"
printf '#!/bin/sh\necho x >>"%s"\nexec "%s"\n' "$T/asked" "$BUILD/afw-worktree" \
	>"$T/bin/afw-worktree"
chmod +x "$T/bin/afw-worktree"
cp "$BUILD/afw" "$BUILD/afw-supervisor" "$T/bin"
asked() { wc -l <"$T/asked"; }
PATH="$T/bin:$PATH" afw ls >"$T/null"
: >"$T/asked"
PATH="$T/bin:$PATH" afw ls >"$T/null"
is "$(asked)" 0 'ls asks git nothing while no base has moved'
git merge -q --no-edit af/local
# One is counted each time, and as many as a second allows.
ls_counts() { : >"$T/asked"; PATH="$T/bin:$PATH" afw ls >"$T/out"; }
waits_for 'ls_counts; grep -qE " af/local +merged" "$T/out"' \
	'after a git merge it shows that'
isnt "$(asked)" 0 'by counting again'
waits_for 'ls_counts; [ "$(asked)" = 0 ]' 'once'
git merge -q --no-edit side
waits_for 'ls_counts; merged given' 'the branch that was there is merged'
git push -q origin af/fetched:main
git fetch -q
run afw exec fetched -- true
ok_cmd 'a branch that the remote has merged is merged' merged fetched
exit_is 0 'the filter' afw ls --merged -q
is "$(sort <<<"$out" | tr '\n' ' ')" \
	'fetched ff given joined local rebased squashed ' 'lists all that are merged'

# -- afw rm --merged --------------------------------------------------------

refused 2 'no terminal.*--yes' 'without a terminal it needs --yes' afw rm --merged
refused 2 'takes no name' 'and no name' afw rm --merged ff
refused 2 'NAME is missing' 'without it, a name' afw rm
run script -qec 'afw rm --merged' "$T/said" <<<n
[ "$code" = 1 ] && [ "$(afw ls -q | wc -l)" = 9 ]
ok $? 'no is an answer' || diag "$code $(cat "$T/said")"
like "$(<"$T/said")" 'ff: merged, 1 commit, stopped.*Remove all of them\? \[y/N\]' \
	'to one question after the list'
echo later >"$(tree local)/later"
exit_is 0 'yes' afw rm --merged --yes
like "$err" 'local: not removed: its worktree was changed after' 'leaves one with later work'
ok_cmd 'which the list does not call merged any more' not_merged local
rm "$(tree local)/later"
like "$out" 'ff: removed, with its branch af/ff' 'removes them'
like "$out" 'squashed: removed; branch af/squashed stays' \
	'but not a branch whose own commits are nowhere else'
is "$(afw ls -q | sort | tr '\n' ' ')" 'local next none ' 'the others stay'
exit_is 0 'without that work' afw rm --merged --yes
like "$out" '^local: removed, with its branch af/local' 'it goes, too'
exit_is 0 'none' afw rm --merged --yes
like "$err" 'no session of this repository is merged' 'is no error'
refused 1 'not in a git repository' 'another place is' \
	env -C "$T" afw rm --merged --yes

# -- merged elsewhere, just now, or not at all ------------------------------

git branch release/1
git push -qf origin main main:feature
git fetch -q
for name in pulled quick; do
	exit_is 0 "session $name" afw new $name -- cat
done
exit_is 0 'one from a branch in a directory' afw new held -b release/1 -- cat
exit_is 0 'one on a branch of the same name as its base' \
	afw new feature --branch feature -b origin/feature -- cat
for name in pulled quick held feature; do
	work $name
	waits_for "[ \"\$(state_of $name ahead)\" = 1 ]" "$name has a commit"
done
git gc -q
ok_cmd 'a directory of packed branches is removed, as some versions of git do' \
	rmdir .git/refs/heads/release
git push -q . af/held:release/1
waits_for 'merged held' 'a merge is noticed all the same'
git -C "$(tree held)" branch -m renamed
waits_for '[[ $(row held) == *" renamed "*merged* ]]' 'and that its branch was renamed'
git push -q "$T/remote.git" af/pulled:main
git fetch -q
waits_for 'merged pulled' 'so is a merge at the remote, by git fetch'
exit_is 0 'a merge' afw merge quick
like "$err" 'afw rm --stop quick' 'whose hint is right for a session that is running'
git push -q origin feature
exit_is 0 'at once' afw rm --merged --yes --stop
like "$out" 'quick: removed' 'afw rm --merged knows of it'
like "$(afw ls -q | tr '\n' ' ')" 'feature' \
	'and that a push of a branch is no merge, nor its own commit'
ok_cmd 'as the list does' not_merged feature
done_testing
