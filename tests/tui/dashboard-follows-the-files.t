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
wait_for 5 '[[ "$(names)" == *one* ]]'
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

let_go
see '2 in error' 'the lock let go: both are lost, at once'
see 'lost: its supervisor is gone' 'which is said in words'

mkdir -p "$DATA/trash"
mv "$dir" "$DATA/trash/"
gone ' one  ' 'a session that is moved away is gone'
see '1 in error' 'and no longer counted'
rm -rf "$DATA"/sessions/*
see 'There are no sessions yet' 'after the last one it says so again'
end
