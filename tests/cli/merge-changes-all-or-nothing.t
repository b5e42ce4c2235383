#!/bin/bash
# afw merge if a path becomes a file, a directory or a link: it changes
# everything as git does, or, if something is in the way, nothing.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/merge.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

# make KIND PATH [TEXT]
make()
{
	case $1 in
	file) echo "${3-new} $2" >"$2" ;;
	dir) mkdir -p "$2" && echo "${3-new} in $2" >"$2/in" ;;
	link) ln -sfn "${3-new}-$2" "$2" ;;
	esac
}

# A session that turns x from kind $1 (or none) into kind $2, and a commit on
# main since then if $3.
n=0
session()
{
	git clean -fdxq
	git reset -q --hard
	: >.git/info/exclude
	n=$((n + 1)) x=x$n
	[ "$1" = none ] || make "$1" $x old
	git add -A && git commit -q --allow-empty -m "x is $1"
	run afw new "s$n" --no-start -- cat
	(cd "$T/.af_worktrees/repo-s$n" && rm -rf $x && make "$2" $x &&
		git add -A && git commit -qm "x is $2")
	[ -z "${3-}" ] || git commit -q --allow-empty -m 'more on main'
}

# merges NAME [OPTION]: as git merge does in a copy.
merges()
{
	rm -rf "$T/copy"
	cp -a . "$T/copy"
	git -C "$T/copy" merge -q --no-edit "af/s$n" >"$T/git" 2>&1
	exit_is 0 "$1" afw merge "s$n" ${2-}
	is "$(world)" "$(cd "$T/copy" && world)" 'has the files of git'
	is "$(git status --short -uno)|$(find .git -name '*.lock' -o -name afw-merge)" '|' \
		'and leaves nothing'
}

# keeps NAME: is refused, and nothing is changed.
keeps()
{
	local before
	before=$(world; git rev-parse HEAD; git ls-files -s)
	exit_is 4 "$1" afw merge "s$n"
	like "$err" 'has changes of its own' 'says why'
	is "$(world; git rev-parse HEAD; git ls-files -s)" "$before" 'nothing is changed'
	is "$(find .git -name '*.lock' -o -name afw-merge)" '' 'nothing is left'
}

for change in 'file dir' 'file link' 'dir file' 'dir link' 'link file' 'link dir'; do
	set -- $change
	for how in '' --squash --rebase; do
		sampled || continue
		session "$1" "$2" "$how"
		merges "$1 to $2 $how" $how
	done
	if sampled; then
		session "$1" "$2"
		make "$1" $x own
		keeps "$1 to $2, changed"
	fi
	for ignored in '' ignored; do
		sampled || continue
		session "$1" "$2"
		[ -z "$ignored" ] || printf 'in\nown\n' >.git/info/exclude
		if [ "$1" = dir ]; then
			echo own >$x/own
		else
			rm $x
			mkdir $x
			echo own >$x/in
			echo own >$x/own
		fi
		keeps "$1 to $2, ${ignored:-untracked} files in the way"
	done
done

for kind in file dir link; do
	for there in file dir link; do
		for ignored in '' ignored; do
			sampled || continue
			session none $kind
			[ -z "$ignored" ] || echo $x >.git/info/exclude
			make $there $x own
			keeps "a new $kind, an ${ignored:-untracked} $there in the way"
		done
	done
done

# A file on one side, in a directory of which the other has made something:
# libgit2 would drop the file.
for how in '' --squash --rebase; do
	session dir file
	git rm -q $x/in && mkdir -p $x/in && echo more >$x/in/deep
	git add -A && git commit -qm "more in $x"
	before=$(world; git rev-parse HEAD)
	exit_is 4 "a file and a directory $how" afw merge "s$n" $how
	like "$out" "$x: a file on one side, a directory on the other" 'conflict'
	is "$(world; git rev-parse HEAD)" "$before" 'and nothing is changed'
done

# A submodule with files in it. sub 'shell commands of the session'
sub()
{
	git reset -q --hard
	n=$((n + 1))
	run afw new "s$n" --no-start -- cat
	(cd "$T/.af_worktrees/repo-s$n" && eval "$1" && git commit -qm "$1")
}
make_repo "$T/repo/mod" in
git add mod 2>"$T/null" && git commit -qm submodule
sub 'git rm -q --cached mod; rm -rf mod; echo file >mod; git add mod'
keeps 'a submodule with files to a file'
sub 'git rm -q --cached mod; rm -rf mod; mkdir mod; echo file >mod/new; git add mod/new'
keeps 'a submodule with files to a directory'
new=$(printf %040d 1)
sub "git update-index --cacheinfo 160000,$new,mod"
exit_is 0 'another commit of a submodule' afw merge "s$n"
is "$(git ls-files -s mod)|$(cat mod/in)" "160000 $new 0	mod|this is in" \
	'changes the index, not its files'
sub 'git rm -q --cached mod'
exit_is 0 'a submodule that is deleted' afw merge "s$n"
is "$(git ls-files mod)|$(cat mod/in)" '|this is in' 'keeps its files'
rm -rf mod

# What a merge leaves alone.
session none dir
mkdir $x
echo own >$x/own
merges 'a new directory beside files of the same directory'
is "$(cat $x/own)" own 'which stay'
session dir file
mkdir -p $x/empty/deep
merges 'a directory with empty ones in it'
session file dir
rm $x
merges 'a file that was deleted'
done_testing
