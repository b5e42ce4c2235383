#!/bin/bash
# ls reads only files: terms, JSON, colours, widths; a broken session never
# hides the others.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/fake.sh"

exit_is 0 'no sessions are no failure' afw ls
is "$out" '' 'and nothing is listed'
like "$err" 'no sessions yet' 'but said'
is "$(afw ls --summary 2>&1)$(afw ls --count)" 0 'nor in a prompt'
exit_is 0 'and as JSON' afw ls --json
is "$out" '[]' 'an empty array'
[ ! -e "$DATA" ]
ok $? 'listing makes no directory'

fake_session one running working \
	'"last_line":"/ Spinning","title":"Claude Code","detail":"日本 \u001b[31mred\u202ebidi","lines_added":12,"lines_removed":3,'
fake_session two running waiting_for_input '"detail":"Allow Bash?",'
fake_session three stopped '' '"exit_code":3,"said":"Three files.","last_line":"> ",'
fake_session four running idle
hold one two
exit_is 0 'ls' afw ls
like "$out" 'one +generic +working +[0-9]+[sm] +[0-9]+m +af/one +\+12 -3 +日本 \?\[31mred\?bidi' \
	'a row has the words, the figures and what it does, made safe'
like "$out" 'two +generic +waiting .* Allow Bash\?' 'what it waits for'
like "$out" 'three +generic +stopped .* Three files.' 'with its last message'
like "$out" 'four +generic +failed .* lost: ' 'lost, if no process holds the lock'
unlike "$out" 'Spinning|Claude Code' 'without its screen and its title'
unlike "$out" $'\033' 'no colours to a pipe'

dir=$(session_dir two)
queued=2 fake_state two running waiting_for_input '"detail":"Allow Bash?",'
exit_is 0 'one with queued messages' afw ls
like "$out" 'two .* \[2 queued\] Allow Bash\?' 'their number is listed'
unlike "$(grep -v two <<<"$out")" 'queued' 'only of that session'

exit_is 0 'names' afw ls -q
is "$out" $'two\nfour\none\nthree' 'who needs somebody first, who rests last'
is "$(LC_ALL=C.UTF-8 afw ls --summary)" '1 waiting · 1 failed · 1 working · 1 stopped' \
	'a summary'
is "$(LC_ALL=C afw ls --summary)" '1 waiting, 1 failed, 1 working, 1 stopped' \
	'without UTF-8'
is "$(afw ls --count) $(afw ls --count=waiting) $(afw ls --count=idle)" '4 1 0' 'counts'
refused 2 "'idel' is not a state" 'of a state that is none' afw ls --count=idel
refused 2 'cannot be combined' 'of nothing else' afw ls --summary --quiet
exit_is 0 'JSON' afw ls --json
is "$(json 1.activity)" waiting_for_input 'activity'
is "$(json 1.phase)" running 'phase'
is "$(json 0.lines_added)" 12 'figures'
is "$(json 0.detail)" $'日本 \033[31mred\xe2\x80\xaebidi' 'data as it is'
like "$(json 3.error_reason)" '^lost: ' 'lost'
is "$(json 2.exit_code)" 3 'exit code'

# columns by name
exit_is 0 'columns that are chosen' afw ls -o state,name,queued
is "$(head -1 <<<"$out")" 'STATE    NAME   QUEUED' 'in the order of their names'
like "$out" $'\nwaiting  two +2' 'with what they hold'
exit_is 0 'a group' afw group one --add crew
like "$(afw ls -o name,group)" 'one +crew' 'a session that the board does not have'
refused 2 "no column 'nmae'.*did you mean name" 'an invalid name' \
	afw ls -o state,nmae
refused 2 'names none' 'no name at all' afw ls -o ,
exit_is 2 'JSON has all of them' afw ls -o name --json

# on a terminal
tmux_start 80 12 bash -c 'afw ls; echo END; read'
tmux_wait_for END
screen=$(tmux_screen -e)
like "$screen" $'\033\\[1m\033\\[33mwaiting|\033\\[1;33mwaiting' \
	'colours on a terminal'
is "$(tmux_screen | grep -c '^$')" 6 'no line is too long and wraps'
like "$(tmux_screen)" '日本 \?\[31mred' 'wide characters are in their place'
tmux_stop
tmux_start 80 12 bash -c 'NO_COLOR=1 afw ls; echo END; read'
tmux_wait_for END
unlike "$(tmux_screen -e | head -4)" $'\033' 'NO_COLOR is obeyed'
tmux_stop

# broken ones
fake_session broken stopped
echo '{"v":1,"phase":' >"$dir/state.json"
fake_session newer running
echo '{"v":99}' >"$dir/state.json"
fake_session nospec running
echo 'not JSON' >"$dir/spec.json"
nospec=${id:0:8}
fake_session twice stopped
echo '{"v":1,"v":1,"phase":"stopped","activity":""}' >"$dir/state.json"
fake_session fifo stopped
rm "$dir/state.json" && mkfifo "$dir/state.json"
fake_session huge stopped
head -c 100000 /dev/zero | tr '\0' ' ' >"$dir/state.json"
mkdir "$DATA/sessions/not-a-session" "$DATA/sessions/$(printf '%032x' 7)"
before=$(cd "$DATA/sessions" && find . -type f | sort | xargs md5sum)
exit_is 0 'broken sessions are no failure of ls' timeout 60 afw ls
for name in one two three four; do
	like "$out" "(^|"$'\n'")$name " "$name is still listed"
done
like "$out" 'broken +generic +failed .*not JSON, or incomplete' 'cut off'
like "$out" 'newer +generic +failed .*newer afw \(version 99\)' 'newer'
like "$out" "$nospec +failed .*not JSON" 'no specification: by its id'
like "$out" 'twice +generic +failed .*twice' 'duplicate keys'
like "$out" 'fifo +generic +failed' 'a FIFO in its place'
like "$out" 'huge +generic +failed .*' 'too large'
is "$(cd "$DATA/sessions" && find . -type f | sort | xargs md5sum)" "$before" \
	'nothing was changed'
is "$(afw ls --json | "$BUILD/tests/tools/jsonget" '#' .)" 11 'all as JSON'
release_locks

# several repositories
repo=$T/other/place
make_repo "$T/other/place"
fake_session one stopped
here=$PWD
cd "$T" || exit
exit_is 0 'two repositories' afw ls -q
like "$out" 'repo/one' 'names say which repository'
like "$out" 'place/one' 'both'
cd "$here" || exit
cd "$T/other/place" || exit
exit_is 0 '--here' afw ls --here -q
is "$out" one 'only of this repository'
exit_is 0 'the table' afw ls
like "$out" $'^NAME[^\n]*\nplace \\('"$T"$'/other/place\\)\n  one +generic +stopped[^\n]*\nrepo \\('"$T"$'/repo\\)\n  ' \
	'has a line for each repository, this one first'
unlike "$out" 'place/|repo/' 'and in no other line'
exit_is 0 'only one repository' afw ls --here
unlike "$out" '\(' 'it has none'
exit_is 0 'from the repository that came later' afw ls -q
like "$out" $'^one\n' 'what is here comes first, with its bare name'
like "$out" $'\nrepo/one' 'then the others'
cd "$T" || exit
id='\([0-9a-f]{8}\)'
refused 4 "'one' names 2 sessions: (repo|place)/one $id, (repo|place)/one $id" \
	'elsewhere it is ambiguous: both are named' afw status one
names=$(grep -oE '(repo|place)/one' <<<"$err")
for name in $names; do
	exit_is 0 'each of these names one' afw status "$name"
done
is "$(wc -w <<<"$names")" 2 'for both'
refused 3 "no session 'nobody'.*there are:" 'unknown' afw status nobody
refused 3 "no session 'onee'.*mean (repo|place)/one\?" 'nearly one' \
	afw status onee
cd "$T/other/place" || exit
fake_session fix-login stopped
refused 3 "mean fix-login\?" 'of this repository, by its bare name' \
	afw status repo/fix-logn
refused 3 "mean one\?" 'and before those of others' afw logs oen
done_testing
