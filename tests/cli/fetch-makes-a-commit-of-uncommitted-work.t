#!/bin/bash
# afw fetch --uncommitted on this machine: refs/afw/work/BRANCH is a commit of
# all that a session has changed; its worktree and index stay.
. "$(dirname "$0")/../lib.sh"
afw_env

make_repo "$T/repo"
cd "$T/repo" || exit 2
afw new one --no-start -a demo >"$T/log" 2>&1
there=$T/.af_worktrees/repo-one
ref=refs/afw/work/af/one
exit_is 0 'nothing is changed' afw fetch -u one
like "$out" "$ref is at [0-9a-f]{10}: nothing is uncommitted" 'is said'
is "$(git rev-parse $ref)" "$(git rev-parse main)" 'it is the last commit'

(cd "$there" && git commit -q --allow-empty -m own && echo x >>README &&
	git add README && echo y >>README && mkdir d && echo new >d/new &&
	printf '*.log\n' >.gitignore && echo no >a.log && ln -s /etc/passwd link)
head -c 9000000 /dev/zero >"$there/large"
mkfifo "$there/fifo"
before=$(git -C "$there" status --porcelain; git -C "$there" diff --cached)
exit_is 0 'changes of all kinds' afw fetch --uncommitted one
is "$(git -C "$there" status --porcelain; git -C "$there" diff --cached)" "$before" \
	'stay as they are'
is "$(git log --format=%s $ref | tr '\n' ,)" 'uncommitted changes,own,first,' \
	'the commit is after the last one'
is "$(git ls-tree -r --name-only $ref | tr '\n' ' ')" \
	'.gitignore README d/new large link ' 'it has what git would commit'
is "$(git show $ref:README | tail -n 1)$(git show $ref:large | wc -c)" y9000000 \
	'as it is on disk'
exit_is 0 'the changes alone' git cherry-pick -n "$ref"
is "$(cat d/new):$(git log -1 --format=%s)" new:first 'can be taken here'
git reset -q --hard
ok_cmd 'git finds nothing wrong' git fsck --strict
git -C "$there" config filter.bad.clean "touch '$T/ran'; cat"
echo '* filter=bad' >"$there/.gitattributes"
exit_is 0 'a filter' afw fetch -u one
nok_cmd 'is not run' test -e "$T/ran"
git config --unset filter.bad.clean
exit_is 0 'as JSON' afw fetch -u --json one
is "$(json work)" "$(git rev-parse $ref)" 'names the commit'
exit_is 0 'rm' afw rm one
like "$out$err" 'has commits that no other branch has' \
	'that reference alone does not keep its commits'
exit_is 0 'restore' afw trash restore one
refused 3 'no session' 'no session' afw fetch -u none
exit_is 0 'rm -D' afw rm -D one
is "$(git for-each-ref --format='%(refname)')" refs/heads/main \
	'deletes the reference with the branch'
done_testing
