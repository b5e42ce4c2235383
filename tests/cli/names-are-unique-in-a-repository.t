#!/bin/bash
# A name is unique in its repository; from elsewhere the session is named
# repository/NAME.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/repositories.sh"
make_repo "$T/web"
make_repo "$T/api"
git clone -q --bare "$T/api" "$T/core.git"

cd "$T/web" || exit 2
exit_is 0 'a name in one repository' afw new same -- sleep 1000
cd "$T/api" || exit 2
exit_is 0 'the same in another' afw new same -- sleep 1000
exit_is 0 'and one of its own' afw new other -- sleep 1000
cd "$T/core.git" || exit 2
exit_is 0 'and in a bare one' afw new same -- sleep 1000

exit_is 0 'ls' afw ls -q
is "$(sort <<<"$out")" 'api/other
api/same
same
web/same' 'prints each as a command takes it here'
cd "$T/api" || exit 2
of()
{
	out=$(afw status "$1" --json)
	json repository
}
is "$(of same)" "$T/api" 'in a repository a name is its own'
is "$(of web/same)" "$T/web" 'the other one is called with its repository'
is "$(of core/same)" "$T/core.git" 'a bare one without .git'
cd "$T" || exit 2
exit_is 4 'elsewhere it is not clear' afw status same
like "$err" 'repository/NAME' 'and the hint says what is'
exit_is 0 'a name that is there once is clear anywhere' afw status other
exit_is 3 'a missing session' afw status none
# another name for one that runs, and for one that does not
cd "$T/api" || exit 2
run afw status same --json
before=$(json branch) tree=$(json worktree) rev=$(json id)
exit_is 0 'rename of a running session' afw rename same renamed
is "$out" 'same: is renamed now' 'which is reported'
is "$(afw ls --here -q | sort | paste -sd' ')" 'other renamed' 'lists have it at once'
run afw status renamed --json
is "$(json repository) $(json id) $(json branch) $(json worktree)" \
	"$T/api $rev $before $tree" 'branch and worktree are called as before'
exit_is 3 'no session has the old name' afw status api/same
exit_is 0 'its supervisor knows' afw stop renamed
like "$out" '^renamed: stopped' 'by its new name'
exit_is 0 'a stopped session' afw rename --json renamed again
is "$(json name) $(json phase)" 'again stopped' 'as JSON'
refused 4 "rename 'again' to 'other': .*of that name \(" 'a name that is taken' \
	afw rename again other
refused 2 "name 'a b': it may have" 'an invalid one' afw rename again 'a b'
exit_is 0 'its own name is free' afw rename again again
refused 4 "'again' has its branch af/same.*renamed" 'the branch keeps a new one from the old name' afw new same -- cat
exit_is 0 'it starts again' afw start again
refused 4 'of that name' 'and the name is unique' afw new again -- cat
exit_is 0 'gone to the trash' afw rm --stop --trash again
exit_is 0 'and back' afw trash restore again
run afw status again --json
is "$(json repository) $(json branch) $(json worktree)" "$T/api $before $tree" 'it is whole'
exit_is 0 'a session that waits for another' afw new late --after other -- cat
refused 4 'waits for other' 'is not renamed yet' afw rename late later
exit_is 0 'as it was called' afw stop late
afw rm late >"$T/null" 2>&1
cd "$T" || exit 2
afw rm --stop web/same api/again api/other core/same >"$T/null" 2>&1

# here NAME REPOSITORY DIR...: in all of these it is the repository's.
here()
{
	local name=$1 want=$2 dir
	shift 2
	is "$(of "$name")" "$want" "$name: the repository"
	for dir; do
		cd "$dir" || exit 2
		is "$(afw ls --here | sed 1d | cut -d ' ' -f 1)" "$name" \
			"$name: this repository, in ${dir#"$T"/}"
	done
}

# where .git is not the repository's directory
mkdir "$T/m" && cd "$T/m" && make_module && cd "$repo" && mkdir deep || exit 2
exit_is 0 'in a submodule' afw new module -- sleep 1000
here module "$repo" "$repo/deep" "$repo" \
	"$T/m/super/lib/.af_worktrees/sub-module" "$T/m/super/.git/modules/lib/sub"
cd "$T/m/super" || exit 2
is "$(afw ls --here 2>&1)" \
	'afw: no sessions in this repository (1 elsewhere)' \
	'the repository around it is another'
mkdir "$T/s" && cd "$T/s" && make_separate && cd "$repo" || exit 2
exit_is 0 'with its git directory apart' afw new apart -- sleep 1000
here apart "$repo" "$PWD"
# git does not know of wt there, nor does afw
cd "$T/s/.af_worktrees/wt-apart" || exit 2
exit_is 0 'from a worktree of that one' afw new nested -- sleep 1000
here nested "$T/s/git/proj" "$T/s/.af_worktrees/wt-apart" "$T/s/git/proj"
ok_cmd 'it is beside that' test -d "$T/s/git/.af_worktrees/proj-nested"
mkdir "$T/b" && cd "$T/b" && make_bare_git && cd "$repo" || exit 2
exit_is 0 'a session in a bare repository named .git' afw new hidden -- sleep 1000
here hidden "$T/b/proj/.git" "$PWD" "$T/b/proj" "$T/b/proj/.git"
afw rm --stop module apart nested hidden >"$T/null" 2>&1
done_testing
