#!/bin/bash
. "$(dirname "$0")/dash.sh"

dash 80 24
see 'There are no sessions yet' 'without sessions it says how to begin'
see 'afw new' 'and names the command'

fake_session one running working '"last_line":"first words",'
fake_session two running idle
hold one two
fake_state two running idle '"last_line":"still here",'
see 'still here' 'a session that appears is shown'
wait_for '[[ "$(names)" == *one* ]]'
like "$(names)" one 'and the one beside it'
dir=$(session_dir one)
fake_state one running working '"last_line":"second words",'
see 'second words' 'what it says is followed'
gone 'first words' 'what it said is gone'

printf '{"v":1,' >"$dir/.state" && mv "$dir/.state" "$dir/state.json"
see '1 in error' 'a broken state file is an error of that session'
see 'still here' 'the other is shown as before'
fake_state one running completed '"last_line":"well again",'
see 'well again' 'it is taken back when it is whole again'

# What stands below an agent's composer is none of its words.
fake_state two running completed '"activity_source":"hook","last_line":"? for help","title":"Mend it",'
see 'Mend it' 'an agent that rests says its title'
gone '? for help' 'and not the last line of its screen'
fake_state two running completed '"activity_source":"hook","detail":"mended","last_line":"? for help",'
see 'mended' 'unless its last words are known'
fake_state two running idle '"activity_source":"process","detail":"quiet","last_line":"? for help",'
see '? for help' 'of a command the last line is what it says'

let_go
see '2 in error' 'the lock let go: both are lost, at once'
see 'lost: its supervisor is gone' 'which is said in words'

mkdir -p "$DATA/trash"
mv "$dir" "$DATA/trash/"
gone ' one  ' 'a session that is moved away is gone'
see '1 in error' 'and no longer counted'
rm -rf "$DATA"/sessions/*
see 'There are no sessions yet' 'after the last one it says so again'

cd "$T" || exit 2
dash 80 24
keys n
see 'new session in ?' 'outside a repository n asks for one'
tmux_type "$T/nowhere"
keys Enter
see "no git repository at '$T/nowhere'" 'a wrong one is said'
end
