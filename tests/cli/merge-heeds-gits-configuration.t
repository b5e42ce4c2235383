#!/bin/bash
# afw merge follows merge.ff, branch.*.mergeoptions, core.sharedRepository,
# core.ignoreCase and the umask, and refuses merge drivers.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README
cd "$T/repo" || exit 2

# A session that adds a file of its name. session NAME ['more commands']
session()
{
	run afw new "$1" --no-start -- cat
	tree=$T/.af_worktrees/${PWD##*/}-$1
	(cd "$tree" && echo "$1" >"$1" && eval "${2-}" && git add -A && git commit -qm "$1")
}
parents() { git log -1 --format=%p main | wc -w; }

# --- fast-forwards -------------------------------------------------------------
git config merge.ff false
session one
exit_is 0 'merge.ff=false' afw merge one
is "$(parents)|$(git log -1 --format=%s)" "2|Merge branch 'af/one' into main" \
	'makes a merge commit where a fast-forward is possible'
exit_is 0 'once more' afw merge one
like "$out" 'has all of it already' 'there is nothing to do'
session rebased
exit_is 0 'a rebase' afw merge --rebase rebased
is "$(tip=$(git rev-parse main); [ "$tip" = "$(git rev-parse af/rebased)" ] && echo same)" same \
	'is a fast-forward all the same'
git config merge.ff only
session two
exit_is 0 'merge.ff=only' afw merge two
is "$(parents)" 1 'allows a fast-forward'
session three
git commit -q --allow-empty -m 'main has moved'
before=$(git rev-parse main)
exit_is 4 'a branch that cannot be fast-forwarded' afw merge three
like "$err" 'only fast-forwards there.*hint: .*afw merge --rebase three' 'is refused, with what helps'
is "$(git rev-parse main)|$(git status --short)" "$before|" 'and nothing is changed'
exit_is 4 'a dry run' afw merge -n three --json
is "$(json refused)" not_fast_forward 'says so, too'
exit_is 0 'a squash' afw merge --squash three
session four
git commit -q --allow-empty -m 'main has moved'
exit_is 0 'and a rebase are possible' afw merge --rebase four
is "$(parents)" 1 'without a merge commit'

# --- branch.*.mergeoptions -------------------------------------------------------
git config branch.main.mergeoptions '--no-ff --no-edit -X ours  --log=5'
session five
exit_is 0 'mergeoptions override merge.ff' afw merge five
is "$(parents)" 2 'as git has it'
like "$err" 'branch.main.mergeoptions: -X ours --log=5' 'options that are not used are named in one line'
git config branch.main.mergeoptions '--ff-only'
session six
exit_is 0 'another branch' git branch other
git config branch.other.mergeoptions '--no-ff'
exit_is 0 'they do not apply' afw merge six
is "$(parents)" 1 'here'
git config --unset branch.main.mergeoptions
git config --unset merge.ff

# --- merge drivers ----------------------------------------------------------------
seq 9 >conf; seq 9 >other; printf 'conf merge=ours\nother merge=unknown\n' >.gitattributes
git add -A; git commit -qm drivers; git config merge.ours.driver true
session driver 'sed -i s/1/theirs/ conf other'
sed -i s/9/mine/ other; git commit -qam 'main has moved'
exit_is 0 'a driver that git would not run' afw merge driver
is "$(head -n 1 conf)|$(sed -n '1p;$p' other | tr '\n' ' ')" 'theirs|theirs mine ' 'has no effect'
session protected 'sed -i s/2/theirs/ conf'
sed -i s/8/mine/ conf; git commit -qam 'main has moved'
before=$(git rev-parse main)
for how in '' -s -r -n; do
	refused 9 'conf has the merge driver ours, which afw does not run.*hint: merge with git itself' \
		"one that it would run, merge $how" afw merge $how protected
done
git config merge.default ours; rm .gitattributes; git commit -qam 'a driver for all'
refused 9 'conf has the merge driver ours' 'merge.default' afw merge protected
git config --unset merge.default
is "$(git rev-parse main^)|$(git status --short)" "$before|" 'and nothing is changed'
exit_is 0 'without a driver' afw merge protected
is "$(sed -n '2p;8p' conf | tr '\n' ' ')" 'theirs mine ' 'it is merged'

# --- the umask -------------------------------------------------------------------
for mask in 002 027 077; do
	session "m$mask" "mkdir -p d$mask; echo x >d$mask/f; echo x >d$mask/x; chmod +x d$mask/x"
	git branch -q -f git main
	git worktree add -q "$T/git" git
	(umask $mask; git -C "$T/git" merge -q "af/m$mask")
	(umask $mask; afw merge "m$mask" >"$T/null" 2>&1)
	is "$(stat -c '%a %n' d$mask d$mask/f d$mask/x "m$mask")" \
		"$(cd "$T/git" && stat -c '%a %n' d$mask d$mask/f d$mask/x "m$mask")" \
		"umask $mask: files and directories have the modes that git gives them"
	git worktree remove "$T/git"
done

# --- a shared repository -----------------------------------------------------------
git init -q --shared=group "$T/shared"
cd "$T/shared" || exit 2
echo x >README && git add . && git commit -qm first
session shared 'mkdir sub; echo x >sub/f'
git -C "$tree" commit -q --amend -m shared
git commit -q --allow-empty -m 'main has moved'
closed() { find .git -path .git/worktrees -prune -o "$@" -print | sort; }
before=$(closed ! -perm -060)
(umask 077; afw merge shared >"$T/null" 2>&1)
is "$(git log -1 --format=%s)" "Merge branch 'af/shared' into main" 'a shared repository has the merge'
is "$(closed ! -path '*/objects/*' ! -perm -060 | comm -13 <(echo "$before") -)" '' \
	"the group may write to git's files"
is "$(closed -path '*/objects/*' -type f ! -perm -040)$(closed -path '*/objects/*' -type d ! -perm -2070)" '' \
	'and to its objects'
like "$(stat -c %a sub sub/f | tr '\n' ' ')" '^2?700 600 $' \
	'files of the worktree have the umask, as with git'

# --- a branch that is a symbolic reference -----------------------------------------
cd "$T/repo" || exit 2
git symbolic-ref refs/heads/master refs/heads/main
session alias
exit_is 0 'into a symbolic reference' afw merge alias --into master
is "$(git symbolic-ref refs/heads/master)|$(git log -1 --format=%s main)|$(git status --short)" \
	'refs/heads/main|alias|' 'moves the branch that it names, with its worktree'
git symbolic-ref HEAD refs/heads/master
for into in main master; do
	session "on$into"
	exit_is 0 "if that is checked out, into $into" afw merge "on$into" --into "$into"
	is "$(cat .git/HEAD)|$(git log -1 --format=%s main)|$(git status --short)" \
		"ref: refs/heads/master|on$into|" 'the same'
done
git symbolic-ref HEAD refs/heads/main
git symbolic-ref -d refs/heads/master

# --- a directory with a group of its own ----------------------------------------------
group=$(id -G | tr ' ' '\n' | grep -vx "$(id -g)" | head -n 1)
[ "$(id -u)" != 0 ] || group=12
if [ -n "$group" ]; then
	mkdir grouped && echo old >grouped/old && git add grouped && git commit -qm grouped
	chgrp -R "$group" grouped && chmod g+s grouped
	session group 'echo new >>grouped/old; mkdir grouped/sub; echo new >grouped/sub/new'
	exit_is 0 'a directory with the setgid bit' afw merge group
	is "$(stat -c %g grouped/old grouped/sub grouped/sub/new | sort -u)" "$group" \
		'gives its group to files, as with git'
else
	skip 2 'we are in one group only'
fi

# --- names that differ in case alone ---------------------------------------------
cd "$T/repo" || exit 2
git config core.ignoreCase true
echo b >Both && git add Both && git commit -qm Both
run afw new renamed --no-start -- cat
git -C "$T/.af_worktrees/repo-renamed" mv README rEADME
exit_is 0 'a rename of case alone' afw commit renamed -m case
like "$out" $'2 files\n  README\n  rEADME' 'is a change'
is "$(afw diff --stat renamed | tail -n 1)" ' 2 files changed, 1 insertion(+), 1 deletion(-)' \
	'and shown'
session case 'git mv README ReadMe; git mv Both both; echo more >>both'
exit_is 0 'with core.ignoreCase' afw merge case
is "$(ls | grep -i 'readme\|both' | tr '\n' ' ')|$(git ls-files | grep -i 'readme\|both' | tr '\n' ' ')" \
	'ReadMe both |ReadMe both ' 'a change of case alone is a change'
is "$(git -c core.ignoreCase=false status --short)" '' 'the worktree is clean'

# --- core.bare in a repository with files -----------------------------------------
session bare
git config core.bare true
head=$(git rev-parse main)
for cmd in 'new another -- cat' 'merge bare'; do
	refused 9 'core.bare is true in' "core.bare: $cmd" afw $cmd
done
is "$(git rev-parse main) $(ls -d "$T/repo/"*worktrees* 2>/dev/null)" "$head " 'changes nothing'
hint=${err#*\`} hint=${hint%%\`*}
ok_cmd "the hint ($hint)" eval "$hint"
exit_is 0 'helps' afw merge bare
done_testing
