#!/bin/bash
# Random histories, merged by afw and, in a copy, by git: both make the same
# tree, files and index, or both refuse; after a refusal of afw nothing is
# changed.
#
#	AF_TEST_SEED=N AF_TEST_COUNT=M merge-agrees-with-git.t
#
# tries M histories from seed N on (1 unless it is set, so that a run of the
# suite does not depend on luck). A failure names its seed; with that
# and AF_TEST_COUNT=1 it is tried again, and AF_TEST_KEEP=DIR keeps it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/merge.sh"
afw_env
seed=${AF_TEST_SEED-1}
count=$((30 / ${AF_TEST_EVERY:-5}))
count=${AF_TEST_COUNT-$count}
diag "AF_TEST_SEED=$seed AF_TEST_COUNT=$count"
git config --global merge.directoryRenames false
git config --global advice.detachedHead false

# pick WORD...: one of them, in $it.
pick() { shift $((RANDOM % $#)); it=$1; }
one_in() { [ $((RANDOM % $1)) = 0 ]; }
paths=(a b c d d/a d/b d/e d/e/a x x/y 's p' 's p/ü' mod)

# write PATH: a file of its own text, long enough to be known when renamed.
write()
{
	n=$((n + 1))
	local i eol=
	[ "$crlf" = 0 ] || eol=$'\r'
	for i in {1..12}; do echo "$n line $i of $1$eol"; done >"$1"
}

# room PATH: nothing is there, and a directory above it.
room()
{
	local up=$1
	while [[ $up == */* ]]; do
		up=${up%/*}
		[ -d "$up" ] && [ ! -L "$up" ] && [ ! -e "$up/.git" ] || rm -rf "$up"
	done
	rm -rf "$1"
	[[ $1 != */* ]] || mkdir -p "${1%/*}"
}

# change: makes one random change.
change()
{
	local p q
	pick "${paths[@]}"
	p=$it
	pick edit edit edit file file exec link dir delete rename rename mode mode ignored submodule
	case $it in
	edit) [ ! -f "$p" ] || [ -L "$p" ] || sed -i "$((RANDOM % 12 + 1))s/line/word $RANDOM/" "$p" ;;
	file) room "$p" && write "$p" ;;
	exec) room "$p" && write "$p" && chmod +x "$p" ;;
	link) room "$p" && ln -s "to $RANDOM" "$p" ;;
	dir) room "$p" && mkdir "$p" && write "$p/in" && write "$p/out" ;;
	delete) rm -rf "$p" ;;
	mode) [ ! -f "$p" ] || [ -L "$p" ] || chmod +x "$p" ;;
	ignored) room "$p" && mkdir -p "$p" && write "$p/ignored" && add+=("$p/ignored") ;;
	rename)
		pick "${paths[@]}"
		q=$it
		[[ $p/ != "$q"/* && $q/ != "$p"/* ]] && [ -e "$p" ] && room "$q" && mv "$p" "$q"
		;;
	submodule)
		room "$p" && mkdir "$p"
		links+=("160000,$(printf '%040d' $((RANDOM + 1))),$p")
		;;
	esac
}

# work COUNT TEXT: commits that many changes.
work()
{
	local i link add=() links=()
	for ((i = 0; i < $1; i++)); do change; done
	git add -A 2>/dev/null
	for link in "${add[@]}"; do [ ! -f "$link" ] || git add -f "$link" 2>/dev/null; done
	for link in "${links[@]}"; do
		[ ! -d "${link##*,}" ] || [ -n "$(ls -A "${link##*,}")" ] ||
			git update-index --add --cacheinfo "$link" 2>/dev/null
	done
	git commit -q --allow-empty -m "$2"
}

# dirt: what the user has not committed.
dirt()
{
	local p
	pick "${paths[@]}"
	p=$it
	pick edit edit stage stage delete file file ignored dir empty mode
	case $it in
	edit) [ ! -f "$p" ] || [ -L "$p" ] || echo "mine $RANDOM" >>"$p" ;;
	stage)
		[ -d "$p" ] && [ ! -L "$p" ] || { room "$p" && echo "mine $RANDOM" >"$p"; }
		git add "$p" 2>/dev/null
		! one_in 2 || [ ! -f "$p" ] || echo "more $RANDOM" >>"$p"
		;;
	delete) rm -rf "$p" ;;
	file) [ -e "$p" ] || { mkdir -p "$(dirname "$p")" && echo "mine $RANDOM" >"$p"; } 2>/dev/null ;;
	ignored) [ -e "$p" ] && [ ! -d "$p" ] || { mkdir -p "$p" && echo "mine $RANDOM" >"$p/ignored"; } 2>/dev/null ;;
	dir) [ ! -f "$p" ] || { rm "$p" && mkdir -p "$p" && echo "mine $RANDOM" >"$p/in"; } ;;
	empty) mkdir -p "$p" 2>/dev/null ;;
	mode) [ ! -f "$p" ] || [ -L "$p" ] || chmod -x "$p" ;;
	esac
}

# All that a merge may change.
all() { git rev-parse HEAD^{tree} && world && git ls-files -st && git status --porcelain; }
# The contents that are in no commit, those in a submodule's directory included.
own()
{
	{
		git ls-files -z -o
		git diff -z --name-only HEAD 2>/dev/null
		git ls-files -sz | grep -z ^160000 | cut -zf 2 |
			xargs -0rI{} find {} -name .git -prune -o -type f -print0 2>/dev/null
	} | sort -zu | xargs -0r sha1sum 2>/dev/null | cut -c1-40 | sort -u
}

# The paths that are staged.
staged() { git diff --cached --name-only --no-renames HEAD | sort; }

# history SEED: in $T/repo, with a session s, which is to be merged as $how.
history()
{
	local i
	RANDOM=$1 name=s$1 n=0 crlf=0 how=''
	rm -rf "$T/repo" "$T/copy" "$T/result"
	git init -q "$T/repo"
	cd "$T/repo" || exit 2
	echo ignored >.git/info/exclude
	case $((RANDOM % 4)) in
	0) crlf=1 && git config core.autocrlf true ;;
	1) echo '* text=auto' >.gitattributes ;;
	esac
	for p in "${paths[@]}"; do
		one_in 2 || { room "$p" && write "$p"; }
	done
	if one_in 3; then
		room mod && git init -q mod && git -C mod commit -q --allow-empty -m mod
	fi
	work 2 base
	one_in 5 && git sparse-checkout set --no-cone '/*' '!/d' 2>/dev/null
	run afw new "$name" --no-start -- cat
	[ "$code" = 0 ] || return
	cd "$T/.af_worktrees/repo-$name" || return
	for ((i = RANDOM % 3; i >= 0; i--)); do work $((RANDOM % 3 + 1)) "of s $i"; done
	git reset -q --hard && git clean -ffdxq
	cd "$T/repo" || exit 2
	one_in 3 || work $((RANDOM % 3 + 1)) 'of main'
	# git hides again what main has made outside the patterns.
	git sparse-checkout reapply 2>/dev/null
	one_in 3 || for ((i = RANDOM % 3; i >= 0; i--)); do dirt; done
	case $((RANDOM % 6)) in
	0) how=--squash ;;
	1) how=--rebase ;;
	esac
}

# by_git: what git makes of it in $T/copy; its exit code.
by_git()
{
	local tree
	cp -a . "$T/copy"
	if [ -z "$how" ] && git diff --cached --quiet; then
		git -C "$T/copy" merge -q --no-edit "af/$name"
		return
	fi
	# The result in a clean worktree, and that into the copy.
	echo "$PWD/.git/objects" >"$T/copy/.git/objects/info/alternates"
	git worktree add -q --detach "$T/result" main || return
	if [ "$how" = --rebase ]; then
		git -C "$T/result" checkout -q --detach "af/$name" &&
			git -C "$T/result" rebase -q main
	else
		git -C "$T/result" merge -q --no-edit "af/$name"
	fi && tree=$(git -C "$T/result" rev-parse HEAD^{tree}) &&
		cd "$T/copy" && { git update-index -q --refresh; true; } &&
		git read-tree -m -u HEAD "$tree" &&
		git update-ref HEAD "$(git commit-tree -p HEAD -m x "$tree")"
}

# compare SEED: what is wrong, or nothing. same, refused and other count.
compare()
{
	local before git=0 lost
	before=$(all) mine=$(own) staged=$(staged)
	(by_git) >"$T/git" 2>&1 || git=$?
	git worktree prune
	run afw merge "$name" $how
	if [ "$code" != 0 ] && [ "$(all)" != "$before" ]; then
		echo "afw refuses and has changed something: $err"
		diff <(echo "$before") <(all)
	elif [ "$code" != 0 ] && [ "$git" = 0 ]; then
		# git overwrites ignored files and whole submodules, and what is
		# staged if its directory becomes a file. If it becomes a submodule,
		# git leaves that out of the index: the next commit would undo it.
		lost=$(cd "$T/copy" && own | comm -23 <(echo "$mine") -)
		lost+=$(cd "$T/copy" && staged | comm -13 <(echo "$staged") -)
		[ ! -e mod/.git ] || [ -e "$T/copy/mod/.git" ] || lost+=mod
		# A sparse worktree is sometimes dirty for git itself.
		[[ $err != *'uncommitted changes'* ]] || lost+=dirty
		[ -n "$lost" ] || echo "git merges, afw does not: $out $err"
		[ -z "$lost" ] || other=$((other + 1))
	elif [ "$code" = 0 ] && [ "$git" != 0 ]; then
		# libgit2 lets a renamed file become the link that the other
		# side has made of it: see afw-merge(1).
		if grep -q modify/delete "$T/git" &&
			git log --diff-filter=T --format= --name-only main "af/$name" | grep -q .; then
			other=$((other + 1))
		else
			echo "afw merges, git does not: $(cat "$T/git")"
		fi
	elif [ "$code" = 0 ]; then
		same=$((same + 1))
		diff <(cd "$T/copy" && all) <(all)
	else
		refused=$((refused + 1))
		[[ $code == [49] ]] || echo "exit code $code: $err"
	fi
	[ ! -e .git/afw-merge ] || echo 'afw-merge is left'
}

same=0 refused=0 other=0
for ((s = seed; s < seed + count; s++)); do
	history $s >/dev/null 2>&1
	compare >"$T/wrong" 2>&1
	wrong=$(<"$T/wrong")
	is "$wrong" '' "seed $s $how" || {
		[ -z "${AF_TEST_KEEP-}" ] || cp -a "$T" "$AF_TEST_KEEP/$s"
	}
	run afw rm -D -t "$name"
	run afw trash purge --yes
done
diag "the same $same, both refuse $refused, differ as documented $other"
done_testing
