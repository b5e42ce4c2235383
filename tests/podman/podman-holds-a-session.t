#!/bin/bash
# Sandbox podman: a session's life in a container, and its ends.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
. "$ROOT/tests/cli/turn.sh"
podman_begins
printf '[containers]\numask="0027"\n' \
	>>"$XDG_CONFIG_HOME/containers/containers.conf"
make_repo "$T/repo" README
cd "$T/repo" || exit 2
mkdir -p .af
cat >"$T/secrets" <<<'FROM_FILE=canary-from-file'
export CALLERS=canary-of-caller
echo 'of the tracker' >"$T/private"
podman_config $'bridge = yes\nissues_list_command = cat '"$T/private"
mkdir -p "$DATA/templates/role/home/bin"
printf '#!/bin/sh\necho of the template >"$HOME/bin/made" && cat "$HOME/bin/made"\n' \
	>"$DATA/templates/role/home/bin/say"
chmod +x "$DATA/templates/role/home/bin/say"
exit_is 0 'a session' afw new x -t role -e GIVEN=canary-given -e CALLERS \
	--env-file "$T/secrets" -- bash
like "$err" 'memory and processors are not limited|^$' 'the missing part is reported'
dir=$(session_dir x)
waits_for 'afw capture x | grep -q "\\$"' 'its shell is there'
is "$(podman inspect --format '{{.Config.Umask}}' "$(container x)")" 0027 \
	'podman had the configuration of here'
inside() { LC_ALL=C afw exec x -- bash -c "$1" 2>&1; }
is "$(inside 'echo "$PWD $HOME"; ls /workspace /home/agent')" \
	$'/workspace /home/agent\n/home/agent:\nbin\ndoor\n\n/workspace:\nREADME' \
	'its places'
is "$(inside '~/bin/say')" 'of the template' "with its template's home"
is "$(inside 'echo "$AFW_WORKSPACE $AFW_BRANCH ${AFW_REPOSITORY-not here}"')" \
	'x af/x not here' 'which of afw it is'
is "$(inside 'id -u')" "$(id -u)" 'it is the same user'
like "$(inside 'cat /proc/self/status')" 'CapEff:.0000000000000000' \
	'without capabilities'
like "$(inside 'cat /proc/self/status')" 'NoNewPrivs:.1' 'that gains none'
like "$(inside 'touch /usr/x')" 'Read-only' 'and cannot write to its image'
exit_is 8 'send' afw send x 'env >inside; echo sent'
waits_for '[ -s "$T/.af_worktrees/repo-x/inside" ]' 'a message reaches it'
(umask 077; echo 'a note' >"$T/note @1")
exit_is 8 'a file' afw send x --attach "$T/note @1" -m ': attached'
is "$(inside 'cat ~/attached/note__1')" 'a note' 'reaches it'
waits_for 'afw logs x | grep -q "^.*/home/agent/attached/note__1"' 'by its path there'
for name in GIVEN=canary-given CALLERS=canary-of-caller \
	FROM_FILE=canary-from-file "AF_SESSION=x"; do
	like "$(<"$T/.af_worktrees/repo-x/inside")" "$name" "it has $name"
done
rm "$T/.af_worktrees/repo-x/inside"
is "$(inside env | grep -c canary)" 0 'processes beside it have no secret'
is "$(podman inspect "$(container x)" | grep -c canary)" 0 \
	'podman got no limit'
is "$(grep -rl canary "$XDG_DATA_HOME" "$XDG_RUNTIME_DIR" 2>/dev/null |
	grep -v "$dir/transcript")" '' 'no file has one'
is "$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' |
	grep -c '[c]anary-')" 0 'no command line has one'

# As the agents that afw knows start it (adapters/launch.c).
ask='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"af_issues","arguments":{"action":"list"}}}'
like "$(inside "echo '$ask' |"'
	AF_DOOR=$HOME/door /run/afw/ld.so --library-path /run/afw/lib \
		/run/afw/afw-supervisor mcp')" '"of the tracker' \
	'tools bring it what it has not itself'

is "$(inside 'echo new >new; git add new; git commit -qm inside; git status -s')" \
	'' 'a commit'
exit_is 0 'diff' afw diff x
is "$(git log -1 --format=%s af/x)" inside 'is imported'
exit_is 3 'its exit code' afw exec x -- bash -c 'exit 3'
exit_is 127 'no such program' afw exec x -- no-such-program
onpty=$BUILD/tests/tools/onpty long="sleep 9$$.5"
exit_is 3 'on a terminal, too' "$onpty" afw exec x -- bash -c \
	"trap '' HUP TERM; $long & $long <&- & exit 3"
is "$(pgrep -cf "^$long")" 0 'its other processes are ended'
refused 7 "exec 'x': sleep was not done after 5" 'a timeout names the command' \
	afw exec -t 5s x -- sleep 60
exit_is 7 'a timeout' "$onpty" afw exec -t 1500ms x -- bash -c \
	"trap '' HUP TERM; $long & $long"
is "$(pgrep -cf "^$long")" 0 'ends it in its container'
exit_is 0 'stop' afw stop x
is "$(state_of x phase)" stopped 'is stopped'
is "$(podman ps -aq)" '' 'no container is left'
refused 6 'its container only exists while it is running' 'exec then' afw exec x -- id
exit_is 0 'start' afw start x
waits_for 'afw capture x | grep -q "\\$"' 'it comes back'
podman_config $'[harness.generic]\nresume = bash'
exit_is 0 'restart' afw restart x
exit_is 0 'suspend' afw suspend x
exit_is 0 'a message meanwhile' afw send x --when-idle -- 'echo later >later'
like "$out" 'started again' 'waits'
exit_is 0 'resume' afw resume x
waits_for '[ -e "$T/.af_worktrees/repo-x/later" ]' 'goes in when it is there'
rm -f "$T/.af_worktrees/repo-x/later"
podman_config ''
exit_is 0 'rm' afw rm -s x
is "$(podman ps -aq)" '' 'no container is left'

exit_is 0 'one whose turns commit' afw new turns -- bash -c "$turn_agent"
waits_for 'afw wait turns --for idle -t 10s' 'it has nothing to do yet'
turns_are_home turns 8
touch "$T/.af_worktrees/repo-turns/go"
run afw send turns --wait -- 'one more'
isnt "$(git rev-parse af/turns)" "$(git rev-parse main)" 'one more turn commits'
exit_is 0 'undo' afw undo turns -y --no-tell
is "$(git rev-parse af/turns)" "$(git rev-parse main)" 'its commit is off the branch'
exit_is 0 'redo' afw undo turns -y --no-tell --redo
is "$(git log -1 --format=%s af/turns)" 'one more' 'and on it again'
exit_is 0 'rm' afw rm -s turns

exit_is 0 'a service that ends' afw new ends -- bash -c 'exit 7'
waits_for '[ "$(state_of ends phase)" = error ]' 'has ended'
is "$(state_of ends exit_code)" 7 'with its own exit code'
exit_is 0 'rm' afw rm ends
exit_is 0 'a program that is not there' afw new none -- no-such-program
waits_for '[ "$(state_of none phase)" = error ]' 'ends'
like "$(state_of none error_reason)" 'not in the image' 'which is reported'
exit_is 0 'rm' afw rm none

exit_is 0 'one that is killed' afw new killed -- sleep 600
waits_for '[ -n "$(podman ps -q)" ]' 'runs'
podman kill "$(container killed)" >/dev/null
waits_for '[ "$(state_of killed phase)" = error ]' 'is an error'
is "$(state_of killed exit_code)" 137 'with its code'
is "$(podman ps -aq)" '' 'no container is left'
exit_is 0 'rm' afw rm killed

podman_config 'image = localhost/not-there'
refused 1 'there is no image localhost/not-there' 'an image that is not there' \
	afw new x -- bash
podman_config "sandbox_seccomp = $T/nowhere"
refused 1 "sandbox_seccomp: read $T/nowhere: No such file" 'no such seccomp profile' \
	afw new x -- bash
podman_config 'sandbox_seccomp = nowhere'
refused 1 'sandbox_seccomp.*path begins with' 'and not without a path' afw new x -- bash
echo '{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"action":
	"SCMP_ACT_ERRNO", "names": ["mkdir", "mkdirat"]}]}' >"$T/profile"
podman_config "sandbox_seccomp = $T/profile"
exit_is 0 "a seccomp profile of the user's" afw new profile -- sleep 600
like "$(afw exec profile -- mkdir refused 2>&1)" 'not permitted' 'refuses what it says'
exit_is 0 'and allows the rest' afw exec profile -- touch allowed
exit_is 1 "but not what afw refuses" afw exec profile -- breakout keyring
exit_is 0 'rm' afw rm -s profile
podman_config 'network = own'
[ -w /dev/net/tun ] ||
	refused 1 'needs /dev/net/tun' 'a network of its own' afw new x -- bash
podman_config 'network = host'
exit_is 0 'subdir' afw new sub -o 'setup=mkdir sub' -o subdir=sub \
	-- sh -c 'pwd >started; exec sleep 600'
is "$(afw exec sub -- sh -c 'cat started; pwd' 2>&1)" \
	$'/workspace/sub\n/workspace/sub' 'is where it starts'
exit_is 0 'rm' afw rm -s sub
podman_config 'sandbox_memory = 0'
refused 1 'sandbox_memory' 'no memory' afw new x -- bash
podman_config 'sandbox_memory = 2000T'
refused 1 'sandbox_memory' 'too much of it' afw new x -- bash
podman_config ''
refused 1 'podman is not in PATH' 'no podman' \
	env PATH="$BUILD:/nowhere" "$BUILD/afw" new x -- bash

exit_is 0 "podman's storage is reset" afw new reset -- sleep 600
# It may fail: the session removes its container at the same time.
run podman system reset --force
waits_for '[ "$(state_of reset phase)" = error ]' 'which ends the session'
refused 1 'there is no image' 'start then says what is gone' afw start reset
exit_is 0 'its worktree is there to remove' afw rm reset
done_testing
