#!/bin/bash
# GIT_DIR and the like, from a hook, an alias or the user, select the repository
# for afw and are not passed to programs with a worktree of their own.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >"$T/look" <<'END'
#!/bin/sh
# Into the worktree, by its name and not by git's mind.
env | grep -a ^GIT_ | sort >"$AF_WORKTREE/$1.env"
echo "by $1" >"$AF_WORKTREE/$1"
cd "$AF_WORKTREE" && git add "$1" && git commit -qm "by $1"
END
cat >"$T/agent" <<END
#!/bin/sh
AF_WORKTREE=\$PWD $T/look agent >agent.log 2>&1
touch agent.done
exec cat
END
chmod +x "$T/look" "$T/agent"
echo "setup = $T/look setup" >"$XDG_CONFIG_HOME/afw/afw.ini"
export GIT_SSH_COMMAND='ssh -4'
# What a test's own environment has and keeps.
kept="GIT_CONFIG_GLOBAL=$GIT_CONFIG_GLOBAL|GIT_CONFIG_NOSYSTEM=1"
kept+="|GIT_SSH_COMMAND=ssh -4"

# commits BRANCH: subjects, the newest first.
commits()
{
	git -C "$T/repo" log --format=%s "$1" | paste -sd '|'
}

# seen FILE: what was in the environment; git's own programs may be named.
seen()
{
	sed '/^GIT_EXEC_PATH=/d' "$1" | paste -sd '|'
}

# told NAME [EXTRA]: its setup, its agent and `afw exec` use its own repository.
told()
{
	local w=$T/.af_worktrees/repo-$1 who
	waits_for "[ \"\$(commits af/$1 | cut -c 1-8)\" = 'by agent' ]" \
		"$1: its agent commits on its branch"
	for who in setup agent; do
		is "$(seen "$w/$who.env")" "$kept" \
			"$1: $who has only what is not of one repository"
	done
	is "$(commits "af/$1")" "by agent|by setup|${2-first}" \
		"$1: all of it is on its branch"
}

# --- by hand: every one that there is
stray=(GIT_INDEX_FILE="$PWD/.git/index" GIT_WORK_TREE="$PWD"
	GIT_OBJECT_DIRECTORY="$PWD/.git/objects" GIT_COMMON_DIR="$PWD/.git"
	GIT_NAMESPACE=mine GIT_CONFIG_PARAMETERS="'core.worktree'='$PWD'"
	GIT_CONFIG=/nowhere GIT_SHALLOW_FILE=/nowhere GIT_GRAFT_FILE=/nowhere
	GIT_ALTERNATE_OBJECT_DIRECTORIES=/nowhere GIT_PREFIX=x/
	GIT_QUARANTINE_PATH=/nowhere GIT_REPLACE_REF_BASE=refs/x/
	GIT_AUTHOR_NAME=Other GIT_AUTHOR_EMAIL=other@example.org
	GIT_AUTHOR_DATE=@1 GIT_EXEC_PATH="$(git --exec-path)" GIT_EDITOR=:)
tree=$(git write-tree)
exit_is 0 'new with all that git knows' \
	env GIT_DIR="$PWD/.git" "${stray[@]}" afw new one -- "$T/agent"
told one
is "$(git log -1 --format=%an af/one)" Test 'the author is its own'
is "$(commits main) $(git write-tree) $(git status --porcelain)" \
	"first $tree " 'the caller keeps branch, index and files'
run env GIT_DIR="$PWD/.git" "${stray[@]}" afw exec one -- \
	git rev-parse --abbrev-ref HEAD --show-toplevel
is "$out" "af/one"$'\n'"$T/.af_worktrees/repo-one" 'exec: in the worktree'
run env GIT_DIR="$PWD/.git" "${stray[@]}" afw diff --stat one
like "$out" 'agent +\|' 'diff looks at the worktree'
exit_is 0 'a restart' env "${stray[@]}" afw restart one
waits_for '[ -s "$T/.af_worktrees/repo-one/agent.log" ]' \
	'it runs again (nothing to commit)'
is "$(seen "$T/.af_worktrees/repo-one/agent.env")" "$kept" \
	'a restart hands on as little'
exit_is 0 'asked for with -e' env GIT_AUTHOR_NAME=Other afw new two \
	-e GIT_NAMESPACE=mine -- "$T/agent"
# Its commit, too, and to its end: the hook below is every worktree's, and git
# looks for it when the branch has the commit already.
waits_for '[ -e "$T/.af_worktrees/repo-two/agent.done" ]' 'runs'
like "$(<"$T/.af_worktrees/repo-two/agent.env")" \
	'AUTHOR_NAME=Other.*NAMESPACE=mine' 'values of a person are kept'

# --- by git: a hook, and an alias in a linked worktree
printf '#!/bin/sh\nexec afw new hooked -- %s/agent >%s/hook.out 2>&1\n' \
	"$T" "$T" >.git/hooks/post-commit
chmod +x .git/hooks/post-commit
GIT_AUTHOR_NAME=Other git commit -q --allow-empty -m second
rm .git/hooks/post-commit
told hooked 'second|first'
is "$(git log -1 --format=%an af/hooked)" Test "not the commit's author"
git config alias.agent "!afw new aliased -- $T/agent"
git worktree add -q -b linked "$T/linked"
(cd "$T/linked" && git agent) >"$T/alias.out" 2>&1
told aliased 'second|first'
is "$(commits linked)" 'second|first' "the alias's own worktree is as it was"

# --- GIT_DIR names the repository, as it does for git
make_repo "$T/other"
cd "$T" || exit 2
export GIT_DIR=$T/other/.git
exit_is 0 'GIT_DIR names another repository' afw new there -- "$T/agent"
run afw status there --json
is "$(json repository)" "$T/other" \
	'the session is of that one'
like "$(afw ls --here)" 'there' 'ls --here means it'
unlike "$out" 'aliased' 'and it alone'
export GIT_DIR=$T/nothing
refused 1 'not in a git repository.*GIT_DIR' 'an invalid one' \
	afw new nowhere -- cat
unset GIT_DIR
done_testing
