#!/bin/bash
# The sessions of other machines in one list, with a real sshd: one machine that
# can be reached, and one that cannot.
. "$(dirname "$0")/dash.sh"
. "$ROOT/tests/box.sh"

git clone -q --bare "$T/repo" "$T/box/bare"
git clone -q "$T/box/bare" "$T/box/repo"
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
[host.box]
url = ssh://box$T/box/repo
[host.away]
url = ssh://away/nowhere
END

# there NAME [MEMBER]: of a session on the other machine
there()
{
	afw -H box status "$1" --json >"$T/there" && json "${2-phase}" "$T/there"
}

bells() { tr -dc '\a' <"$T/raw" | wc -c; }

# make NAME ARGUMENT...: a session on the other machine
make()
{
	afw -H box new "$@" >"$T/made" 2>&1 || cat "$T/made"
}
# Its title would reverse the row.
make far -- sh -c 'printf "\033]2;a \342\200\256title\a\033]7501;state=idle:app=x\033\\"; cat'
make asks -a demo -m '[[ask]]'
wait_for '[ "$(there asks question_id)" != null ]'
wait_for '[ "$(there far activity)" = idle ]'

# a_command: chooses it in the form, as the agent.
a_command()
{
	[[ $(tmux_screen) == *'[a command]'* ]] || keys Left
	see '[a command]' 'the last agent is a command'
	keys Tab
	tmux_type 'sh -c cat'
}

# -- one list ---------------------------------------------------------------

# The first picture does not wait for a machine.
cp "$T/box/ssh" "$T/box/ssh-up"
sed "s,^	ProxyCommand env,	ProxyCommand sleep 100; env," "$T/box/ssh-up" >"$T/box/ssh"
hang_up
afw new near -- cat >"$T/made" 2>&1
dash 120 30
see 'near' 'this machine is listed before another one has answered'
unlike "$(tmux_screen)" 'box:' 'which is not'
keys q
waits_for tmux_dead 'and nobody waits for it'
cp "$T/box/ssh-up" "$T/box/ssh"
tmux_stop
tmux_start 120 30 env X=1 script -qfc "$BUILD/afw-dashboard" "$T/raw"
see 'box:far' 'the sessions of another machine are in the list'
see '1 waiting · 2 idle' 'counted with those of this one'
names_are 'box:asks box:far near' 'in one order; a repository is one by its name'
row_like 1 'away: unreachable' 'a machine that cannot be reached is named'
keys /
tmux_type box:
keys Enter
names_are 'box:asks box:far' 'the filter knows machines'
keys Escape
names_are 'box:asks box:far near' 'and lets go'

# -- the preview and keys ---------------------------------------------------

keys g j
selected_is box:far 'a session there'
see 'box:far · generic · idle' 'is named with its machine'
see '?title' 'what it calls itself is harmless'
keys s
see 'message to box:far' 'a message'
tmux_type 'hello there'
keys Enter
waits_for 'tmux_screen | grep -q "^hello there"' 'its screen follows'
is "$(afw -H box logs far | grep -c '^hello there')" 2 'it was typed there'
see 'far: submitted' 'and reported'
afw -H box exec far -- sh -c 'echo more >>README'
keys 2
see '+more' 'its diff'
keys 3
see 'message 1 submitted' 'its events'
see '1 file not committed' 'what is to be committed'
keys 1 c
see 'commit all of far, message:' 'its changes can be committed'
tmux_type 'From here'
keys Enter
see 'committed: ' 'and are'
is "$(git -C "$T/box/repo" log -1 --format=%s af/far)" 'From here' 'there'
gone '1 file not committed' 'which its row says'
keys m
see 'it would be merged into here/main' 'a merge is into the branch of here'
keys m
see 'It is merged. Stop and remove far' 'and is made'
is "$(git log -1 --format=%s main)" 'From here' 'here'
keys n
gone 'It is merged' 'it may stay'
keys i
see 'far is on box: Enter attaches, to type into it' 'what needs this machine says so'
keys e
see 'far has its worktree on box' 'each'
keys !
see 'shell   Ctrl-\ leaves' '! is a shell there'
keys 'C-\'
see 'BRANCH' 'and the key that leaves it returns'
keys Enter
waits_for '[ "$(row 1)" != "" ] && ! tmux_screen | grep -q BRANCH' 'Enter attaches'
tmux_type 'typed there'
keys Enter
waits_for '[ "$(tmux_screen | grep -c "^typed there")" = 2 ]' 'to the session there'
keys 'C-\'
see 'BRANCH' 'the detach key returns'
keys X
see 'No two sessions change the same files' 'a view asks its machine'
keys q

afw -H box checkpoint far >"$T/null"
keys 5
see '(user)' 'a tab of its checkpoints'
keys f
see 'far@' 'a session there can begin with one'
keys Tab
tmux_type again
keys Tab
a_command
keys Enter
see 'box:again' 'and does'
is "$(there again base_commit)" "$(there far base_commit)" 'from where that began'
afw -H box rm --stop again >"$T/null" 2>&1
gone 'box:again' 'until it is removed'
keys Escape
see 'Enter attach' 'Esc returns to the list'
keys 1

# -- approvals --------------------------------------------------------------

keys I
names_are 'box:asks' 'the inbox has the question of another machine'
keys y
see 'Approve in box:asks: ' 'y asks, with the question'
# Another afw answers it meanwhile.
id=$(there asks question_id)
afw -H box send asks --deny >"$T/null"
wait_for '[ "$(there asks question_id)" = null ]'
rung=$(bells)
afw -H box send asks -m '[[ask]]' >"$T/null"
waits_for '[ "$(bells)" -gt "$rung" ]' 'it asks again, and the dashboard rings'
wait_for '[ "$(there asks question_id)" != null ] && [ "$(there asks question_id)" != "$id" ]'
keys y
see 'another approval is on its screen' 'the answer is only for the question that was shown'
isnt "$(there asks question_id)" null 'which is not answered'
see 'y approve' 'the new one'
keys y
see 'Approve in box:asks: ' 'can be'
keys y
waits_for '[ "$(there asks question_id)" = null ]' 'and is'
see 'No session is waiting' 'and leaves the inbox'
keys q

# -- marks over machines ----------------------------------------------------

keys /
tmux_type idle
keys Enter '*' x
see 'Stop 2 marked sessions (' 'marked sessions of two machines'
keys y
waits_for '[ "$(there far)" = stopped ] && [ "$(state_of near phase)" = stopped ]' \
	'are stopped, each on its own'
keys Escape
see 'box:far' 'all of them'

# -- a lost connection ------------------------------------------------------

sed "s,ProxyCommand env.*,ProxyCommand false," "$T/box/ssh-up" >"$T/box/ssh"
hang_up
row_like 1 'box: unreachable, away: unreachable' 'a lost connection is seen'
waits_for 'tmux_screen | grep -q "box:far .*unreachable"' 'its rows stay, and say so'
keys g G
selected_is near 'keys are answered'
like "$(tmux_screen -e | grep box:far)" $'^\e\\[[0-9;]*2m' 'the rows are dimmed'
cp "$T/box/ssh-up" "$T/box/ssh"
gone 'box: unreachable' 'it comes back by itself'
waits_for 'tmux_screen | grep -q "box:asks .*done *[0-9]*s *af/asks *\$"' 'with its states'

# -- a new session ----------------------------------------------------------

keys n
see 'Host     [here] box  away' 'the form has the choice'
tmux_type 'do something there'
keys Tab
tmux_type made
keys Tab
a_command
keys Tab Tab Tab Right
see 'Host      here [box] away' 'of a machine'
keys Enter
see 'box:made' 'it is made there, and listed'
selected_is box:made 'and selected'
is "$(there made branch)" af/made 'with a branch there'
afw -H box rm --stop made asks >"$T/null" 2>&1
gone 'box:made' 'what is removed there leaves the list'
gone 'box:asks' 'and so does the other'
keys q
waits_for tmux_dead 'q leaves'

# -- a machine that lies ----------------------------------------------------

mkdir "$T/evil"
sed "s,PATH=$BUILD:,PATH=$T/evil:," "$T/box/sshd" >"$T/evil/sshd"
sed "s,^Host box,Host evil,; s,$T/box/sshd,$T/evil/sshd," "$T/box/ssh-up" >>"$T/box/ssh"
cat >"$T/evil/afw" <<'END'
#!/bin/bash
now() { TZ=UTC0 printf '{"now":"%(%FT%T.000Z)T"}\n'; }
bad='\u001b]0;evil\u0007\u202egnp\u009b2J' long=$(printf '%020000d' 0)
row='"phase":"running","activity":"waiting_for_input","repository":"/src/repo"'
case $* in
*6c73*) # ls
	now
	echo '{"id":"NEAR","name":"usurper",'"$row"'}'
	echo '{"id":"0123456789abcdef0123456789abcdef","name":"liar",'"$row"',
		"harness":"'$bad'","branch":"'$bad'","question_id":"a1b2c3d4","question":"Run '$bad' '$long'",
		"title":"'$bad'","groups":["'$bad'"],"degraded":["'$bad'"],"checked_out":"'$bad'"}' | tr -d '\n\t'
	echo
	now
	while sleep 1; do now; done
	;;
*) echo '{"lines":["'$bad'\u001b[999B\u001b#8its screen"],"cols":1e300,"first":-9e15,"cursor":[5,7],"live":true}' ;;
esac
END
chmod +x "$T/evil/afw"
sed -i "s/NEAR/$(state_of near id)/" "$T/evil/afw"
printf '[host.evil]\nurl = ssh://evil/x\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
dash 120 30
see 'evil:' 'a machine that lies is listed'
see '?]0;evil??gnp?2J' 'its texts are harmless'
names_are 'evil:liar near' 'it does not replace a session of this machine'
keys g
row_like 30 '^y approve  N deny ' 'however long they are'
cp "$T/evil/afw" "$T/evil/.afw"
sed 's/%020000d/%0300d/' "$T/evil/.afw" >"$T/evil/afw"
keys q
waits_for tmux_dead 'and it can be left'
dash 120 30
see 'evil:liar' 'again'
keys g
see 'its screen' 'its picture is one, too'
keys q
waits_for tmux_dead 'and that is all'
box_end
end
