#!/bin/bash
# Mistakes of a newcomer: each message names the correct command. Each hint is
# run as it is printed.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 1

# hinted: the command between the first backquotes of the hint.
hinted()
{
	sed -n 's/^hint: [^`]*`\(afw [^`]*\)`.*/\1/p' <<<"$err"
}

# hint_works NAME: it is run by a shell.
hint_works()
{
	hint=$(hinted)
	diag "hint: $hint"
	like "$hint" '^afw ' "$1: there is a hint"
	exit_is 0 'and it works as it is printed' sh -c "$hint"
}

# nothing_made NAME
nothing_made()
{
	local there
	there=$(ls -d ../.af_worktrees/repo-* 2>/dev/null)
	is "$(afw ls --json)$(git branch --list 'af/*')$there" '[]' "$1"
}

refused 2 "new: too many arguments: 'sleep'" 'a command without --' \
	afw new foo sleep '10 0'
nothing_made 'and nothing is made'
refused 2 "too many arguments: 'sh'" 'with options of its own' \
	afw new -b main foo sh -c "echo 'a b'; sleep 1000"
hint_works 'new'
waits_for 'afw capture foo | grep -q "a b"' 'and the command gets its words'
refused 2 "too many arguments: 'true'" 'exec' afw exec foo true
hint_works 'exec'
refused 2 "too many arguments: 'c'" 'a text without quotes' afw new a -a demo b c
like "$err" 'hint: a text of several words needs quotes: `afw new NAME "TEXT"`' \
	'is to be quoted'
afw rm --stop foo >"$T/null"

exit_is 0 'new NAME "task"' afw new fix 'say  hello' -- cat
waits_for 'afw capture fix | grep -q "say  hello"' 'gives the agent the task'
exit_is 0 'a task that is a word' afw new word -a demo tidy
waits_for 'afw capture word | grep -q tidy' 'is a task'
exit_is 0 'a program is one, too, with -a' afw new prog test -a demo
exit_is 0 'no NAME' afw new -m "Make the login test's output pass" -a demo
like "$out" '^make-login-test: demo' 'takes it from the task, and prints it'
exit_is 0 'the same again' afw new 'make the LOGIN, test pass' -a demo
like "$out" '^make-login-test-2: ' 'gets a number'
exit_is 0 'a removed one' afw rm --stop make-login-test-2
exit_is 0 'without words' afw new -m '«…»' -a 'demo*2'
is "$(afw ls -o name | grep -c '^task-')" 2 'is a name, too, also for several'
afw stop --all >"$T/null"
refused 2 'the task is given twice' 'two tasks' afw new x 'a b' -m c
refused 2 "exclude|no-start" 'a task that nobody would get' afw new x 'a b' --no-start -a demo
like "$err" 'afw start' 'is for afw start'
refused 2 'NAME is missing' 'neither' afw new -a demo
like "$err" 'usage: afw new .options. .NAME. ..-m. TASK.' 'shows both'
refused 2 'first task is empty' 'nothing to make a name of' afw new -a demo -m ''
for word in kill:stop delete:rm show:status deny:'send --deny' squash:'merge --squash'; do
	refused 2 "no command '${word%%:*}'" "${word%%:*}" afw "${word%%:*}"
	like "$err" "did you mean .afw ${word#*:}.\?" "leads to ${word#*:}"
done
refused 2 "no command 'shwo'" 'no short word' afw shwo
unlike "$err" 'did you mean' 'is taken for another one'
for s in $(afw ls -o name | tail -n +2); do afw rm -D "$s"; done >"$T/null" 2>&1

refused 2 "without '='" '-a=demo' afw new foo -a=demo
like "$err" 'hint: -a demo, or --agent=demo$' 'names both forms'
nothing_made 'and nothing is made'
exit_is 0 '-a demo works' afw new foo --no-start -a demo
afw rm foo >"$T/null"
exit_is 0 'and so does --agent demo' afw new foo --no-start --agent demo
afw rm foo >"$T/null"
exit_is 0 'and its old name' afw new foo --no-start --harness=demo
afw rm foo >"$T/null"

exit_is 0 'a session' afw new agent -- sh -c 'sleep 1000'
exit_is 7 'wait --for done' afw wait agent --for done -t 10ms
exit_is 7 'and its long name' afw wait agent --for completed -t 10ms
for word in waitng:waiting stoped:stopped faild:failed; do
	refused 2 "did you mean ${word#*:}\?" "${word%:*}" \
		afw wait agent --for "${word%:*}"
done
afw rm --stop agent >"$T/null"

exit_is 0 'a session with a short name' afw new b --no-start -a demo
for word in '' c; do
	refused 3 "no session '$word'" "'$word'" afw rm "$word"
	unlike "$err" 'did you mean' 'is near no name'
done
refused 2 "cannot be compared with '', which must be a branch" 'an empty branch' \
	afw land -n -i ''
afw rm b >"$T/null"

git checkout -q --detach
exit_is 0 'a session of a detached HEAD' afw new loose --no-start -a demo
git checkout -q main
(cd ../.af_worktrees/repo-loose && echo 1 >new && git add new &&
	git commit -q -m more)
refused 1 'it was made from the commit [0-9a-f]{10}, not from a branch' \
	'merge' afw merge loose
like "$err" 'hint: --into main names a branch' 'names one'
exit_is 0 'which works' afw merge loose --into main
afw rm loose >"$T/null"
orphan=$(git commit-tree -m alone "$(git mktree </dev/null)")
exit_is 0 'a session of a commit in no branch' \
	afw new alone -b "$orphan" --no-start -a demo
refused 1 'not from a branch' 'merge' afw merge alone
like "$err" "git branch NAME $orphan. makes one" 'the hint shows how to make one'
git branch saved "$orphan"
exit_is 0 'which works' afw merge alone --into saved
afw rm alone >"$T/null"

exit_is 0 'two sessions' afw new a -- cat
exit_is 0 'a session of a program' afw new b -- cat
refused 2 "'b' is a session, too" 'send a b hello' \
	afw send --timeout 5s a b 'hello  you'
both=$(hinted)
text=$(sed -n 's/^hint: .*; `\(afw send [^`]*\)`.*/\1/p' <<<"$err")
is "$both" "afw send --timeout 5s a b -- 'hello  you'" 'how to send to both'
is "$text" "afw send --timeout 5s a -- b 'hello  you'" 'how to send the text'
run afw capture a
unlike "$out" 'hello' 'and nothing is sent'
exit_is 8 'the command for both works' sh -c "$both"
waits_for 'afw capture a | grep -qx "hello  you"' 'for one'
waits_for 'afw capture b | grep -qx "hello  you"' 'and the other'
exit_is 8 'the command for the text works' sh -c "$text"
waits_for 'afw capture a | grep -qx "b hello  you"' 'with the whole text'
unlike "$(afw capture b)" 'b hello' 'for one session only'
exit_is 8 'the name alone is a text' afw send a b
exit_is 8 'and later in a text it is a word' afw send a see b first
afw rm --stop a b >"$T/null"

git init -q --bare -b main "$T/bare.git"
git clone -q . "$T/full"
(cd "$T/bare.git" && run afw new of-bare --no-start -a demo && echo "$err") \
	>"$T/said"
err=$(<"$T/said")
like "$err" 'has no commit yet' 'a bare repository without a commit'
hint=$(sed -n 's/^hint: .*`\(git [^`]*\)`.*/\1/p' <<<"$err")
exit_is 0 'its hint works in another one' sh -c "cd ../full && $hint"
cd "$T/bare.git" || exit 1
exit_is 0 'and then a session can be made' \
	afw new of-bare --no-start -a demo
afw rm of-bare >"$T/null"
cd "$T/repo" || exit 1

done_testing
