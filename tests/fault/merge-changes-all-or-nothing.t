#!/bin/bash
# An error, or SIGKILL, at every call of afw merge that changes a file: after an
# error nothing is changed, or it is merged; after a kill the next merge
# finishes.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
. "$(dirname "$0")/../cli/merge.sh"
afw_env
kill_world README changed file gone dir/in dir/out sub/deep/gone
cat >"$T/kinds" <<'END'
cd "$1" || exit
echo more >>changed
chmod +x README
git rm -q gone sub/deep/gone
git rm -qr dir
echo 'a file' >dir
git rm -q file
mkdir -p file new/deep
echo 'in a directory' >file/in
echo new >new/deep/file
ln -s README link
git add -A
git commit -qm kinds
END
# Not directories: git does not know them.
files() { world | grep -v '^[^ ]* d '; }
export -f world files
# Both sides have moved for a merge commit; $1: --squash or nothing.
new='afw new one --no-start -- cat && bash "$T/../kinds" "$W/repo-one" &&
	echo own >own && git commit -q --allow-empty -m main &&
	git tag before && files >"$T/before" &&
	git read-tree -m -u main $(git merge-tree --write-tree main af/one) &&
	git write-tree >"$T/tree" && files >"$T/after" && git reset -q --hard'
merged()
{
	[ "$(git rev-parse main^{tree})" = "$(<"$T/tree")" ] &&
		[ "$(files)" = "$(<"$T/after")" ] && [ -z "$(git status --short -uno)" ]
}
# Nothing is changed, though the index may have other times of files.
failed()
{
	[ "$(git rev-parse main)" = "$(git rev-parse before)" ] || echo 'the branch has moved'
	[ "$(files)" = "$(<"$T/before")" ] || echo "files: $(files | diff "$T/before" -)"
	[ -z "$(git status --short -uno)" ] || echo "git status: $(git status --short)"
	[ ! -e .git/afw-merge ] || echo "left: $(ls .git/afw-merge)"
}
kept() { [ "$(cat own)" = own ] || echo 'an untracked file'; }
back='rm -rf .git/afw-merge; git reset -q --hard before; git clean -fdq -e own'
export -f merged
for fault in '' '-e EIO' '-e ENOSPC' '-e EACCES'; do
	[ -z "$fault" ] || sampled || continue
	FAULT=$fault
	kill_each afw-worktree 'afw merge one' merged "$back" "$new"
done
FAULT=''
kill_each afw-worktree 'afw merge one --squash' merged "$back" "$new"

# A merge that was killed, and then another one: what is in its way is named,
# and git stash takes it out.
more='git -C "$W/repo-one" commit -qm more --allow-empty && cd "$W/repo-one" &&
	git rm -q changed && git commit -qm changed && cd "$R/repo"'
AGAIN="$more"' && { afw merge one || { git stash -q && afw merge one; }; }'
kill_each afw-worktree 'afw merge one' \
	'[ ! -e changed ] || merged && [ -z "$(git status --short -uno)" ]' \
	"$back && git -C \"\$W/repo-one\" reset -q --hard :/kinds" "$new"

# A file system without hard links.
cd "$R/repo" || exit 2
make_repo "$R/links" README changed file gone dir/in dir/out sub/deep/gone
cd "$R/links" || exit 2
run afw new links --no-start -- cat
bash "$T/kinds" "$W/links-links"
exit_is 0 'without hard links' "$KILL" -x afw-worktree -r "$R" -e EACCES \
	-c linkat -n 1 -s -- afw merge links
is "$(git rev-parse main)|$(git status --short)|$(cat dir changed)" \
	"$(git rev-parse af/links)||a file"$'\n'"this is changed"$'\n'"more" 'a merge works'
done_testing
