#!/bin/bash
# Each row is a kind of repository, or of git's configuration. A session is made
# there, its agent changes files, the work is committed and merged, and the
# session is removed. The result is what git's own commands make of the same
# repository and the same change. Other rows are refused with the true reason.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/repositories.sh"
export GIT_AUTHOR_DATE='2026-01-02 03:04:05 +0000'
export GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
git config --global advice.detachedHead false
# As afw does, whatever the default branch is called.
git config --global merge.suppressDest master

# What the agent does in its worktree.
cat >"$T/agent" <<'END'
echo more >>README
mkdir -p dir/new && echo new >dir/new/file && printf 'a\r\nb\r\n' >dir/crlf
git rm -q gone
chmod +x dir/a
ln -s a dir/link
END

# -- the same steps by afw and by git ------------------------------------------

# step WHAT CMD...: says what failed.
step()
{
	local what=$1
	shift
	"$@" && return
	echo "$what failed ($?): $*"
	return 1
}

# main_goes_on: another user commits to main meanwhile.
main_goes_on()
{
	echo theirs >theirs && git add theirs && git commit -q -m theirs
}

# is_clean DIR: git sees nothing new there.
is_clean()
{
	local seen
	seen=$(git -C "$1" status --porcelain --ignore-submodules) || return
	[ -z "$seen" ] || { echo "$seen"; return 1; }
}

has_ended()
{
	[[ $(state_of "$1" phase) == stopped ]]
}

by_afw()
{
	step new afw new "$1" -- sh "$T/agent" || return
	step 'the agent' wait_for "has_ended $1" || return
	step 'the repository is clean' is_clean . || return
	[ "$1" != parent ] || step 'and the one around it' is_clean .. || return
	[ "$merge" = ff ] || step 'a commit on main' main_goes_on || return
	step commit afw commit -m two "$1" || return
	code=1
	if [ "$1" = shallow ]; then
		# libgit2 1.5 leaks 80 bytes in the merge base that it misses;
		# 1.7 and newer can merge there.
		[ -n "${SANITIZE-}" ] || run afw merge "$1"
		[ -n "${SANITIZE-}" ] || [ "$code" = 0 ] || refused 9 \
			'shallow clone.*git fetch --unshallow' "$1" \
			afw merge "$1" || return
		step 'git fetch' git fetch -q --unshallow || return
	fi
	[ "$code" = 0 ] || step merge afw merge "$1" $into || return
	step rm afw rm "$1" || return
	# It is deleted in the background.
	step 'nothing is left' wait_for '! anything_of_afw'
}

anything_of_afw()
{
	git worktree list | grep af_worktrees ||
		find .. "$(git rev-parse --git-common-dir)/worktrees" \
			-name '.af_worktrees' -o -name 'afw-*' -o -name '.afw-*' \
			2>/dev/null | grep .
}

by_git()
{
	local w=$PWD/../w-of-git
	step 'git worktree add' git worktree add -q -b "af/$1" "$w" || return
	(cd "$w" && sh "$T/agent") || return
	[ "$1" != shallow ] || git fetch -q --unshallow || return
	[ "$merge" = ff ] || step 'a commit on main' main_goes_on || return
	git -C "$w" add -A && git -C "$w" commit -q -m two || return
	if [ -n "$into" ]; then
		git push -q . "af/$1:main" || return
	else
		git merge -q --no-edit "af/$1" >/dev/null || return
	fi
	git worktree remove "$w" && git branch -q -D "af/$1"
}

# result: what is to be the same: history, index, files, what git thinks of it.
result()
{
	git log --all --topo-order \
		--format='%T %an <%ae> %cn%n%D %P%n%B' | sed -E \
		"s/[0-9a-f]{40}/$(printf %040d 0)/g;t;s/$1/NAME/"
	git log --all --format=%T | sort
	git ls-files --stage --debug | grep -v 'time:\|dev:\|uid:'
	git status --porcelain --ignore-submodules
	git worktree list | wc -l
	find . -name .git -prune -o -type f -printf '%M %P ' \
		-exec sha1sum {} + -o -printf '%M %P %l\n' | sort
	# The checkpoints of a removed session are dangling.
	git fsck --no-progress --no-dangling 2>&1
}

# as_git NAME: the row, as a whole; prints what is wrong.
as_git()
{
	local by
	for by in afw git; do
		mkdir -p "$T/$by/$1" && cd "$T/$by/$1" || return
		step "made for $by" "make_$1" || return
		cd "$repo" || return
		step "by $by" "by_$by" "$1" || return
		result "$1" >"$T/$by.$1"
	done
	step 'compare it' diff -U3 "$T/git.$1" "$T/afw.$1"
}

# counted NAME: what is done there is counted while the agent runs.
counted()
{
	local w
	mkdir -p "$T/counted/$1" && cd "$T/counted/$1" && "make_$1" &&
		cd "$repo" || return
	step new afw new "$1" -- cat || return
	w=$(state_of "$1" worktree)
	echo more >>"$w/README"
	step 'a file is counted' status_has "$1" files_changed 1 || return
	git -C "$w" commit -q -a -m two
	step 'a commit is counted' status_has "$1" ahead 1 || return
	# Only git's entry names this one.
	git -C "$w" commit -q --allow-empty -m three
	step 'a commit without files, too' status_has "$1" ahead 2 || return
	step diff afw diff --stat "$1" || return
	[[ $(afw diff --stat "$1") =~ ^\ README\  ]] || return
	! step 'reconcile has nothing to say' afw reconcile | grep "$1" || return
	step rm afw rm --stop "$1" || return
	[ ! -e "$w" ]
}

# status_has NAME KEY VALUE
status_has()
{
	wait_for "[ \"\$(state_of '$1' '$2')\" = '$3' ]"
}

# rows WHAT NAME...: WHAT of each, three at a time.
rows()
{
	local what=$1 name names=() pids=() i
	shift
	for name; do
		sampled || continue
		names+=("$name")
		("$what" "$name") >"$T/row.$name" 2>&1 </dev/null &
		pids+=($!)
		[ ${#pids[@]} -lt 3 ] || wait "${pids[-3]}"
	done
	for i in "${!pids[@]}"; do
		name=${names[i]}
		wait "${pids[i]}"
		ok $? "$name" || diag "$(<"$T/row.$name")"
	done
}

merge=true into=''
diag 'afw does as git does:'
rows as_git plain dotted spaces module dot_bare bare_beside bare_git \
	separate core_worktree shallow inside parent ignorecase autocrlf \
	shared sparse partial bare_sparse
merge=ff into=''
rows as_git ff_only ff_false
merge=ff into='--into main'
rows as_git detached
diag 'what is done there is counted:'
make_top()
{
	base src && git clone -q src "$top" && repo=$top
}
if [ -w / ] && ! [ -e /.af_worktrees ] && top=$(mktemp -d /afw.XXXXXX); then
	rows counted bare_beside bare_git module separate top
	# Nothing is deleted there whose repository is gone.
	ok_cmd 'nothing is left in /' wait_for '! [ -e /.af_worktrees ]'
	rm -rf "$top"
else
	rows counted bare_beside bare_git module separate
	skip 2 'nothing can be made below /'
fi

# -- the worktree of a bare repository that one is in is its checkout -------------

mkdir "$T/bare" && cd "$T/bare" && make_dot_bare && cd "$repo" || exit 2
mkdir .af && echo WORD=secret >.env
printf 'copy = .env\nlink = linked\nenv_file = .env\n' >.af/afw.ini
echo linked >linked
refused 9 'main/.af.* is not trusted' 'its .af/ is seen' \
	afw new of_bare --no-start -- cat
exit_is 0 'and can be trusted' afw trust --yes
like "$out" "^$T/bare/proj/main: trusted, with its .af" 'by its path'
exit_is 0 'new' afw new of_bare --no-start -- \
	sh -c 'echo "$WORD" >"$1"; exec cat' sh "$T/word"
w=$T/bare/proj/.af_worktrees/proj-of_bare
is "$(<"$w/.env") $(<"$w/linked")" 'WORD=secret linked' \
	'its files are copied and linked'
is "$(state_of of_bare repository)" "$T/bare/proj/.bare" \
	'the repository is the bare one'
cd "$w" || exit 2
exit_is 0 'in a worktree of afw' afw config get copy
unlike "$out" env 'no .af/ is looked for'
cd "$T" || exit 2
exit_is 0 'start, from elsewhere' afw start of_bare
waits_for '[ "$(cat "$T/word")" = secret ]' 'has the same configuration'
exit_is 0 'rm' afw rm --stop of_bare

# A worktree that git's configuration alone knows is not written to.
mkdir "$T/claimed" "$T/claimed/else" && cd "$T/claimed" && base proj &&
	git -C proj config core.worktree "$PWD/else" && cd proj || exit 2
afw new claimed --no-start -- cat >/dev/null 2>&1
w=$T/claimed/proj/.af_worktrees/proj-claimed
echo more >>"$w/README" && afw commit -m two claimed >/dev/null
refused 1 "cannot find.*gitdir: $T/claimed/proj/.git" \
	'a worktree that does not lead back' afw merge claimed
echo "gitdir: $T/claimed/proj/.git" >../else/.git
git -C ../else checkout -q -f
exit_is 0 'it does now, as the hint said' afw merge claimed
is "$(tail -n 1 ../else/README)" more 'and is merged into'

# -- the .gitignore in .af_worktrees -----------------------------------------------

mkdir "$T/alone" && cd "$T/alone" && base proj && cd proj || exit 2
afw new alone --no-start -- cat >/dev/null 2>&1
is "$(ls -A ../.af_worktrees)" proj-alone 'none without a repository'
afw rm alone >/dev/null
mkdir "$T/ignore" && cd "$T/ignore" && git init -q . && base proj &&
	cd proj || exit 2
afw new one --no-start -- cat >/dev/null 2>&1
i=$T/ignore/.af_worktrees/.gitignore
is "$(<"$i")" '*' 'it ignores all'
rm "$i" && afw new two --no-start -- cat >/dev/null 2>&1
is "$(<"$i")" '*' 'it is made if there was none'
echo mine >"$i" && afw new three --no-start -- cat >/dev/null 2>&1
is "$(<"$i")" mine "the user's own is left alone"
afw reconcile >"$T/out" 2>&1
unlike "$(<"$T/out")" gitignore 'reconcile has nothing to say of it'
afw rm one two three >/dev/null
waits_for '[ "$(ls -A ../.af_worktrees)" = .gitignore ]' 'and stays with'
rm -r ../.af_worktrees
mkdir -m 700 ../.af_worktrees &&
	ln -s "$T/target" "$i"
exit_is 0 'a link in its place' afw new four --no-start -- cat
[ ! -e "$T/target" ]
ok $? 'is not written through'
afw rm four >/dev/null
cd "$T" || exit 2

# -- what cannot be used is refused for the true reason ------------------------

# refuses NAME REGEX: `afw new` there.
refuses()
{
	mkdir -p "$T/refused/$1" && cd "$T/refused/$1" && "make_$1" &&
		cd "$repo" || exit 2
	refused 1 "$2" "$1 is refused" afw new "$1" -- cat
	is "$(find .. -name .af_worktrees)" '' 'and nothing is made there'
}
refuses empty 'has no commit yet.*git commit'
refuses orphan 'the branch other has no commit yet.*-b BRANCH'
refuses not_utf8 'the path is not UTF-8'
refuses not_utf8_below 'the path is not UTF-8'
refuses sha256 'uses SHA-256'
refuses reftable 'format than files.*git refs migrate'
if [ "$(id -u)" = 0 ]; then
	refuses other_user 'belongs to another user.*safe.directory'
	printf '[safe]\n\tdirectory = %s/*\n' "$T/refused/other_user" \
		>"$HOME/.gitconfig"
	refused 1 'not owned.*name that directory exactly' \
		'a pattern in safe.directory is named' afw new other -- cat
else
	skip 3 'only root can make a repository of another user'
fi
done_testing
