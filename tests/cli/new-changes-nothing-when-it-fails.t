#!/bin/bash
# Every failure of new prints one clear line, has the documented code, and
# changes nothing.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
git tag v1
ini=$XDG_CONFIG_HOME/afw/afw.ini
mkdir -p "${ini%/*}"

snapshot()
{
	(
		cd "$T/repo" || exit
		git worktree list
		git for-each-ref
		git status --porcelain
		ls -A ../.af_worktrees .git/worktrees "$DATA/sessions" "$RUN"
		git config -l --local
	) 2>/dev/null
}
# fails CODE REGEX NAME CMD...: and nothing has changed.
fails()
{
	local before after
	before=$(snapshot)
	refused "$@" || return
	after=$(snapshot)
	[ "$before" = "$after" ] ||
		{ fail "$3: nothing has changed"; diag "$(diff <(echo "$before") <(echo "$after"))"; }
}

exit_is 0 'a session that works' afw new taken -- cat

# Names.
for name in a/b .. . a..b ../x .hidden 'a~1' 'a:b' 'a*' 'a@{b' x.lock x. \
	$'a\033[2Jb' $'a\u202eb' $'\u2066x' $'a\xffb' 'ä' '' \
	"$(printf 'n%.0s' {1..65})"; do
	fails 2 "^afw: .*name '" "name '$(printf %q "$name")'" \
		afw new "$name" -- cat
	[[ $err != *$'\033'* && $err != *$'\u202e'* ]] ||
		fail 'the message has nothing in it that a terminal obeys'
	[ "$(grep -c '^afw: ' <<<"$err")" = 1 ] || fail 'it is one line'
done
exit_is 0 'a name of 64 characters is fine' \
	afw new "$(printf 'n%.0s' {1..64})" -- cat

# What is there already.
fails 4 'has a session of that name' 'a taken name' afw new taken -- cat
like "$err" 'afw rm --stop taken' 'the hint works'
git branch af/branched
fails 4 'branch' 'a taken branch' afw new branched -- cat
mkdir "$T/.af_worktrees/repo-stands"
echo precious >"$T/.af_worktrees/repo-stands/file"
fails 4 'repo-stands' 'a taken directory' afw new stands -- cat
is "$(<"$T/.af_worktrees/repo-stands/file")" precious 'is left alone'

# Bases.
fails 1 'no-such-base' 'a base that does not exist' \
	afw new x -b no-such-base -- cat
exit_is 0 'a tag is one' afw new tagged -b v1 -- cat

# Harnesses, options, configuration.
fails 1 'claude.*(not installed|not in PATH)' 'a harness that is not installed' \
	env PATH="$BUILD:/usr/bin:/bin" afw new x -a claude
echo $'[harness.own]\ncommand = no-such-program --x' >"$ini"
fails 1 "'no-such-program' is not in PATH" 'and not a program of a section' \
	afw new x -a own
rm "$ini"
fails 1 'run no-such-program: it is not in PATH' 'and not a command' \
	afw new x -- no-such-program
for file in "$T" "$T/repo/README"; do
	fails 1 "run $file: it is not in PATH, or not a program" \
		'a file that is not a program' afw new x -- "$file"
done
printf '#!/no/such/interpreter\n' >"$T/badint"
chmod +x "$T/badint"
fails 1 'No such file' 'one whose interpreter is not there' \
	afw new x -- "$T/badint"
mkdir logs
echo 'logs/' >.gitignore
touch logs/.gitkeep
git add -f .gitignore logs
git update-index --add --cacheinfo "160000,$(git rev-parse HEAD),lib/sub"
git commit -qm 'a submodule, and a tracked file in an ignored directory'
fails 1 'No such file' 'the same with a submodule, and a file in logs/' \
	afw new x -- "$T/badint"
fails 2 "harness 'no-such'|no-such" 'an unknown harness' \
	afw new x -a no-such
fails 2 'backend' 'a backend that does not exist' \
	afw new x --backend magic -- cat
fails 2 'sandbox' 'a sandbox that does not exist' \
	afw new x --sandbox magic -- cat
fails 2 'empty' 'an empty task' afw new x -m '' -- cat
fails 2 'twice' 'two tasks' afw new x -m a -F b -- cat
fails 2 'No such file' 'the task of no file' afw new x -F "$T/nothing" -- cat
fails 2 'terminal' '--attach without a terminal' afw new x --attach -- cat
echo 'stop_timout = 1s' >"$ini"
fails 1 "afw.ini:1: .*stop_timout.*" 'a misspelt option' afw new x -- cat
like "$err" 'stop_timeout' 'the nearest one is named'
printf 'scrolback = 5\n\nsetup = echo x > f\nrecord = maybe\n' >"$ini"
fails 1 'afw.ini:1: .*scrolback.*; line 3: setup.*>.*; line 4: record' \
	'all mistakes at once' afw new x -- cat
echo 'setup = echo x > f' >"$ini"
fails 1 "'>' needs a shell.*hint.*sh -c" 'a command for a shell' \
	afw new x -- cat
rm "$ini"

# Data directories.
fails 1 'not an absolute path' 'a relative AF_DATA_DIR' \
	env AF_DATA_DIR=data afw new x -- cat
: >"$T/file"
fails 1 "$T/file" 'a file for AF_DATA_DIR' \
	env "AF_DATA_DIR=$T/file" afw new x -- cat
fails 1 "$T/file/data" 'one below a file' \
	env "AF_DATA_DIR=$T/file/data" afw new x -- cat
ln -s "$T/home" "$T/datalink"
fails 1 'not a directory' 'a symbolic link for it' \
	env "AF_DATA_DIR=$T/datalink" afw new x -- cat
fails 1 'HOME' 'no HOME at all' \
	env -u HOME -u XDG_DATA_HOME afw new x -- cat
if [ "$(id -u)" = 0 ]; then
	mkdir -m 700 "$T/theirs" && chown 65534 "$T/theirs"
	fails 1 'belongs to another user' "another user's" \
		env "AF_DATA_DIR=$T/theirs" afw new x -- cat
	is "$(stat -c %U:%a "$T/theirs")" nobody:700 'it is left alone'
else
	mkdir -m 500 "$T/closed"
	fails 1 'ermission denied' 'a directory that cannot be written' \
		env "AF_DATA_DIR=$T/closed" afw new x -- cat
	echo 'max_sessions = 10' >"$ini" && chmod 0 "$ini"
	fails 1 'afw.ini.*ermission' 'a file that cannot be read' \
		afw new x -- cat
	rm -f "$ini"
fi

# Places.
mkdir "$T/nowhere"
fails 1 'not in a git repository' 'outside of a repository' \
	env -C "$T/nowhere" afw new x -- cat
git init -q "$T/empty"
fails 1 'commit' 'a repository without a commit' \
	env -C "$T/empty" afw new x -- cat
git clone -q --bare "$T/repo" "$T/bare.git"
exit_is 0 'a bare repository works' env -C "$T/bare.git" afw new inbare -- cat
exit_is 0 'from a directory below' \
	env -C "$T/.af_worktrees/repo-taken" afw new below -- cat
exit_is 0 'a worktree of a session belongs to the same repository' \
	afw status below --json
is "$(json repository)" "$T/repo" 'which is the main one'
afw stop taken tagged inbare below "$(printf 'n%.0s' {1..64})" >/dev/null

make_repo "$T/other"
cd "$T/other" || exit 2
echo 'no branch' >.git/refs/heads/af
refused 1 'make the branch af/x: .*/refs/heads/af' \
	'a branch that cannot be written, and why' afw new x -- cat
done_testing
