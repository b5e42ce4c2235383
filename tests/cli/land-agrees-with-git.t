#!/bin/bash
# Random sets of sessions, landed by afw, and merged by git in a copy: what has
# landed is all of the branch, in the order that was printed, and each commit
# that the branch has pointed to had passed the check.
#
#	AF_TEST_SEED=N AF_TEST_COUNT=M land-agrees-with-git.t
#
# tries M sets from seed N on. A failure names its seed.
. "$(dirname "$0")/../lib.sh"
afw_env
seed=${AF_TEST_SEED-1}
count=$((100 / ${AF_TEST_EVERY:-20}))
count=${AF_TEST_COUNT-$count}
diag "AF_TEST_SEED=$seed AF_TEST_COUNT=$count"
export T
git config --global advice.detachedHead false
mkdir -p "$XDG_CONFIG_HOME/afw"
# The bad words, each alone or two together, are what a check fails by.
cat >"$T/check" <<'CHECK'
passes() { ! grep -rqw 'word1' -- * && { ! grep -rqw word2 -- * || ! grep -rqw word3 -- *; }; }
passes || exit 1
git rev-parse HEAD >>"$T/checked"
# What a check leaves is not merged, and not seen by the next.
echo junk | tee -a a >new
rm -f b
CHECK
echo "check = sh $T/check" >"$XDG_CONFIG_HOME/afw/afw.ini"
passes() { (eval "$(head -1 "$T/check")" && passes); }

# change: a random edit; the words are bad now and then.
change()
{
	local file=$((RANDOM % 5))
	case $((RANDOM % 8)) in
	0) echo "new $RANDOM" >"new$((RANDOM % 4))" ;;
	1) [ $((RANDOM % 3)) != 0 ] || rm -f "f$file" ;;
	*) [ ! -f "f$file" ] || sed -i "$((RANDOM % 40 + 1))s/.*/word$((RANDOM % 14)) $RANDOM/" "f$file" ;;
	esac
}
work()
{
	local i
	for ((i = RANDOM % 3; i >= 0; i--)); do change; done
	git add -A && git commit -q --allow-empty -m "$1"
}

# set SEED: the repository with its sessions.
set_of()
{
	local i from
	RANDOM=$1
	rm -rf "$T/repo" "$T/result" "$T/checked"
	git init -q -b main "$T/repo"
	cd "$T/repo" || exit 2
	for i in a b; do echo "$i" >$i; done
	for i in 0 1 2 3 4; do seq -f "line %.0f of $i" 40 >"f$i"; done
	git add -A && git commit -qm base
	n=$((RANDOM % 6 + 2))
	for ((i = 1; i <= n; i++)); do
		from=
		[ "$i" = 1 ] || [ $((RANDOM % 5)) != 0 ] || from="--from s$1-$((RANDOM % (i - 1) + 1))"
		# shellcheck disable=SC2086 # an option with its value
		run afw new "s$1-$i" --no-start $from -- cat
		cd "$T/.af_worktrees/repo-s$1-$i" || exit 2
		work "s$1-$i"
		[ $((RANDOM % 3)) != 0 ] || work "s$1-$i more"
	done
	cd "$T/repo" || exit 2
	[ $((RANDOM % 2)) = 0 ] || work 'of main'
	how=''
	case $((RANDOM % 5)) in
	0) how=--squash ;;
	1) how=--rebase ;;
	esac
	[ $((RANDOM % 3)) != 0 ] || how+=' --batch'
}

# by_git NAME: merges it in $T/result.
by_git()
{
	local from
	case $how in
	*--squash*) git merge -q --squash "af/$1" && git commit -q --allow-empty -m x ;;
	*--rebase*) from=$(git rev-parse HEAD) && git checkout -q --detach "af/$1" && git rebase -q "$from" ;;
	*) git merge -q --no-edit "af/$1" ;;
	esac >"$T/git" 2>&1
}

# compare: what is wrong, or nothing.
compare()
{
	local base name rest code_of tip missed='' made=()
	base=$(git rev-parse main)
	# shellcheck disable=SC2086 # options
	run afw land -y --no-resolve $how
	[ "$code" = 0 ] || [ "$code" = 4 ] || echo "exit code $code: $err"
	[ -z "$(git status --short)" ] || git status --short
	git worktree add -q --detach "$T/result" "$base"
	cd "$T/result" || exit 2
	mapfile -t made < <(git rev-list --first-parent --reverse "$base..main")
	while IFS=': ' read -r name rest; do
		[[ $name == s*-* ]] || continue
		tip=$(git rev-parse HEAD)
		code_of=0
		by_git "$name" || code_of=1
		if [ "$code_of" = 1 ]; then
			git merge --abort 2>/dev/null || git rebase --abort 2>/dev/null
			git reset -q --hard "$tip" && git checkout -q --detach "$tip"
			[[ $rest == 'left out: it '* ]] || missed="git finds a conflict: $name: $rest"
		elif [[ $rest != merged* ]]; then
			[[ $rest != *'check of the result'* ]] || ! passes || missed="$name passes: $rest"
			[[ $rest != *conflicts* ]] || missed="$name does not conflict"
			git checkout -q --detach "$tip"
		elif [[ $how != *batch* ]] && ! passes; then
			missed="$name does not pass"
		elif [[ $how == *squash* ]]; then
			# It may be the very commit of the session, if that is as old.
			git diff --quiet HEAD "${made[0]}" || missed="$name differs"
			git checkout -q --detach "${made[0]}"
			made=("${made[@]:1}")
		fi
	done <<<"$out"
	[ -z "$missed" ] || echo "$missed, of $out"
	git diff --stat HEAD main
	cd "$T/repo" || exit 2
	git worktree remove --force "$T/result"
	git reflog --format='%H %gs' main | awk '/afw merge/ { print $1 }' | while read -r tip; do
		grep -q "$tip" "$T/checked" || echo "$tip was not checked"
	done
}

for ((i = seed; i < seed + count; i++)); do
	set_of "$i"
	wrong=$(compare 2>&1)
	is "$wrong" '' "set $i: $n sessions $how"
	# shellcheck disable=SC2046 # names
	run afw rm --yes $(seq -f "s$i-%.0f" "$n")
done
done_testing
