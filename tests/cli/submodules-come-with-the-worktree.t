#!/bin/bash
# A new worktree has its submodules, three deep, from the main worktree's own git
# directories and without the network; each has a git directory of its own. merge
# copies their commits to the main worktree's, rm keeps what only they have.
. "$(dirname "$0")/../lib.sh"
afw_env
git config --global protocol.file.allow always
mkdir "$T/from"
for i in deep mid lib; do make_repo "$T/from/$i" file; done
(cd "$T/from/mid" && git submodule --quiet add "$T/from/deep" a/deep && git commit -qm sub)
(cd "$T/from/lib" && git submodule --quiet add "$T/from/mid" mid && git commit -qm sub)
make_repo "$T/repo"
cd "$T/repo" || exit 2
git submodule --quiet add --name 'the lib' "$T/from/lib" libs/lib
git submodule --quiet add "$T/from/deep" deep
git commit -qm submodules
git clone -q . "$T/bare.git" --bare
git submodule --quiet update --init --recursive
mv "$T/from" "$T/away" # no URL leads anywhere
W=$T/.af_worktrees/repo-x
own=.git/worktrees/repo-x/modules
below='libs/lib libs/lib/mid libs/lib/mid/a/deep deep'

# -- new --------------------------------------------------------------------------
before=$(find .git/modules -type f -exec sha1sum {} + | sort)
exit_is 0 'new' afw new x -- cat
is "$err" '' 'has no warning'
is "$(git -C "$W" submodule status --recursive | sed 's/ (.*//')" \
	"$(git submodule status --recursive | sed 's/ (.*//')" 'has the submodules, three deep'
is "$(cd "$W" && find . -type f ! -path './.git' ! -name .git | sort)" \
	"$(find . -type f ! -path './.git/*' ! -name .git | sort)" 'with their files'
is "$(git -C "$W" status --porcelain)" '' 'git has no change there'
for i in $below; do
	dir=$(git -C "$W/$i" rev-parse --absolute-git-dir)
	like "$dir" "^$PWD/$own/" "$i: its git directory is the worktree's"
	is "$(git -C "$W/$i" rev-parse --show-toplevel)" "$W/$i" 'whose files these are'
	is "$(git -C "$W/$i" fsck 2>&1; git -C "$W/$i" config remote.origin.url)" \
		"$(git -C "$i" config remote.origin.url)" 'it is whole, and has its remote'
done
is "$(du -s --apparent-size -k "$own" | cut -f 1)" \
	"$(du -s --apparent-size -k --exclude='*.pack' --exclude='objects/??' "$own" | cut -f 1)" \
	'no object is copied'
like "$(cat "$own/deep/objects/info/alternates")" "^$PWD/.git/modules/deep/objects$" 'they are borrowed'
# What is done there does not reach the user's.
(
	cd "$W/libs/lib/mid/a/deep" || exit
	git branch -q other && git branch -q -D main 2>/dev/null
	git remote set-url origin /nowhere
	git config alias.x '!false'
	git tag new && git gc -q --prune=now && git update-ref -d refs/remotes/origin/main
)
is "$(find .git/modules -type f -exec sha1sum {} + | sort)" "$before" \
	"nothing of the user's is changed"
afw rm --stop x >/dev/null

# An option of git that names a command is not copied.
git -C deep config submodule.x.update '!touch /tmp/afw-ran'
git -C deep config core.fsmonitor /bin/false
git -C deep config core.hooksPath /nowhere
exit_is 0 'new' afw new x -- cat
is "$(git config -f "$own/deep/config" --get-regexp 'submodule|fsmonitor|hookspath')" '' \
	'no command is copied from a configuration'
git -C deep config --unset core.fsmonitor
git -C deep config --remove-section submodule.x

# -- commit and merge ------------------------------------------------------------
for i in libs/lib/mid/a/deep libs/lib/mid libs/lib; do
	echo more >>"$W/$i/file"
	git -C "$W/$i" commit -q -am "in $i"
	deepest=${deepest-$(git -C "$W/$i" rev-parse HEAD)}
done
waits_for '[ "$(state_of x files_changed) $(state_of x uncommitted)" = "1 1" ]' \
	'commits below are one change'
exit_is 0 'commit' afw commit x -m bump
is "$(git -C "$W" status --porcelain)" '' 'commits it'
exit_is 0 'merge --dry-run' afw merge -n x
nok_cmd 'copies nothing' git -C libs/lib/mid/a/deep cat-file -e "$deepest"
exit_is 0 'merge' afw merge x
is "$(git rev-parse main:libs/lib)" "$(git -C "$W/libs/lib" rev-parse HEAD)" 'merges it'
ok_cmd 'the main worktree can check it out' git submodule --quiet update --recursive
is "$(git -C libs/lib/mid/a/deep rev-parse HEAD; git status --porcelain)" "$deepest" \
	'down to the deepest'
for i in libs/lib libs/lib/mid libs/lib/mid/a/deep; do
	git -C "$i" checkout -q origin/main
	git -C "$i" reflog expire --expire=now --all
	git -C "$i" gc -q --prune=now
	ok_cmd "$i: git gc keeps the commit" git -C "$i" cat-file -e "$(git -C "$W/$i" rev-parse HEAD)"
done
git submodule --quiet update --recursive
exit_is 0 'rm' afw rm --stop x
like "$out" 'all of its work is in commits' 'keeps nothing of it'
waits_for '[ ! -e "$T/.af_worktrees" ] && [ ! -e .git/worktrees ]' 'it is deleted'

# -- conflicts, undo ----------------------------------------------------------------
for i in x y; do
	exit_is 0 "new $i" afw new $i -- cat
	git -C "$T/.af_worktrees/repo-$i/deep" commit -q --allow-empty -m "by $i"
	exit_is 0 "commit $i" afw commit $i -m "deep of $i"
done
exit_is 0 'conflicts' afw conflicts
like "$out" 'deep' 'names the submodule that both have moved'
exit_is 0 'merge of one' afw merge x
run afw merge y
is "$code" 4 'the other conflicts'
like "$out$err" 'deep' 'and the submodule is named'
is "$(git rev-parse main:deep)" "$(git rev-parse af/x:deep)" 'the first is merged'
git submodule --quiet update
exit_is 0 'a checkpoint' afw checkpoint y
echo dirty >>"$T/.af_worktrees/repo-y/deep/file"
exit_is 0 'undo' afw undo -y --no-tell y 1
is "$(tail -n 1 "$T/.af_worktrees/repo-y/deep/file")" dirty 'leaves files of a submodule alone'

# -- rm: what only they have -----------------------------------------------------
exit_is 0 'rm of what is not merged' afw rm --stop y
like "$out" 'kept in the trash until you purge it' 'keeps a commit that only its submodule has'
exit_is 0 'restore' afw trash restore y
is "$(git -C "$T/.af_worktrees/repo-y/deep" log -1 --format=%s)$(tail -n 1 \
	"$T/.af_worktrees/repo-y/deep/file")" 'by ydirty' 'restores commit and file'
afw rm --stop x >/dev/null
exit_is 0 'new' afw new x -- cat
D=$W/libs/lib/mid/a/deep
echo new >"$D/untracked"
exit_is 0 'rm of an untracked file three deep' afw rm --stop x
like "$out" 'kept in the trash.*untracked' 'keeps it, and names it'
exit_is 0 'restore' afw trash restore x
rm "$D/untracked"
git -C "$D" commit -q --allow-empty -m lone
git -C "$D" checkout -q 'HEAD@{1}'
exit_is 0 'rm of a commit that is on no branch, three deep' afw rm --stop x
like "$out" "until you purge it.*submodule the lib/modules/mid/modules/a/deep has commits" 'keeps it'
exit_is 0 'restore' afw trash restore x
is "$(git -C "$D" log -1 --format=%s 'HEAD@{1}')" lone 'restores it'
exit_is 0 'purge' afw rm --stop x
afw trash purge -y x >/dev/null 2>&1

# -- what is not there ------------------------------------------------------------
git clone -q "$T/bare.git" "$T/other"
mv "$T/away" "$T/from"
cd "$T/other" || exit 2
O=$T/.af_worktrees/other
update='run .git submodule update --init --recursive. there'
exit_is 0 'new in a clone without submodules' afw new none -- cat
like "$err" "2 submodules left empty, .* \(deep, libs/lib\); $update" 'names them'
ok_cmd 'the command' git -C "$O-none" submodule --quiet update --init --recursive
is "$(cat "$O-none/libs/lib/mid/a/deep/file")" 'this is file' 'fetches them'
git -C "$O-none/deep" commit -q --allow-empty -m lone
exit_is 0 'commit' afw commit none -m lone
refused 4 'the commit of the submodule deep is only in' \
	'a merge that the main worktree cannot take is refused' afw merge none
is "$(git log -1 --format=%s main)" submodules 'and the branch stays'
git submodule --quiet update --init --recursive
exit_is 0 'when it has the submodule' afw merge none
git submodule --quiet update
is "$(git -C deep log -1 --format=%s)" lone 'it is merged'
git -C libs/lib submodule --quiet deinit -f mid
exit_is 0 'new without one that the user has deinitialised' afw new two -- cat
like "$err" "1 submodule left empty, .* \(libs/lib/mid\); $update" 'names it'
is "$(ls "$O-two/libs/lib")" $'file\nmid' 'has the one above it'
(cd "$T/from/lib" && echo news >file && git commit -qam news)
git update-index --cacheinfo "160000,$(git -C "$T/from/lib" rev-parse HEAD),libs/lib"
git commit -qm news
exit_is 0 'new with a commit that was not fetched' afw new four -- cat
like "$err" "1 submodule left empty, .* \(libs/lib\); $update" 'names it'
is "$(find "$O-four/libs/lib" '.git/worktrees/other-four/modules/the lib' -mindepth 1 2>/dev/null)" '' \
	'nothing of it is left'
ok_cmd 'the command' git -C "$O-four" submodule --quiet update --init libs/lib
is "$(cat "$O-four/libs/lib/file")" news 'fetches it'
run afw new five -o 'setup=false' -- cat
is "$code$(ls -d "$O-five" .git/worktrees/other-five 2>/dev/null)" 1 \
	'a setup that fails leaves nothing of the submodules'

# -- hostile ----------------------------------------------------------------------
# A commit may name anything: what is not a submodule of the user's stays empty.
make_repo "$T/outside"
git clone -q --bare "$T/from/deep" "$T/other/.git/evil" # has the commit
hostile() # NAME PATH URL
{
	git config -f .gitmodules --remove-section submodule.deep 2>/dev/null
	printf '[submodule "%s"]\n\tpath = %s\n\turl = %s\n\tupdate = !touch %s\n' \
		"$1" "$2" "$3" "$T/ran" >.gitmodules
	git add .gitmodules
	git commit -q --no-verify -m hostile
	git config "submodule.$1.url" "$3"
	exit_is 0 "new with the name $(printf %q "$1")" afw new bad -- cat
	like "$err" '2 submodules left empty' 'leaves it empty'
	nok_cmd 'and prints no control character' grep -q $'[\001-\010\013-\037]' <<<"$err"
	is "$(find .git/worktrees/other-bad/modules "$O-bad/deep" -mindepth 1 2>/dev/null)" '' \
		'and makes nothing'
	afw rm --stop bad >/dev/null
}
for i in ../evil .. ../../../outside/.git modules/../../evil 'a\\..\\evil' /etc '' $'d\tp'; do
	hostile "$i" deep "ext::touch $T/ran"
done
hostile deep ../outside -upload-pack=touch
hostile deep .git "$T/outside"
nok_cmd 'no command was run' test -e "$T/ran"
# A link in place of a directory: the commit has it, so it is no submodule.
printf '[submodule "deep"]\n\tpath = link/deep\n\turl = x\n' >.gitmodules
ln -s "$T/outside" link
git add .gitmodules link && git commit -q -m link
exit_is 0 'new with a path through a link' afw new bad -- cat
is "$(ls "$T/outside")" README 'nothing is made outside'
done_testing
