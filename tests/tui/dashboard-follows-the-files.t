#!/bin/bash
. "$(dirname "$0")/dash.sh"

dash 80 24
see 'There are no sessions yet' 'without sessions it says how to begin'
see 'afw new' 'and names the command'

fake_session one running working '"detail":"first words",'
fake_session two running idle
hold one two
fake_state two running idle '"said":"still here",'
see 'still here' 'a session that appears is shown'
wait_for '[[ "$(names)" == *one* ]]'
like "$(names)" one 'and the one beside it'
dir=$(session_dir one)
fake_state one running working '"detail":"second words",'
see 'second words' 'its output is followed'
gone 'first words' 'its old output is gone'

printf '{"v":1,' >"$dir/.state" && mv "$dir/.state" "$dir/state.json"
see '1 failed' 'a broken state file is an error of that session'
see 'still here' 'the other is shown as before'
fake_state one running completed '"said":"well again",'
see 'well again' 'the message disappears when it is complete again'

# Neither the title nor the text below an agent's composer is its message.
fake_state two running completed '"activity_source":"hook","last_line":"? for help","title":"Mend it",'
gone 'well again' 'a turn ends without a word'
unlike "$(tmux_screen | grep '^. one ')" 'Mend it|for help' 'and nothing else takes its place'
fake_state two running completed '"activity_source":"hook","said":"mended","last_line":"? for help",'
see 'mended' 'its last words are shown'
fake_state two running idle '"activity_source":"process","detail":"quiet","said":"bye",'
see ' bye' 'for a command, its last output'

release_locks
see '2 failed' 'the lock let go: both are lost, at once'
see 'lost: its supervisor has ended' 'which is reported in words'

mkdir -p "$DATA/trash"
mv "$dir" "$DATA/trash/"
gone ' one  ' 'a session that is moved away is gone'
see '1 failed' 'and no longer counted'
rm -rf "$DATA"/sessions/*
see 'There are no sessions yet' 'after the last one it says so again'

cd "$T" || exit 2
dash 80 24
keys n
see 'new session in ?' 'outside a repository n asks for one'
tmux_type "$T/nowhere"
keys Enter
see "no git repository at '$T/nowhere'" 'a wrong one is reported'
end
