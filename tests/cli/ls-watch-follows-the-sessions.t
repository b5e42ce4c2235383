#!/bin/bash
# ls --watch draws the table again when something changes, and restores the
# terminal.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/fake.sh"

exit_is 2 'without a terminal it is refused' afw ls -w
like "$err" '--watch needs a terminal' 'in words'
exit_is 2 'names are refused' afw ls -w -q

fake_session one running working '"last_line":"\u001b]0;evil\u0007 said",'
one=$dir
tmux_start 80 24 sh -c 'echo before; stty -g >"$0"; afw ls -w; echo "code $?"
	stty -g >"$1"; read -r _; afw ls --watch; echo over; cat' "$T/before" "$T/after"
hold one
tmux_wait_for 'working' 'a terminal has the table'
unlike "$(tmux_screen)" before 'alone'
start=$(now_ms)
fake_session two stopped
tmux_wait_for 'two' 'a session that is made appears'
dir=$one
fake_state one running waiting_for_input '"detail":"Allow it?",'
tmux_wait_for 'Allow it?' 'a change is drawn'
ok $(($(now_ms) - start > 4500)) 'at once, not at the next heartbeat'
mkdir -p "$DATA/trash"
mv "$DATA/sessions/$(basename "$(session_dir two)")" "$DATA/trash/"
tmux_wait_gone 'two' 'a removed session disappears'
for i in {1..12}; do fake_session "s$i" stopped; done
tmux_resize 60 8
tmux_wait_for 'and 8 more' 'a small window says how many it does not hold'
unlike "$(tm display-message -p -t =t: '#{pane_title}')" evil 'no title is obeyed'
tmux_keys q
tmux_wait_for 'code 0' 'q ends it'
tmux_wait_for 'before' 'the screen is restored'
tmux_keys Enter
tmux_wait_for 'and 8 more'
tmux_keys C-c
tmux_wait_for 'over' 'Ctrl-C does that, too'
is "$(<"$T/after")" "$(<"$T/before")" 'the terminal is as before'
tmux_stop

# Ctrl-Z, in a shell that has jobs.
for command in 'ls -w' top; do
	tmux_start 80 24 bash --norc -i
	tmux_type "PS1=''; clear; echo here; afw $command"
	tmux_keys Enter
	tmux_wait_for 'NAME'
	tmux_keys C-z
	tmux_wait_for 'Stopped' "$command: Ctrl-Z comes back to the shell"
	tmux_type 'echo typed'
	tmux_keys Enter
	tmux_wait_for 'typed' 'which has its terminal'
	tmux_type 'clear; fg'
	tmux_keys Enter
	tmux_wait_for 'NAME' 'fg draws it again'
	tmux_keys q
	waits_for '! tmux_screen | grep -q NAME' 'and q ends it'
	tmux_stop
done
release_locks

# -- with --json ----------------------------------------------------------------

rm -r "$DATA"/sessions/*
fake_session one running working
one=$dir
hold one
fake_session two stopped
mkdir -p "$dir/groups"
touch "$dir/groups/g"
# feed FILE [OPTION...]: in the background; $feed is its process.
feed()
{
	local file=$1
	shift
	"$BUILD/afw" ls -w --json "$@" >"$file" 2>&1 &
	feed=$!
	wait_for '[ "$(grep -c "^{\"now\":" "$file")" = 2 ]'
}
feed "$T/feed"
is "$(sed 's/"now":".*Z"/NOW/; s/{"id":.*"name":"\([a-z]*\)".*}/\1/' "$T/feed" | xargs)" \
	'{NOW} one two {NOW}' 'its clock, all sessions, its clock'
is "$(grep '"name":"one"' "$T/feed")" \
	"$(afw ls --json | "$BUILD/tests/tools/jsonget" 0)" \
	'a session is as in ls --json'
dir=$one
fake_state one running waiting_for_input '"detail":"Allow\u001b it?",'
waits_for 'grep -q "\"detail\":\"Allow" "$T/feed"' 'a change is a line'
fake_session three stopped
waits_for 'grep -q "\"name\":\"three\"" "$T/feed"' 'a new session is a line'
three=$id
mv "$DATA/sessions/$three" "$DATA/trash/"
waits_for 'grep -qFx "{\"id\":\"$three\",\"removed\":true}" "$T/feed"' \
	'a removed one is a line'
n=$(wc -l <"$T/feed")
is "$(grep -c '"name":"two"' "$T/feed")" 1 'one that did not change has no other'
waits_for '[ "$(tail -n +$((n + 1)) "$T/feed" | grep -c now)" -ge 1 ]' \
	'and its clock again, later'
kill "$feed"
wait "$feed" 2>"$T/null" || :
feed "$T/feed" --group g
is "$(grep -o '"name":"[a-z]*"' "$T/feed")" '"name":"two"' 'of a group'
rm "$DATA"/sessions/*/groups/g
touch "$DATA"/sessions/*/groups
waits_for 'grep -q removed "$T/feed"' 'one that leaves it is removed'
kill "$feed"
wait "$feed" 2>"$T/null" || :
exit_is 0 'it ends with its reader' \
	bash -c '"$0" ls -w --json | head -n 1; exit "${PIPESTATUS[0]}"' "$BUILD/afw"
release_locks
done_testing
