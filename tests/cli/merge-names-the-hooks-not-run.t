#!/bin/bash
# afw new and afw merge name the hooks that git would have run, with the command
# that runs the hooks of a merge.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README f
cd "$T/repo" || exit 2
export OUT=$T/said
exit_is 0 'without hooks' afw new x --no-start -- cat
unlike "$err" hooks 'nothing is reported'
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
mkdir "$T/home/away" && cp .git/hooks/post-checkout "$T/home/away"
mv .git/hooks/post-checkout "$T"
git config core.hooksPath '~/away'
exit_is 0 'hooks elsewhere' afw new away --no-start -- cat
like "$err" 'hint: hooks not run: post-checkout' 'names that one'
git config --unset core.hooksPath
mv "$T/post-checkout" .git/hooks

# work SESSION FILE: a commit in it.
work() { echo "$2" >"$T/.af_worktrees/repo-$1/$2"; afw commit "$1" -m "$2" >"$T/commit" 2>&1; rm -f "$OUT"; }
named() { sed -n 's/^hint: hooks not run: //p' <<<"$err"; }
by_git() { echo "; \`git -C $T/repo merge af/$1\` runs them"; }
work x one
exit_is 0 'a dry run' afw merge --dry-run x
is "$(named)" "post-merge$(by_git x)" 'a fast-forward'
exit_is 0 'a merge' afw merge x
is "$(named)" post-merge 'is reported again'
work y two
exit_is 0 'a merge commit' afw merge y --dry-run
is "$(named)" "pre-merge-commit, prepare-commit-msg, commit-msg, post-merge$(by_git y)" 'has more of them'
exit_is 0 'a squash' afw merge y --squash --dry-run
is "$(named)" 'post-merge, pre-commit, prepare-commit-msg, commit-msg, post-commit' 'has others'
exit_is 0 'a rebase' afw merge y --rebase --dry-run --json
is "$(json hooks_not_run)|$err" \
	'["pre-rebase","post-checkout","prepare-commit-msg","post-commit","post-rewrite"]|' 'in JSON'
is "$(cat "$OUT" 2>/dev/null)" '' 'no hook was run'

work y three
before=$(git rev-parse main)
command=$(afw merge -n y 2>&1 | sed -n 's/.*`\(git .*\)` runs them/\1/p')
(cd / && GIT_EDITOR=: $command) >"$T/git" 2>&1
is "$(git rev-parse main^)|$(sed 's/ .*//' "$OUT" | paste -sd ' ')" \
	"$before|pre-merge-commit prepare-commit-msg commit-msg post-merge" 'a dry run names the command that runs them'
exit_is 0 'afw then' afw merge y
like "$out" 'has all of it already' 'has nothing left to do'
done_testing
