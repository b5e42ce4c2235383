#!/bin/bash
# The same list of checks for each backend: a user of afw need not know which
# backend a session has.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
onpty=$BUILD/tests/tools/onpty
# Its sleeps have its pid after the point, so that others' are not counted.
mkfifo "$T/in"

# A harness that wants bracketed pastes, shows what it gets and keeps it.
cat >"$T/rec" <<'END'
#!/bin/bash
stty raw -echo opost onlcr
printf '\033[?2004h\033]2;a title\007ready\n'
exec tee -a "$1"
END
# One that says where it finds itself.
cat >"$T/where" <<'END'
#!/bin/bash
for a; do printf '<%s>\n' "$a"; done >"$OUT"
term=none
[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && : </dev/tty && term=terminal
{
	pwd
	stty size
	echo "mux ${TMUX-none} ${TMUX_PANE-none}"
	echo "secret $SECRET"
	read -r pid _ _ _ pgrp sid _ fg _ </proc/$$/stat
	echo "leader $((pid == sid)) foreground $((pgrp == fg))"
	echo "$term"
} >"$OUT.2" 2>&1
echo said
exec cat
END
chmod +x "$T/rec" "$T/where"

# of FIELD NAME: a value of its status.
of()
{
	state_of "$2" "$1"
}
# attach NAME ARGS: on a terminal whose keyboard is descriptor 7.
attach()
{
	: >"$T/screen"
	"$onpty" ${size:+-s "$size"} afw attach "$@" <"$T/in" \
		>"$T/screen" 2>&1 &
	client=$!
	exec 7>"$T/in"
}
# ended NAME TEXT: attach has ended, with code 0, and said so.
ended()
{
	local code=0
	wait_for '! kill -0 $client 2>/dev/null'
	wait "$client" || code=$?
	exec 7>&-
	is "$code" 0 "$1"
	like "$(<"$T/screen")" "$2" "$1, and says so"
}

it_starts()
{
	export OUT=$T/$b.where
	exit_is 0 "$b: new" afw new where --backend $b -e SECRET=hu-$b-$$-sh -- \
		"$T/where" 'a b' '#(touch /tmp/x)' '' '$HOME;' ';' 'x;' "it's" -n
	waits_for '[ -s "$OUT.2" ] && afw capture where | grep -q said' \
		"$b: runs"
	# The shell has its script open until it is the cat.
	waits_for '[ "$(readlink "/proc/$(of pid where)/exe")" = \
		"$(readlink -f "$(command -v cat)")" ]' \
		"$b: its pid is the harness's"
	is "$(tr '\n' ' ' <"$OUT")" \
		"<a b> <#(touch /tmp/x)> <> <\$HOME;> <;> <x;> <it's> <-n> " \
		"$b: its arguments are as given"
	is "$(sed -n 1p "$OUT.2")" "$(of worktree where)" "$b: in its worktree"
	is "$(sed -n 2p "$OUT.2")" '40 120' "$b: of the size it should have"
	is "$(sed -n 3p "$OUT.2")" 'mux none none' "$b: it knows of no tmux"
	is "$(sed -n 4p "$OUT.2")" "secret hu-$b-$$-sh" "$b: it has its secret"
	is "$(sed -n 5p "$OUT.2")" 'leader 1 foreground 1' \
		"$b: leads its session, in the foreground"
	is "$(sed -n 6p "$OUT.2")" terminal "$b: has a controlling terminal"
	waits_for '[ "$(echo $(ls "/proc/$(of pid where)/fd"))" = "0 1 2" ]' \
		"$b: and nothing else open"
	is "$(of phase where) $(of backend where)" "running $b" "$b: status"
	like "$(afw ls)" where "$b: ls"
	is "$(afw capture where)" said "$b: capture"
	waits_for 'afw logs where | grep -q said' "$b: logs"
}

secrets_stay()
{
	local pid=$(of pid where) f hits=''
	for f in /proc/[0-9]*/cmdline; do
		grep -qzs "hu-$b-$$-sh" "$f" && hits+=" $f"
	done
	for f in $(grep -lzs "hu-$b-$$-sh" /proc/[0-9]*/environ); do
		[ "$f" = "/proc/$pid/environ" ] || hits+=" $f"
	done
	hits+=$(grep -rls "hu-$b-$$-sh" "$DATA" "$RUN")
	is "$hits" '' "$b: its secret is in no argv, no other's environment, no file"
	f=$(ls "$RUN"/*.tmux 2>/dev/null)
	unlike "$([ -z "$f" ] || tmux -S "$f" show-environment -g)" hu- \
		"$b: nor in tmux's own"
}

it_fails_to_start()
{
	printf '#!/no/such\n' >"$T/bad"
	chmod +x "$T/bad"
	refused 1 'run .*/bad in .*No such file' "$b: what cannot be run" \
		afw new gone --backend $b -- "$T/bad" thing
	nok_cmd "$b: leaves no session" session_dir gone
	nok_cmd "$b: nor branch" git rev-parse -q --verify af/gone
	waits_for '[ "$(pgrep -c -f "$RUN/.*\.(tmux|pane)")" = \
		"$([ $b = pty ] && echo 0 || echo 2)" ]' "$b: nor process"
}

messages_arrive()
{
	local text=$'one # {x} "q" \'s\'\n\ttwo; $HOME \\n `id` %s\nh\303\244 \346\274\242 ;'
	local keys=$T/$b.keys want
	run afw new rec --backend $b -- "$T/rec" "$keys"
	waits_for 'afw capture rec | grep -q ready' "$b: a recorder"
	is "$(json title <(afw capture rec --json))" \
		'a title' "$b: its title"
	exit_is 0 "$b: it rests" afw wait --for idle,completed -t 240s rec
	exit_is 8 "$b: send" afw send rec --raw "$text"
	like "$err" submitted "$b: submitted"
	want=$(printf '\033[200~%s\033[201~\r' "$text" | od -An -c)
	wait_for '[ "$(od -An -c <"$keys")" = "$want" ]'
	is "$(od -An -c <"$keys")" "$want" "$b: byte for byte, once, with Enter"
	: >"$keys"
	head -c 400000 /dev/zero | tr '\0' x | fold -w 71 >"$T/big"
	exit_is 8 "$b: a large one is sent" \
		afw send rec --raw -F "$T/big" --timeout 240s
	waits_for '[ "$(stat -c %s "$keys")" -ge 400000 ]' \
		"$b: a large one"
	wait_for '[ "$(tail -c 1 "$keys" | od -An -c | tr -d " ")" = "\r" ]'
	is "$(tail -c +7 "$keys" | head -c 399000 | cksum)" \
		"$(head -c 399000 "$T/big" | cksum)" "$b: of it nothing is lost"
	is "$(head -c 6 "$keys")" $'\033[200~' "$b: inside brackets"
}

# tmux with escape-time 0 loses what arrives in parts.
typed_text_is_whole()
{
	local keys=$T/$b.keys byte i from took most
	for ((i = 0; i < 500; i++)); do
		echo "line $i: é 漢字 🙂"
	done >"$T/lines"
	attach rec
	wait_for '[ -s "$T/screen" ]'
	# Again if the machine has stalled between two of them: tmux waits 500 ms.
	for i in 1 2 3 4 5; do
		: >"$keys"
		most=0
		for byte in 344 270 255 346 226 207 345 255 227; do
			from=${EPOCHREALTIME/./}
			printf "\\$byte" >&7
			nap 0.06
			took=$((${EPOCHREALTIME/./} - from))
			[ "$took" -lt "$most" ] || most=$took
		done
		printf x >&7
		wait_for '[[ $(<"$keys") == *x ]]'
		[ "$(<"$keys")" != 中文字x ] && [ "$most" -gt 150000 ] || break
	done
	is "$(<"$keys")" 中文字x "$b: characters that come byte by byte are whole"
	: >"$keys"
	printf '\033[200~%s\n\033[201~' "$(<"$T/lines")" >&7
	waits_for '[ "$(stat -c %s "$keys")" -ge $(($(stat -c %s "$T/lines") + 12)) ]' \
		"$b: a long paste"
	is "$(tail -c +7 "$keys" | head -c -6 | cksum)" "$(cksum <"$T/lines")" \
		"$b: is whole"
	printf '\034' >&7
	ended "$b: the terminal leaves" 'detached from rec'
}

queries_are_answered_once()
{
	cat >"$T/ask" <<-'END'
	#!/bin/bash
	stty raw -echo
	printf 'asked\033[c\033[5n'
	exec cat >"$1"
	END
	chmod +x "$T/ask"
	run afw new ask --backend $b -- "$T/ask" "$T/$b.answers"
	waits_for 'grep -q "0n" "$T/$b.answers"' "$b: queries are answered"
	is "$(grep -ao $'\033\[?[0-9;]*c' "$T/$b.answers" | wc -l)" 1 \
		"$b: once"
	run afw stop ask
}

it_is_attached()
{
	local keys=$T/$b.att
	run afw new att --backend $b -- bash -c '
		trap "stty size" WINCH
		printf "\033[1;31mRED\033[0m up\n"
		while :; do read -r x && echo "got <$x>"; done'
	wait_for 'afw capture att | grep -q up'
	size=100x30 attach att
	waits_for 'grep -q RED "$T/screen"' "$b: attach shows it"
	printf 'typed\r' >&7
	waits_for 'afw capture att | grep -q "got <typed>"' "$b: keys arrive"
	waits_for '[ "$(json cols <(afw capture att --json))" = 100 ]' \
		"$b: its size is the terminal's"
	waits_for 'afw capture att | grep -q "30 100"' "$b: it was told"
	printf '\034' >&7
	ended "$b: Ctrl-\\ detaches" 'detached from att'
	is "$(of phase att)" running "$b: it goes on"
	attach att -k C-a
	wait_for 'grep -q RED "$T/screen"'
	printf '\001' >&7
	ended "$b: -k C-a" 'detached from att'
	attach att --read-only
	wait_for 'grep -q RED "$T/screen"'
	printf 'not me\r' >&7
	printf '\034' >&7
	ended "$b: read-only" 'detached from att'
	unlike "$(afw capture att)" 'not me' "$b: lets no keys through"
	attach att
	wait_for 'grep -q RED "$T/screen"'
	exit_is 0 "$b: stop while attached" afw stop att --timeout 500ms
	ended "$b: the client is told" 'att: .*stopped'
}

it_ends()
{
	run afw new bye --backend $b -- sh -c \
		'echo reads now; read x; seq 20000; echo last words; exit 3'
	attach bye
	wait_for 'grep -q "reads now" "$T/screen"'
	run afw send bye go
	ended "$b: attached at its end" 'bye: .*exited with code 3'
	waits_for '[ "$(of phase bye)" = error ]' "$b: a bad exit is an error"
	is "$(of exit_code bye)" 3 "$b: exit code"
	like "$(afw status bye)" 'exited with code 3' "$b: in words"
	is "$(afw logs bye | tr -d '\r' | grep -c '^[0-9]*$')" 20000 \
		"$b: of its last output nothing is lost"
	like "$(afw capture bye)" 'last words' "$b: capture has the last screen"
	run afw new well --backend $b -- true
	waits_for '[ "$(of phase well)" = stopped ]' "$b: a good one is not"
	exit_is 0 "$b: start" afw start bye
	waits_for '[ "$(of phase bye)" = running ]' "$b: it runs again"
	kill -KILL "$(of pid bye)"
	waits_for '[ "$(of signal bye)" = 9 ]' "$b: kill -9 of the harness"
	like "$(of error_reason bye)" 'signal 9' "$b: in words"
}

nothing_is_left()
{
	run afw new tree --backend $b -- bash -c '
		trap "" HUP TERM
		setsid sh -c "trap \"\" HUP TERM; sleep 1001.'$$'" &
		(sh -c "exec sleep 1002.'$$'" &) ; echo up; while :; do sleep 1003.'$$'; done'
	wait_for 'afw capture tree | grep -q up'
	waits_for '[ "$(pgrep -c -f "sleep 100[123]\.$$")" -ge 3 ]' "$b: a tree"
	exit_is 0 "$b: stop" afw stop tree --timeout 300ms
	is "$(pgrep -c -f "sleep 100[123]\.$$")" 0 "$b: all of it is gone"
	run afw stop where rec bye
	is "$(of phase where)" stopped "$b: stopped"
	# A supervisor stays 3 s after an agent that ended by itself.
	waits_for '! pgrep -f "$T/(run|data)/afw"' "$b: no process is left"
	is "$(ls "$RUN")" '' "$b: no socket is left"
}

supervisor_is_killed()
{
	run afw new sup --backend $b -- bash -c '
		trap "" HUP
		setsid sleep 1004.'$$' & echo up; while :; do sleep 1005.'$$'; done'
	wait_for '[ "$(pgrep -c -f "^sleep 100[45]\.$$")" = 2 ]'
	local old=$(pgrep -f "^sleep 1004\.$$")
	kill -KILL "$(of supervisor_pid sup)"
	waits_for '[ "$(of phase sup)" = error ]' "$b: kill -9 of the supervisor"
	like "$(of error_reason sup)" '^lost: ' "$b: is lost"
	exit_is 0 "$b: start" afw start sup
	ok_cmd "$b: the old one is gone" has_ended $old
	waits_for '[ "$(pgrep -c -f "^sleep 1005\.$$")" = 1 ]' \
		"$b: only the new one runs"
	run afw stop sup --timeout 300ms
	is "$(pgrep -c -f "sleep 100[45]\.$$")" 0 "$b: and ends"
}

# What it is given beyond its terminal, as 3 and 4, and not a thing more.
descriptors_arrive()
{
	mkdir -p "$T/bin" "$T/state" "$T/run"
	cp "$BUILD/tests/tools/backend_fds" "$BUILD"/afw-{supervisor,guard} "$T/bin"
	run "$T/bin/backend_fds" $b "$T/run/fds" "$T/state" sh -c \
		'cat <&3; cat <&4; for n in 3 4 5 6 7 8 9 10 11 12; do
			[ ! -e /proc/$$/fd/$n ] || printf "$n "; done'
	is "$(tr -d '\r' <<<"$out")" $'one\ntwo\n3 4 ' \
		"$b: inherited pipes are read"
}

for b in pty tmux; do
	if [ $b = tmux ] && ! command -v tmux >/dev/null; then
		skip 1 'no tmux here'
		continue
	fi
	it_starts
	secrets_stay
	descriptors_arrive
	it_fails_to_start
	messages_arrive
	typed_text_is_whole
	queries_are_answered_once
	it_is_attached
	it_ends
	nothing_is_left
	supervisor_is_killed
	exit_is 0 "$b: rm" afw rm -D where rec ask att bye well tree sup
done
done_testing
