#!/bin/bash
# Ctrl-C and TERM at any moment of new: everything is rolled back. Also the
# files that the configuration copies into a worktree, and a setup that fails.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
git init -q "$T/repo"
cd "$T/repo" || exit 2
for d in {1..50}; do
	mkdir "d$d"
	for f in {1..50}; do echo "file $d $f" >"d$d/f$f"; done
done
git add -A && git commit -q -m first
ini=$XDG_CONFIG_HOME/afw/afw.ini
mkdir -p "${ini%/*}"
snapshot()
{
	git worktree list
	git for-each-ref
	git status --porcelain
	ls -A ../.af_worktrees .git/worktrees "$DATA/sessions" "$RUN" 2>/dev/null |
		grep -v '^\.trash'
}
exit_is 0 'a session that works' afw new first -- cat
exit_is 0 'stop' afw stop first
exit_is 0 'rm' afw rm first
waits_for '[ ! -e ../.af_worktrees ]' 'removed directories do not exist'
before=$(snapshot)

# is_client PID: its child is afw; sets client. Without starting a program, which
# on a busy machine would take longer than new.
is_client()
{
	local name=''
	client=''
	{ read -r client _ <"/proc/$1/task/$1/children"
		read -r name <"/proc/$client/comm"; } 2>/dev/null
	[ "$name" = afw ]
}

# Ctrl-C on a terminal goes to all of the foreground. Early or late: within
# 150 ms; until one was early enough.
bad=0 done=0 cut=0
for ((i = 1; i <= 10 || (cut == 0 && i <= 60); i++)); do
	"$BUILD/tests/tools/onpty" afw new "cut$i" -- cat </dev/null \
		>"$T/screen" 2>&1 &
	pid=$!
	end=$((${EPOCHREALTIME/./} + (i % 11) * (i % 11) * 1500))
	until is_client "$pid" || ! kill -0 "$pid" 2>/dev/null; do :; done
	while [ "${EPOCHREALTIME/./}" -lt "$end" ]; do :; done
	case $((i % 3)) in
	0) kill -INT -- "-$client" 2>/dev/null ;;
	1) kill -TERM "$client" 2>/dev/null ;;
	2) kill -QUIT -- "-$client" 2>/dev/null ;; # Ctrl-\
	esac
	code=0
	wait "$pid" || code=$?
	# The signal may come when all is done but its last words.
	if [ "$code" = 0 ] || afw status "cut$i" --json 2>"$T/e" |
		grep -q '"phase": *"running"'; then
		done=$((done + 1))
		afw rm --stop "cut$i" >/dev/null 2>"$T/e" || { bad=1; diag "$(cat "$T/e")"; }
		# Its files are deleted in the background.
		wait_for '[ "$(snapshot)" = "$before" ]'
	else
		cut=$((cut + 1))
		[ "$code" = 1 ] || [ "$code" = 130 ] || [ "$code" = 143 ] ||
			[ "$code" = 131 ] || { bad=1; diag "round $i: code $code: $(tail -n 2 "$T/screen")"; }
	fi
	now=$(snapshot)
	[ "$now" = "$before" ] ||
		{ bad=1; diag "round $i, code $code: $(diff <(echo "$before") <(echo "$now"))"; before=$now; }
done
is "$bad" 0 "interrupted ($cut) or done ($done): nothing is left"
[ "$cut" -gt 0 ]
ok $? 'some were interrupted'

# What the configuration brings, in a small one.
make_repo "$T/s/repo"
cd "$T/s/repo" || exit 2
mkdir -p node_modules/x
echo module >node_modules/x/index.js
echo SECRET=1 >.env
printf 'node_modules\n.env\nbuilt\n' >.git/info/exclude
# Ctrl-C while a step is certainly running.
cat >"$ini" <<END
setup = sh -c 'echo >$T/there; sleep 100'
END
"$BUILD/tests/tools/onpty" afw new cut -- cat </dev/null >"$T/screen" 2>&1 &
pid=$!
wait_for '[ -e "$T/there" ]'
kill -INT -- "-$(pgrep -P "$pid" afw)"
ends_with 130 "$pid" 'Ctrl-C ends new with 130' || diag "$(cat "$T/screen")"
like "$(<"$T/screen")" "afw: new 'cut': .*[Ii]nterrupt" 'and it is reported'
is "$(afw ls --json)$(git branch --list 'af/*')" '[]' 'and nothing is left'

cat >"$ini" <<'END'
copy = .env
link = node_modules
setup = sh -c 'echo setting up; cat .env node_modules/x/index.js >built'
END
exit_is 0 'copy, link and setup' afw new brought -- cat
like "$err" 'setting up' "the set-up's output is seen"
tree=$T/s/.af_worktrees/repo-brought
is "$(<"$tree/built")" $'SECRET=1\nmodule' 'it ran after they were there'
[ -L "$tree/node_modules" ] && [ -f "$tree/.env" ] && [ ! -L "$tree/.env" ]
ok $? 'one is a copy, the other a link'
afw stop brought >/dev/null
exit_is 0 'rm' afw rm brought
[ -f node_modules/x/index.js ] && [ -f .env ]
ok $? 'does not follow them'

before=$(snapshot)
cat >"$T/setup" <<END
#!/bin/sh
setsid sh -c 'trap "" TERM HUP; echo \$\$ >$T/pid; exec sleep 1000' &
until [ -s $T/pid ]; do :; done
echo no luck >&2
exit 7
END
chmod +x "$T/setup"
echo "setup = $T/setup" >"$ini"
run afw new fails -- cat
is "$code" 1 'a set-up that fails'
like "$err" 'no luck' 'its errors are seen'
like "$err" 'afw: .*exit code 7' 'its exit code is reported'
ok_cmd 'its processes have ended, in other sessions, too' \
	has_ended "$(cat "$T/pid")"
is "$(snapshot)" "$before" 'nothing is left'

echo "setup = sh -c 'echo here >&2; sleep 1000 & sleep 1000'" >"$ini"
for signal in INT TERM; do
	: >"$T/screen"
	"$BUILD/tests/tools/onpty" afw new setting -- cat </dev/null >"$T/screen" 2>&1 &
	pid=$!
	waits_for 'grep -q here "$T/screen"' 'a set-up is under way'
	client=$(pgrep -P "$pid" afw)
	if [ "$signal" = INT ]; then kill -INT -- "-$client"; else kill -TERM "$client"; fi
	waits_for '! kill -0 $pid 2>/dev/null' "$signal ends it"
	code=0
	wait "$pid" || code=$?
	isnt "$code" 0 'which is no success'
	is "$(snapshot)" "$before" 'nothing is left'
	like "$(<"$T/screen")" $'setting: setup sh\033' \
		'a terminal shows what takes that long'
	like "$(<"$T/screen")" "afw: new 'setting': stopped by a signal" \
		'and says so'
done
# Killed, afw itself can take nothing back. The session is busy until
# afw-worktree has rolled back the worktree; then rm does the rest.
setup='mkfifo ../go; echo here >&2; read -r x <../go; rm ../go'
echo "setup = sh -c '$setup'" >"$ini"
rm "$T/screen" # the last one's says "here" until this one's shell opens it
afw new killed -- cat </dev/null 2>"$T/screen" >&2 &
pid=$!
waits_for 'grep -q here "$T/screen"' 'a set-up is under way'
kill -STOP "$pid"
echo >"$T/s/.af_worktrees/go"
worktree=$(pgrep -P "$pid")
waits_for '! pgrep -P "$worktree"' 'the worktree is made, and not recorded yet'
kill -STOP "$worktree"
{ kill -KILL "$pid"; wait "$pid"; } 2>/dev/null
refused 4 'at work|still|not be reached yet' 'afw is killed then: rm has to wait' afw rm killed
refused 4 'at work|still|is starting' 'and start' afw start killed
kill -CONT "$worktree"
waits_for 'afw rm killed' 'but not for long'
is "$(snapshot)" "$before" 'nothing is left'
left=$(for p in $(pgrep -f 'sleep 1000'); do grep -lszxF "AF_TEST_ID=$T" "/proc/$p/environ"; done)
is "$left" '' 'no process of the set-up is left'
done_testing
