#!/bin/bash
# What git would have run at afw new and afw merge is named; with --hooks git
# makes the merge, and runs its hooks.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README f
cd "$T/repo" || exit 2
export OUT=$T/said
exit_is 0 'without hooks' afw new x --no-start -- cat
unlike "$err" hooks 'nothing is said'
for h in pre-commit prepare-commit-msg commit-msg post-commit pre-merge-commit \
	post-merge pre-rebase post-rewrite post-checkout; do
	printf '#!/bin/sh\necho "$(basename "$0") $# $2 in $PWD" | tee -a "$OUT"
[ "$(basename "$0")" != "$REFUSE" ] || exit 1\n' >".git/hooks/$h"
	chmod +x ".git/hooks/$h"
done
exit_is 0 'afw new' afw new y --no-start -- cat
like "$err" 'hint: hooks not run: post-checkout' 'names a hook'
exit_is 0 'as JSON' afw new z --no-start --json -- cat
is "$(json hooks_not_run)|$err" '["post-checkout"]|' 'in the object alone'

# work SESSION FILE: a commit in it.
work() { echo "$2" >"$T/.af_worktrees/repo-$1/$2"; afw commit "$1" -m "$2" >"$T/commit" 2>&1; rm -f "$OUT"; }
named() { sed -n 's/^hint: hooks not run: //p' <<<"$err"; }
again='; `afw merge --hooks` runs them'
work x one
exit_is 0 'what a merge would do' afw merge --dry-run x
is "$(named)" "post-merge$again" 'a fast-forward'
exit_is 0 'a merge' afw merge x
is "$(named)" "post-merge$again" 'is told again'
work y two
exit_is 0 'a merge commit' afw merge y --dry-run
is "$(named)" "pre-merge-commit, prepare-commit-msg, commit-msg, post-merge$again" 'has more of them'
exit_is 0 'a squash' afw merge y --squash --dry-run
is "$(named)" 'post-merge, pre-commit, prepare-commit-msg, commit-msg, post-commit' 'has others'
exit_is 0 'a rebase' afw merge y --rebase --dry-run --json
is "$(json hooks_not_run)|$err" \
	'["pre-rebase","post-checkout","prepare-commit-msg","post-commit","post-rewrite"]|' 'in JSON'
is "$(cat "$OUT" 2>&1 | grep -c in)" 0 'none was run'

# --- git runs them -----------------------------------------------------------------
refused 2 'goes without --squash' 'not with --squash' afw merge y --hooks --squash
echo mine >>f; old=$(git rev-parse HEAD)
for hook in pre-merge-commit commit-msg; do
	export REFUSE=$hook
	run afw merge y --hooks
	is "$code|$(git rev-parse HEAD)|$(git status --short)|$(git rev-parse -q --verify MERGE_HEAD)" \
		"1|$old| M f|" "$hook refuses, and nothing is changed"
	like "$err" "$hook .*afw: merge 'y': git merge in $T/repo has failed.*hint: nothing is changed" \
		'which is said'
done
unset REFUSE; rm "$OUT"
exit_is 0 'they agree' afw merge y --hooks --json
is "$(cat "$OUT")" "pre-merge-commit 0  in $T/repo
prepare-commit-msg 2 merge in $T/repo
commit-msg 1  in $T/repo
post-merge 1  in $T/repo" 'and are run as git runs them'
is "$(json merged)|$(json how)|$(json to)|$(json hooks_not_run)" \
	"true|merge|$(git rev-parse main)|[]" 'what came of it is told'
is "$(git log -1 --format=%s)|$(git status --short)|$(cat two)" "Merge branch 'af/y' into main| M f|two" \
	'it is merged'
work z three
afw new w --no-start -- cat >/dev/null 2>&1; work w four
git config branch.main.mergeoptions --edit; git config core.editor false
exit_is 0 'a message' afw merge z --hooks -m 'my own'
is "$(git log -1 --format=%s)" 'my own' 'is used, and no editor is opened'
git config --unset branch.main.mergeoptions
echo conflict >"$T/.af_worktrees/repo-w/two"; work w five
echo other >two; git commit -qam other 2>/dev/null; rm -f "$OUT"
refused_with() { run afw merge w --hooks; is "$code|$(cat "$OUT" 2>&1 | grep -c in)" "$1|0" "$2"; }
refused_with 4 'a conflict is refused before git begins'
git reset -q --hard HEAD~1
exit_is 0 'into a branch that is not checked out' bash -c 'git branch side af/w~1; afw merge w --into side --hooks'
is "$(git rev-parse side)|$(cat "$OUT" 2>&1 | grep -c in)" "$(git rev-parse af/w)|0" 'no hook is run, as in git'

# --- it is ended -------------------------------------------------------------------
mkdir -p "$XDG_CONFIG_HOME/afw"; printf 'check_timeout = 1s\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
rm .git/hooks/*; afw new late --no-start -- cat >/dev/null 2>&1; work late six
printf '#!/bin/sh\nsleep 600\n' >.git/hooks/post-merge; chmod +x .git/hooks/post-merge
run afw merge late --hooks
is "$code" 7 'post-merge takes too long'
like "$err" 'was not done after 1 s.*hint: git status and git log, in .*/repo, print' \
	'what git has done is to be looked up'
is "$(git log -1 --format=%s)|$(git status --short)" 'six|' 'the merge that git has made stays'
done_testing
