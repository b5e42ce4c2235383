#!/bin/bash
# A repository's .af/afw.ini is used after afw trust, and only as it was then.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir .af
echo 'setup = make' >.af/afw.ini

exit_is 0 'without trust' afw config setup
is "$out" '' 'the file is left out'
like "$err" 'not trusted' 'and that is reported'

refused 9 'there is no terminal to ask on' 'without a terminal trust needs --yes' afw trust
exit_is 0 'trust --yes' afw trust --yes
like "$out" 'trusted, with its' 'says so'
exit_is 0 'with trust' afw config setup
is "$out" make 'the file counts'
is "$err" '' 'and nothing is said'
git worktree add -q ../linked
exit_is 0 'in a linked worktree' env -C ../linked "$BUILD/afw" config setup
is "$out" make "the main worktree's file counts"

echo 'setup = rm -rf x' >.af/afw.ini
refused 9 "changed since.*afw trust.*--untrusted" \
	'new does not continue without a changed file' afw new one -- cat
nok_cmd 'and makes nothing' test -e "$T/.af_worktrees/repo-one"
exit_is 0 '--untrusted continues without it' afw new one --untrusted -- cat
exit_is 0 'rm' afw rm --stop one
tmux_start 100 30 afw new two -- cat
tmux_wait_for 'rm -rf x'
tmux_wait_for '[y/N]' 'on a terminal new shows the file and asks'
tmux_type n
tmux_keys Enter
tmux_wait_for 'not confirmed' 'no is no'
tmux_stop
tmux_start 100 30 afw new two -- cat
tmux_wait_for '[y/N]'
echo 'setup = rm -rf y' >.af/afw.ini
tmux_type y
tmux_keys Enter
tmux_wait_for 'is not trusted, or was changed since' \
	'a file that changes between question and answer is not trusted'
tmux_stop
nok_cmd 'and makes nothing' test -e "$T/.af_worktrees/repo-two"
echo 'setup = rm -rf z' >.af/afw.ini
tmux_start 100 30 afw new two -- cat
tmux_wait_for '[y/N]'
tmux_type y
tmux_keys Enter
tmux_wait_for 'two: generic runs' 'after a yes it continues'
tmux_stop
exit_is 0 'with the file in force' afw config setup
is "$out" 'rm -rf z' 'as it was shown'
exit_is 0 'rm' afw rm --stop two
exit_is 0 'no longer' afw trust --remove
exit_is 0 'after a change' afw config setup
is "$out" '' 'it is left out again'
like "$err" 'changed' 'and that is reported'

echo 'detach_key = none' >.af/afw.ini
refused 1 'afw.ini:1: .detach_key. is for the user' \
	"what only the user may set is not trusted" afw trust --yes
ln -sf /etc/passwd .af/afw.ini
refused 1 'symbolic link' 'a symbolic link is not trusted' afw trust --yes
rm .af/afw.ini
exit_is 0 'a repository without the file' afw trust --yes --json
is "$(json config)" false 'can be trusted too'
exit_is 0 'list' afw trust --list
is "$out" "$T/repo" 'has it'
exit_is 0 'remove' afw trust --remove
exit_is 0 'list' afw trust -l --json
is "$out" '[]' 'is empty then'
refused 1 'not in a git repository' 'elsewhere' afw trust --yes "$T"

# On a terminal it shows the file and asks; escapes in it stay harmless.
{
	printf '# \xe2\x80\xaeevil\nsetup = make\n   it  \n'
	printf '\n \t\n%.0s' {1..500}
	printf '[harness.x]\ncommand = %150s\n' run-it
	printf '# so much more\n%.0s' {1..50}
} >.af/afw.ini
tmux_start 100 20 bash -c 'afw trust; echo "code $?"; read -r'
ok_cmd 'on a terminal it shows the file, and asks' tmux_wait_for '[y/N]'
like "$(tmux_screen | tail -n 7)" \
	'addresses that your data is sent to:
    setup = make it
    .harness.x. command = run-it
Trust' 'what it runs comes last, and who may have written that'
is "$(tmux_screen -S - | grep -c '^ *$')" 1 'empty lines are one'
like "$(tmux_screen -S -)" '# .+evil' 'all is shown'
tmux_keys n Enter
ok_cmd 'no is no' tmux_wait_for 'code 1'
tmux_stop
exit_is 0 'nothing is trusted' afw trust -l
is "$out" '' 'after a no'
tmux_start 100 20 bash -c 'afw trust; echo "code $?"; read -r'
ok_cmd 'asked again' tmux_wait_for '[y/N]'
tmux_keys y Enter
ok_cmd 'yes is yes' tmux_wait_for 'code 0'
tmux_stop
exit_is 0 'the file' afw config setup
is "$out" 'make it' 'counts after a yes'

# A repository is what leads back to itself: one that says that its files are
# those of a trusted one gets nothing of what that is trusted with.
mkdir "$T/good" && cd "$T/good" && git init -q && mkdir .af || exit 2
echo 'setup = ./build' >.af/afw.ini
afw trust --yes >"$T/.null" || exit 2
make_repo "$T/evil"
cd "$T/evil" || exit 2
printf '#!/bin/sh\ntouch %s/ran\n' "$T" >build && chmod +x build
git add build && git commit -q -m build
git config core.worktree "$T/good"
exit_is 0 'a repository that points at a trusted one' afw config setup
is "$out" '' 'is not that one'
exit_is 0 'and not in new' afw new bad -- sleep 1000
nok_cmd 'and runs nothing' test -e "$T/ran"
like "$err" '^$' 'without a word'
ok_cmd 'its worktrees are its own' test -d "$T/evil/.af_worktrees/evil-bad"
afw rm --stop bad >"$T/.null" 2>&1
done_testing
