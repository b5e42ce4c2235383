#!/bin/bash
# kill -9 of a supervisor, of a harness, of the guard between them, of a tmux
# server: that session reports what happened, the two beside it are not
# affected, no process of its tree is left, and it can be resumed. The same list
# for each backend.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'stop_timeout = 300ms' >"$XDG_CONFIG_HOME/afw/afw.ini"

# A harness that says what it does, will not go by itself, and has a child
# that has left its terminal and one that is stopped.
cat >"$T/agent" <<'END'
#!/bin/bash
trap '' HUP TERM INT
setsid sleep 2001 </dev/null >/dev/null 2>&1 &
echo $! >>"$1"
bash -c 'trap "" HUP TERM; kill -STOP $$; sleep 2002' </dev/null >/dev/null 2>&1 &
echo $! >>"$1"
echo $$ >>"$1"
printf 'ready\n\033]7501;state=idle\033\\'
while read -r x; do
	printf '\033]7501;state=working\033\\got <%s>\n' "$x"
	printf '\033]7501;state=idle\033\\'
done
END
chmod +x "$T/agent"

# of FIELD NAME: a value of its status.
of()
{
	state_of "$2" "$1"
}
# look NAME...: what must not change.
look()
{
	local name
	for name; do
		afw status "$name" --json >"$T/.look"
		echo "$name $(json phase "$T/.look") $(json activity "$T/.look")" \
			"$(json pid "$T/.look") $(json supervisor_pid "$T/.look")"
	done
}
lives() { grep -qs '^State:.*[RSDTt] (' "/proc/$1/status"; }
# tree NAME: those of its processes that live.
tree()
{
	local p
	for p in $(<"$T/$1.pids"); do
		! lives "$p" || echo "$p"
	done
}
server_of()
{
	tmux -S "$(ls "$RUN/$(of id "$1").tmux")" display-message -p '#{pid}'
}
# up NAME: it has started, whole.
up()
{
	waits_for '[ "$(wc -l <"$T/'"$1"'.pids")" = 3 ] &&
		[ "$(of activity '"$1"')" = idle ]' "$b: $1 is up"
}
# words NAME: its state as ls says it to people.
words()
{
	afw ls | grep "^$1 " | tr -s ' ' | cut -d' ' -f3
}
# answers NAME TEXT WHAT: it takes a message, and its turn comes to its end.
answers()
{
	local since
	since=$(of activity_since "$1")
	run afw send "$1" "$2"
	# A slow one has reported nothing yet.
	like "$code" '^[08]$' "$3 takes a message" || diag "$err"
	waits_for 'afw capture '"$1"' | grep -q "got <'"$2"'>"' \
		"$3 answers"
	wait_for '[ "$(of activity '"$1"')" = completed ] &&
		[ "$(of activity_since '"$1"')" != '"$since"' ]'
}
said=0
# dies HOW NAME REASON: it is the only one that says so.
dies()
{
	local how=$1 name=$2 reason=$3 others other left
	others=$(printf '%s\n' "$b"a "$b"b "$b"c | grep -vx "$name")
	how="$b: kill -9 of the $how"
	left=$(tree "$name")
	like "$left" $'^[0-9]+\n[0-9]+\n[0-9]+$' "$how: three processes"
	look $others >"$T/before"
	for other in $others; do words "$other"; done >"$T/words"
	kill -KILL "$(case $1 in
	supervisor) of supervisor_pid "$name" ;;
	harness) of pid "$name" ;;
	guard) cut -d' ' -f4 "/proc/$(of pid "$name")/stat" ;;
	server) server_of "$name" ;;
	esac)"
	waits_for '[ "$(of phase "'"$name"'")" = error ]' "$how is seen"
	is "$(words "$name")" failed "$how: ls says so"
	is "$(for other in $others; do words "$other"; done)" \
		"$(cat "$T/words")" "$how: and the others are as they were"
	like "$(of error_reason "$name")" "$reason" "$how: why"
	look $others >"$T/after"
	is "$(<"$T/after")" "$(<"$T/before")" \
		"$how: the others keep pid, phase and activity"
	said=$((said + 1))
	for other in $others; do
		answers "$other" "number $said" "$how: $other"
	done
	refused 6 'not running .failed: ' "$how: it takes none" \
		afw send "$name" hello
	like "$(afw logs "$name")" ready "$how: what it printed is there"
	waits_for '[ -z "$(tree "'"$name"'")" ]' \
		"$how: nothing of its tree is left"
}
# comes_back COMMAND NAME: with nothing of what was.
comes_back()
{
	local old
	old=$(<"$T/$2.pids")
	: >"$T/$2.pids"
	case $1 in
	*--all) exit_is 0 "$b: $1" afw $1 ;;
	*) exit_is 0 "$b: $1 $2" afw "$1" "$2" ;;
	esac
	for old in $old; do
		! lives "$old" || break
		old=''
	done
	is "$old" '' "$b: $1: nothing of the one before lives"
	up "$2"
	answers "$2" again "$b: $1: it"
}

for b in pty tmux; do
	if [ $b = tmux ] && ! command -v tmux >/dev/null; then
		skip 1 'no tmux here'
		continue
	fi
	for name in a b c; do
		: >"$T/$b$name.pids"
		exit_is 0 "$b: new" afw new "$b$name" --backend $b -- \
			"$T/agent" "$T/$b$name.pids"
	done
	for name in a b c; do up "$b$name"; done

	dies supervisor ${b}a '^lost: its supervisor has ended'
	comes_back resume ${b}a
	dies harness ${b}b 'killed by signal 9'
	comes_back retry ${b}b
	dies guard ${b}a '^lost: the process that .* was killed'
	comes_back resume ${b}a
	if [ $b = tmux ]; then
		dies server ${b}c '^lost: its tmux server was killed by signal 9'
		comes_back 'resume --all' ${b}c
	fi

	# What else ends it where it was left.
	dies supervisor ${b}b '^lost: its supervisor has ended'
	exit_is 0 "$b: stop of a lost one" afw stop ${b}b
	is "$(tree ${b}b)" '' "$b: nothing is left of it"
	exit_is 0 "$b: resume --all" afw resume --all
	is "$out" 'no session is suspended or was lost' \
		"$b: does not bring back what was stopped"
	like "$(of phase ${b}b) $(of error_reason ${b}b)" \
		'^error lost: its supervisor has ended' "$b: it says still why"
	comes_back start ${b}b
	dies supervisor ${b}c '^lost: its supervisor has ended'
	exit_is 0 "$b: reconcile" afw reconcile --apply
	like "$out" 'lost: its supervisor has ended.*while the session was running' \
		"$b: it tells"
	is "$(look ${b}a)" "$(grep "^${b}a " "$T/after")" \
		"$b: and leaves the others alone"
	exit_is 0 "$b: rm of a lost one" afw rm ${b}c
	is "$(tree ${b}c)" '' "$b: nothing is left of it"
	is "$(afw ls -q | tr '\n' ' ')" "${b}a ${b}b " "$b: the others are there"
	exit_is 0 "$b: stop" afw stop ${b}a ${b}b
	is "$(ls "$RUN")" '' "$b: no socket is left"
	exit_is 0 "$b: rm" afw rm ${b}a ${b}b
done
done_testing
