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
refused 2 "too many arguments: 'b'" 'a second name' afw new a b -- true
like "$err" 'hint: usage: afw new NAME' 'gets the usage'
refused 2 "too many arguments: 'b'" 'a text' afw new a -a demo b
like "$err" 'hint: usage: afw new NAME' 'gets it, too'
afw rm --stop foo >"$T/null"

refused 2 "without '='" '-a=demo' afw new foo -a=demo
like "$err" 'hint: -a demo, or --harness=demo$' 'names both forms'
refused 2 "no option '--agent'" '--agent' afw new foo --agent demo
like "$err" 'hint: did you mean --harness\?' 'names the option'
nothing_made 'and nothing is made of either'
exit_is 0 '-a demo works' afw new foo --no-start -a demo
afw rm foo >"$T/null"
exit_is 0 'and so does --harness=demo' afw new foo --no-start --harness=demo
afw rm foo >"$T/null"

exit_is 0 'a session' afw new agent -- sh -c 'sleep 1000'
exit_is 7 'wait --for done' afw wait agent --for done -t 10ms
exit_is 7 'and its long name' afw wait agent --for completed -t 10ms
for word in waitng:waiting stoped:stopped faild:failed; do
	refused 2 "did you mean ${word#*:}\?" "${word%:*}" \
		afw wait agent --for "${word%:*}"
done
afw rm --stop agent >"$T/null"

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
