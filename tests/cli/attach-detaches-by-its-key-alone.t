#!/bin/bash
# The detach key works in each form that a terminal sends, however it is split;
# not inside a paste, and not if it is another session's key.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
onpty=$BUILD/tests/tools/onpty
printf '#!/bin/bash\nstty raw -echo\nprintf "ready"\nexec cat >"$1"\n' >"$T/rec"
chmod +x "$T/rec"
exit_is 0 'a session' afw new rec -- "$T/rec" "$T/keys"
mkfifo "$T/in"

# attach ARGS: on a terminal whose keyboard is descriptor 7.
attach()
{
	: >"$T/screen"
	"$onpty" ${part:+-c "$part"} afw attach rec "$@" <"$T/in" >"$T/screen" 2>&1 &
	pid=$!
	exec 7>"$T/in"
	wait_for 'grep -q ready "$T/screen"'
	from=$(($(stat -c %s "$T/keys") + 1))
}
# ended NAME: it has detached, with code 0 and the terminal as it was.
ended()
{
	local code=0
	exec 7>&-
	wait_for '! kill -0 $pid 2>/dev/null'
	wait "$pid" || code=$?
	is "$code" 0 "$1"
	like "$(<"$T/screen")" 'detached from rec' 'and says so'
}
got()
{
	tail -c "+$from" "$T/keys" | od -An -c | tr -d ' \n'
}
# has BYTES NAME: these bytes have come, as od writes them, and no others.
has()
{
	_has=$1
	waits_for '[ "$(got)" = "$_has" ]' "$2" got
}

attach
printf 'ab\034cd' >&7
ended 'Ctrl-\ detaches'
has ab 'input before it has arrived, input after it has not'

for form in '\033[27;5;92~' '\033[92;5u' '\033[92:124:92;5:1u'; do
	attach
	printf "x$form" >&7
	ended "so does ${form#?033}"
	has x 'alone'
done

# A machine that takes 30 ms for the next byte has sent another key.
part=1
for _ in {1..10}; do
	attach
	printf 'x\033[92;5u' >&7
	wait_for '! kill -0 $pid 2>/dev/null || [[ $(got) = *u ]]'
	[[ $(got) = *u ]] || break
	printf '\034' >&7
	wait "$pid"
done
ended 'also when it comes byte by byte'
has x 'nothing of it gets through'

part=''
attach
printf 'x\033[9' >&7
waits_for '[ "$(got)" = "x033[9" ]' 'a sequence that only begins like it is passed on'
printf 'y' >&7
waits_for '[ "$(got)" = "x033[9y" ]' 'with what follows'
printf '\033' >&7
waits_for '[ "$(got)" = "x033[9y033" ]' 'Escape alone too'
printf '\034' >&7
ended 'and then it detaches'

# The marks of a paste, cut anywhere.
attach
printf '\033[20' >&7
wait_for '[ "$(got)" = "033[20" ]'
printf '0~in \034 side\033[2' >&7
waits_for '[ "$(got)" = "033[200~in034side033[2" ]' \
	'a paste whose beginning was cut hides the key'
printf '01' >&7
wait_for '[ "$(got)" = "033[200~in034side033[201" ]'
printf '~' >&7
wait_for '[ "$(got)" = "033[200~in034side033[201~" ]'
printf '\034' >&7
ended 'the cut end of it is seen: the key counts again'

attach -k C-a
printf 'x\034y\033[92;5u' >&7
waits_for '[ "$(got)" = "x034y033[92;5u" ]' 'with -k C-a Ctrl-\ is a key'
printf '\001' >&7
ended 'and Ctrl-A detaches'

mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'detach_key = C-b' >"$XDG_CONFIG_HOME/afw/afw.ini"
attach
printf 'x\034\002' >&7
ended 'detach_key of the configuration counts'
has x034 'instead of the default'
attach -k none
printf 'x\034\002' >&7
waits_for '[ "$(got)" = "x034002" ]' 'none: no key detaches'
client=$(pgrep -P "$pid" afw)
kill -TERM "$client"
ended 'kill does'
refused 2 'C-nonsense' 'a key that does not exist is refused' \
	afw attach rec -k C-nonsense
rm "$XDG_CONFIG_HOME/afw/afw.ini"

# Read-only: nothing gets through but the detach key.
attach --read-only
printf 'x\033[200~y\033[201~\033[A\003' >&7
printf '\034' >&7
ended 'read-only detaches by its key'
is "$(got)" '' 'and lets nothing through'

# A session has its own screen already: it would print to itself for ever.
exit_is 0 'a shell' afw new shell -- bash --norc
exit_is 0 'a shell in tmux' afw new pane --backend tmux -- bash --norc
for name in shell pane; do
	afw send "$name" "afw attach $name; echo code \$?" >"$T/null" 2>&1
	waits_for 'afw capture "$name" | grep -q "the session.s own" &&
		afw capture "$name" | grep -q "^code 9"' \
		"$name is not attached to itself" || afw capture "$name"
done
exit_is 0 'stop' afw stop rec shell pane
done_testing
