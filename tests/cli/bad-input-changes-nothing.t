#!/bin/bash
# Issue 2's list: each bad input gets one clear line and its code, and
# nothing has changed.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
W=$T/.af_worktrees

# untouched NAME: no session, worktree, branch or file came of it.
untouched()
{
	local now
	now=$(
		cd "$T/repo" && git for-each-ref && git status --porcelain
		git worktree list
		ls -A "$W" 2>/dev/null
		ls -A "$DATA/sessions" 2>/dev/null
		cat .git/config
	)
	is "$now" "$before" "$1: nothing has changed"
}

cd "$T" || exit
refused 1 'not in a git repository|no git repository|not a git repository' \
	'outside of a repository' afw new x -- cat
[ ! -e "$DATA/sessions" ] || [ -z "$(ls -A "$DATA/sessions")" ]
ok $? 'no session came of it'
git init -q "$T/empty"
cd "$T/empty" || exit
refused 1 'commit' 'a repository without a commit' afw new x -- cat
git clone -q --bare "$T/repo" "$T/bare.git"
cd "$T/bare.git" || exit
exit_is 0 'a bare repository works' afw new inbare -- cat
exit_is 0 'and all the way' afw rm --stop inbare

cd "$T/repo" || exit
# What is removed goes behind its back.
wait_for '[ ! -e "$W/.trash" ]'
before=$(
	git for-each-ref && git status --porcelain
	git worktree list
	ls -A "$W" 2>/dev/null
	ls -A "$DATA/sessions" 2>/dev/null
	cat .git/config
)
long=$(printf 'a%.0s' {1..65})
for name in a/b .. a..b ../x '' . "$long" a.lock 'a b' 'a:b' 'a~1' 'ä' \
	$'a\nb' $'a\033[31mb' $'a\xe2\x80\xaeb' $'a\xffb' 'a@{b' 'a*'; do
	refused 2 "^afw: .*name '" "name ${name@Q}" afw new "$name" -- cat
	unlike "$err" $'\033|\xe2\x80\xae' 'said safely'
done
refused 2 'no option' 'a leading dash' afw new -x -- cat
refused 2 'new: NAME is missing' 'no name' afw new -- cat
run afw new -- -x
isnt "$code" 0 'a dash behind --'
refused 1 "nowhere" 'a base that does not exist' afw new x -b nowhere -- cat
refused 1 'not installed|not found|cannot find|in PATH' 'no such harness' \
	env PATH="$BUILD:/usr/bin:/bin" afw new x -a gemini
refused 1 'no-such-program' 'no such command' afw new x -- no-such-program
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '[harness.own]\ncommand = no-such-program --x\n' \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
refused 1 "'no-such-program' is not in PATH" 'nor one of a section' \
	afw new x -a own
rm "$XDG_CONFIG_HOME/afw/afw.ini"
refused 1 "$T/repo/README|Permission|permission" 'not a program' \
	afw new x -- "$T/repo/README"
refused 2 'twice' 'two messages' afw new x -m a -F b -- cat
refused 2 'file|No such' 'no such file' afw new x -F "$T/nothing" -- cat
untouched 'so far'

# configuration
mkdir -p "$XDG_CONFIG_HOME/afw"
ini=$XDG_CONFIG_HOME/afw/afw.ini
printf '\n\nscrolback = 5\n' >"$ini"
refused 1 'afw.ini:3: .*scrolback.*scrollback' 'a misspelt key' \
	afw new x -- cat
printf 'scrolback = 5\n\nsetup = echo x > f\nrecord = maybe\n' >"$ini"
refused 1 'afw.ini:1: .*scrolback.*; line 3: setup.*>.*; line 4: record' \
	'all mistakes at once' afw new x -- cat
printf 'setup = echo x > f\n' >"$ini"
refused 1 "'>' is for a shell.*hint.*sh -c" 'a command for a shell' \
	afw new x -- cat
printf 'setup = %0300d\n' 1 >"$ini"
refused 1 'afw.ini:1: ' 'a line of 300 characters' afw new x -- cat
printf 'scrollback = many\n' >"$ini"
refused 1 'afw.ini:1: ' 'a bad value' afw new x -- cat
rm "$ini" && mkdir "$ini"
refused 1 'afw.ini' 'no file at all' afw new x -- cat
rmdir "$ini"
if [ "$(id -u)" != 0 ]; then
	echo 'scrollback = 10' >"$ini" && chmod 0 "$ini"
	refused 1 'afw.ini.*ermission' 'unreadable' afw new x -- cat
	rm -f "$ini"
	mkdir -p "$T/closed" && chmod 500 "$T/closed"
	refused 1 "$T/closed" 'a data directory that cannot be written' \
		env AF_DATA_DIR="$T/closed/afw" afw new x -- cat
else
	skip 2 'root may read and write everything'
fi
echo file >"$T/file"
refused 1 "$T/file" 'a data directory that is a file' \
	env AF_DATA_DIR="$T/file" afw new x -- cat
refused 1 'absolute' 'a relative one' env AF_DATA_DIR=here afw new x -- cat
if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
	mkdir "$T/theirs" && chown nobody "$T/theirs"
	refused 1 'someone else' "somebody else's" \
		env AF_DATA_DIR="$T/theirs" afw new x -- cat
else
	skip 1 'not root'
fi
untouched 'configuration and directories'

# taken
exit_is 0 'a session' afw new one -- cat
refused 4 "one" 'a taken name' afw new one -- cat
git branch af/two
refused 4 'af/two' 'a taken branch' afw new two -- cat
mkdir -p "$W/repo-three"
refused 4 'repo-three' 'a taken directory' afw new three -- cat
ln -s /nowhere "$W/repo-four"
refused 4 'repo-four' 'a link in its place' afw new four -- cat
is "$(afw ls -q)" one 'no session came of these'
is "$(git for-each-ref 'refs/heads/af/*' --format='%(refname:short)' |
	tr '\n' ' ')" 'af/one af/two ' 'and no branch'
rmdir "$W/repo-three" && rm "$W/repo-four"

# two at once: exactly one wins
for i in 1 2 3 4 5 6; do
	(afw new race -- cat >/dev/null 2>"$T/race.$i"; echo $? >"$T/code.$i") &
done
wait
is "$(cat "$T"/code.* | sort | tr '\n' ' ')" '0 4 4 4 4 4 ' \
	'six at once: one wins, the others are told'
is "$(afw ls -q | grep -c '^race$')" 1 'there is one session'
waits_for 'afw status race | grep -q running' 'and it runs'

# worktree deleted by hand under a running session
rm -rf "$W/repo-race"
exit_is 0 'ls, its worktree gone' afw ls
exit_is 0 'status too' afw status race
run afw diff race
isnt "$code" 0 'no diff'
like "$err" '^afw: ' 'one line'
exit_is 0 'stop' afw stop race
exit_is 0 'rm cleans up' afw rm race
like "$out" 'gone already' 'and says so'

# no terminal
refused 2 'no terminal.*afw capture one' 'attach without one' afw attach one
exit_is 0 'the dashboard without one lists' afw
like "$out" 'one +generic' 'the sessions'

# a full disk during new (the mount is seen by that one process only)
mkdir "$T/small"
# shellcheck disable=SC2016
full='mount -t tmpfs -o size=256k tmpfs "$0" || exit 77
	cat /dev/zero >"$0/fill" 2>/dev/null
	AF_DATA_DIR=$0/afw exec afw new full -- cat'
run unshare -m bash -c "$full" "$T/small"
if [ "$code" != 77 ] && [[ $err != *unshare* ]]; then
	refused 1 'No space' 'a full disk' unshare -m bash -c "$full" "$T/small"
	[ ! -e "$W/repo-full" ] && ! git show-ref -q --verify refs/heads/af/full
	ok $? 'nothing was left in the repository'
else
	skip 2 'cannot mount'
fi
exit_is 0 'the end' afw rm --stop one
done_testing
