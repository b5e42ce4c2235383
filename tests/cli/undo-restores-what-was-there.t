#!/bin/bash
# Random histories, undone and redone in random order: files, links, modes,
# empty directories, the index and the branch are as they were, byte for byte,
# and no ignored file is touched.
#
#	AF_TEST_SEED=N AF_TEST_COUNT=M undo-restores-what-was-there.t
#
# tries M histories from seed N on. A failure names its seed; AF_TEST_KEEP=DIR
# keeps it.
. "$(dirname "$0")/../lib.sh"
afw_env
seed=${AF_TEST_SEED-1}
count=$((20 / ${AF_TEST_EVERY:-3}))
count=${AF_TEST_COUNT-$count}
diag "AF_TEST_SEED=$seed AF_TEST_COUNT=$count"
git config --global advice.detachedHead false
git config --global core.safecrlf false
export GIT_OPTIONAL_LOCKS=0 GIT_EDITOR=true

# pick WORD...: one of them, in $it.
pick() { shift $((RANDOM % $#)); it=$1; }
one_in() { [ $((RANDOM % $1)) = 0 ]; }
paths=(a A b c d d/a d/b d/e d/e/a x x/y 's p' 's p/ü' $'\xff\n' '-n' 'q"\' e.ign x/f.ign)

# ask OP MEMBERS: the answer is in $answer, its code in $code.
ask()
{
	code=0
	answer=$(echo "{\"op\":\"$1\",$members${2-}}" | "$BUILD/afw-worktree") || code=$?
	answer=${answer##*$'\n'}
}
member() { _json "$1" /dev/stdin <<<"$answer"; }

# room PATH: nothing is there, and a directory above it.
room()
{
	local up=$1
	while [[ $up == */* ]]; do
		up=${up%/*}
		[ -d "$up" ] && [ ! -L "$up" ] || rm -rf -- "$up"
	done
	rm -rf -- "$1"
	[[ $1 != */* ]] || mkdir -p -- "${1%/*}"
}

write()
{
	n=$((n + 1))
	local eol=
	! one_in 3 || eol=$'\r'
	printf '%s of %s%s\nsecond\n' "$n" "$1" "$eol" >"$1"
}

# What an agent does in a turn.
change()
{
	local p q
	pick "${paths[@]}"
	p=./$it
	pick edit edit edit file file exec link dir delete rename mode mode same empty hard \
		stage stage stage intent unstage untrack force commit commit amend reset rebase merge
	case $it in
	edit) [ ! -f "$p" ] || [ -L "$p" ] || echo "more $RANDOM" >>"$p" ;;
	# as many bytes, at once
	same) [ ! -f "$p" ] || [ -L "$p" ] || printf 'x%04d\n' $((RANDOM % 10000)) >"$p" ;;
	file) room "$p" && write "$p" ;;
	exec) room "$p" && write "$p" && chmod +x "$p" ;;
	link) room "$p" && ln -s -- "to $RANDOM" "$p" ;;
	dir) room "$p" && mkdir -- "$p" && write "$p/in" && write "$p/out" ;;
	empty) [ -e "$p" ] || { room "$p" && mkdir -p -- "$p/one/two"; } ;;
	hard) [ ! -f "$p" ] || [ -L "$p" ] || [ -e hard ] || ln -- "$p" hard ;;
	delete) rm -rf -- "$p" ;;
	mode) [ ! -f "$p" ] || [ -L "$p" ] || chmod $((RANDOM % 2 ? 755 : 644)) "$p" ;;
	rename)
		pick "${paths[@]}"
		q=./$it
		[[ $p/ != "$q"/* && $q/ != "$p"/* ]] && [ -e "$p" ] && room "$q" && mv -- "$p" "$q"
		;;
	stage) git add -A -- "$p" ;;
	intent) git add -N -- "$p" ;;
	unstage) git reset -q -- "$p" ;;
	untrack) git rm -rq --cached -- "$p" ;;
	force) git add -f -- "$p" ;;
	commit)
		one_in 2 || git add -A
		git commit -q --allow-empty -m "$RANDOM"
		;;
	amend) git commit -q --allow-empty --amend -m "$RANDOM" ;;
	reset) git reset -q --soft HEAD^ ;;
	rebase)
		git stash -q -u && git rebase -q main && git stash pop -q
		git rebase --abort
		git merge --abort
		;;
	# a conflict in the index alone
	merge) git read-tree -m "$(git rev-list --max-parents=0 HEAD)" HEAD main ;;
	esac
}

# contents: what the paths on standard input are, NUL-separated; a line each.
contents()
{
	local p paths files=() sums=() executable
	mapfile -d '' paths
	for p in "${paths[@]}"; do
		if [ -L "$p" ]; then
			printf 'link %q %s\n' "$p" "$(readlink -- "$p")"
		elif [ -f "$p" ]; then
			files+=("$p")
		fi
	done
	[ ${#files[@]} = 0 ] || mapfile -t sums < <(sha1sum -z -- "${files[@]}" |
		tr '\0\n' '\n ')
	for p in "${!files[@]}"; do
		[ -x "${files[p]}" ] && executable=x || executable=''
		printf 'file %q %s %s\n' "${files[p]}" "$executable" "${sums[p]:0:40}"
	done
}

# All that an undo restores: not the ignored files. A directory that is empty in the
# file STATE may have ignored files since, which stay.
world() # [STATE]
{
	local d
	echo "$(git symbolic-ref HEAD) $(git rev-parse HEAD)"
	sha1sum <"$admin/index"
	git ls-files -stv
	git status --porcelain --ignored=no
	{
		git ls-files -z -c -o --exclude-standard --exclude='*.ign'
		git ls-files -z
	} | sort -zu | contents
	{
		find . \( -name .git -o -name '*.ign' \) -prune -o -type d -empty -print
		[ -z "${1-}" ] || grep -a '^\./' "$1" | while read -r d; do
			[ ! -d "$d" ] || [ -n "$(find "$d" -mindepth 1 ! -name '*.ign')" ] || echo "$d"
		done
	} | sort -u
}
ignored()
{
	git ls-files -z -o -i --exclude-standard | contents | sort
}

# keep KIND: a checkpoint, and its state in $T/states. The end of a turn adds
# none if only the times in the index have changed.
keep()
{
	ask checkpoint ",\"kind\":\"$1\""
	[ "$code" = 0 ] || echo "checkpoint: $answer"
	last=$(member number)
	[ "$1" = turn-end ] && [ -e "$T/states/$last" ] || world >"$T/states/$last"
}

# history SEED: a session's worktree with some checkpoints.
history()
{
	local i
	RANDOM=$1 n=0
	rm -rf "$T/repo" "$T/states" "$T/.af_worktrees"
	mkdir "$T/states"
	git init -q "$T/repo"
	cd "$T/repo" || exit 2
	case $((RANDOM % 4)) in
	0) git config core.autocrlf true ;;
	1) echo '* text=auto' >.gitattributes ;;
	2) git config filter.up.clean 'tr a-z A-Z' && git config filter.up.smudge 'tr A-Z a-z' &&
		echo 'd/* filter=up' >.gitattributes ;;
	esac
	echo '*.ign' >.gitignore
	for p in "${paths[@]}"; do
		one_in 2 || { room "./$p" && write "./$p"; }
	done
	git add -A && git commit -qm base
	one_in 5 && git sparse-checkout set --no-cone '/*' '!/d'
	answer=$(echo "{\"op\":\"create\",\"path\":\"$PWD\",\"name\":\"s\"}" | "$BUILD/afw-worktree")
	answer=${answer##*$'\n'}
	members=
	for i in repository worktree worktree_id base_commit branch ino; do
		members+="${members:+,}\"$i\":\"$(member $i)\""
	done
	git commit -q --allow-empty -m main
	cd "$(member worktree)" || exit 2
	admin=$T/repo/.git/worktrees/repo-s
}

# go WHAT MEMBERS: an undo; says what is wrong.
go()
{
	local before=$T/before to saved
	world >"$before"
	ignored >"$before.ignored"
	ask undo "$1"
	if [ "$code" != 0 ]; then
		refused=$((refused + 1))
		[[ $answer == *'no undo to reverse'* || $answer == *'when each turn began'* ||
			$answer == *'in the way'* || $answer == *'unfinished'* ||
			$answer == *'not on its branch'* ]] ||
			echo "undo$1: $answer"
		diff "$before" <(world) || echo "undo$1 was refused and has changed something: $answer"
		return
	fi
	to=$(member to) saved=$(member saved)
	[ -z "$saved" ] || cp "$before" "$T/states/$saved"
	diff "$T/states/$to" <(world "$T/states/$to") || echo "undo$1: it is not as in $to: $answer"
	# What was tracked then may be ignored now; what is ignored stays.
	comm -23 "$before.ignored" <(ignored) | while read -r line; do
		line=${line#* }
		grep -qF "file ${line%% *} " "$T/states/$to" || echo "an ignored file is gone: $line"
	done
	done=$((done + 1))
}

# play: turns, undone and redone.
play()
{
	local turn i k
	for ((turn = 0; turn < 4; turn++)); do
		keep turn-begin
		for ((i = RANDOM % 6; i >= 0; i--)); do change; done >"$T/log" 2>&1
		one_in 3 || keep turn-end
	done
	for ((i = 0; i < 8; i++)); do
		k=$((RANDOM % last + 1))
		case $((RANDOM % 6)) in
		0 | 1) [ ! -e "$T/states/$k" ] || go ",\"to\":$k" ;;
		2 | 3) go '' ;;
		4) go ',"redo":true' ;;
		5) for ((k = RANDOM % 3; k >= 0; k--)); do change; done >"$T/log" 2>&1 ;;
		esac
	done
	[ ! -e "$admin/afw-merge" ] && [ ! -e "$admin/afw-undo" ] || echo 'something is left'
	git fsck --no-dangling --no-progress 2>&1 | grep -v '^notice'
}

done=0 refused=0
for ((s = seed; s < seed + count; s++)); do
	history $s >"$T/log" 2>&1
	play >"$T/wrong" 2>&1
	is "$(<"$T/wrong")" '' "seed $s" || {
		[ -z "${AF_TEST_KEEP-}" ] || cp -a "$T" "$AF_TEST_KEEP/$s"
	}
done
diag "undone or redone $done, refused $refused"
done_testing
