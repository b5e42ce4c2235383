#!/bin/bash
# A secret that a session is given, by each of the ways, is in the environment
# of its agent and nowhere else: in no file, argument, log or history, in no
# other process, not in tmux, and not in the programs that afw runs beside the
# agent.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir "$T/helped" "$XDG_CONFIG_HOME/afw"
# The secrets are made here and are in no other file of the test.
secret() { printf 'cAnAry-%s-%s' "$1" "$RANDOM$RANDOM$RANDOM"; }
GIVEN=$(secret given) HERE=$(secret here) FILED=$(secret filed)
PASSED=$(secret passed) LATER=$(secret later)
declare -a ALL=("$GIVEN" "$HERE" "$FILED" "$PASSED" "$LATER")

# The agent shows by a digest that it has them.
cat >"$T/agent" <<'END'
#!/bin/sh
printf %s "$S_GIVEN$S_HERE$S_FILED$P_PASSED$S_LATER" | sha256sum >digest.new
mv digest.new digest
printf '\033]7501;state=blocked\007an agent\n'
exec cat
END
# What afw runs beside it: all that it can see, and all arguments there are.
cat >"$T/helper" <<'END'
#!/bin/sh
exec >"$0.$1.new"
env -u P_PASSED env # what is passed is of the user's environment
cat
cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n'
mv "$0.$1.new" "${0%/*}/helped/$1"
END
chmod +x "$T/agent" "$T/helper"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
env_pass = P_*
setup = "$T/helper" setup
[notify]
on = waiting_for_input
command = "$T/helper" notify
END

# digest VALUE...: what the agent has to tell.
digest() { printf %s "$@" | sha256sum; }
has_told() { [ "$(cat "$T/.af_worktrees/repo-one/digest")" = "$1" ]; }

# canaries_in WHERE COMMAND...: none is in what that prints.
canaries_in()
{
	local where=$1 value found=''
	shift
	"$@" >"$T/.looked" 2>&1 </dev/null
	for value in "${ALL[@]}"; do
		! grep -qaF "$value" "$T/.looked" || found+=" ${value%-*}"
	done
	rm "$T/.looked"
	is "$found" '' "$now: not in $where"
}

# files: all below T that have one.
files()
{
	local value
	for value in "${ALL[@]}"; do
		grep -rlaF "$value" "$T"
	done
}

# environments AGENT: of all processes of this test but that one.
environments()
{
	local pid
	for pid in $(own_pids); do
		[ "$pid" = "$1" ] || cat "/proc/$pid/environ"
	done
}

arguments()
{
	local pid
	for pid in $(own_pids); do cat "/proc/$pid/cmdline"; done
}

# look AGENT: everywhere.
look()
{
	local dir
	dir=$(session_dir one)
	if [ "$1" != none ]; then
		exit_is 0 "$now: a shell" env S_GIVEN="$GIVEN" S_HERE="$HERE" \
			S_FILED="$FILED" S_LATER="${2-}" afw exec -n look -f one \
			-- env
		like "$out" 'AF_SESSION=one' "$now: sees its environment"
	fi
	is "$(files)" '' "$now: not in any file"
	canaries_in 'arguments' arguments
	canaries_in 'the environment of others' environments "$1"
	if [ -S "$RUN/${dir##*/}.tmux" ]; then
		canaries_in "tmux's environment" tmux -S "$RUN/${dir##*/}.tmux" \
			show-environment -g \; show-environment \; \
			list-panes -a -F '#{pane_start_command} #{E:default-command}'
	fi
	canaries_in 'what afw says' eval 'afw status one --json
		afw status one --explain; afw ls --json; afw config
		afw events one --json; afw logs one; afw capture one
		afw doctor; afw reconcile'
	canaries_in 'what exec runs' env S_GIVEN="$GIVEN" S_HERE="$HERE" \
		S_FILED="$FILED" S_LATER="$LATER" afw exec one -- env
}

# round TIER BACKEND
round()
{
	now="$1, $2"
	exit_is 0 "$now: another" afw new other --backend "$2" --sandbox "$1" -- cat
	exit_is 0 "$now: new" env S_HERE="$HERE" P_PASSED="$PASSED" \
		afw new one --backend "$2" --sandbox "$1" -e "S_GIVEN=$GIVEN" \
		-e S_HERE --env-file <(echo "S_FILED=$FILED") -- "$T/agent"
	waits_for "has_told '$(digest "$GIVEN" "$HERE" "$FILED" "$PASSED")'" \
		"$now: the agent has them"
	pid=$(state_of one pid)
	waits_for '[ -e "$T/helped/notify" ]' "$now: notify was run"
	ok_cmd "$now: so was setup" test -s "$T/helped/setup"
	like "$(tr '\0' '\n' <"/proc/$pid/environ")" "$GIVEN" \
		"$now: who looks finds them there"
	look "$pid"
	rm "$T/helped/notify"
	exit_is 0 "$now: restart, with one more" env S_HERE="$HERE" \
		S_FILED="$FILED" P_PASSED="$PASSED" S_LATER="$LATER" afw restart \
		one -e "S_GIVEN=$GIVEN" -e S_HERE -e S_FILED -e S_LATER
	waits_for "has_told '$(digest "${GIVEN}" "$HERE" "$FILED" "$PASSED" \
		"$LATER")'" "$now: the agent has them"
	# Not beside look(), whose grep has them as arguments.
	waits_for '[ -e "$T/helped/notify" ]' "$now: notify was run again"
	look "$(state_of one pid)" "$LATER"
	exit_is 0 "$now: stop" afw stop one
	look none
	exit_is 0 "$now: rm" afw rm --stop --trash one other
	is "$(files)" '' "$now: not in any file of the trash"
	afw trash purge --yes >"$T/null"
	rm -f "$T/helped"/*
}

# In podman there is no agent but an image's.
tiers=$(afw doctor --json | grep -oE '"check":"sandbox [a-z]+","result":"ok"' |
	cut -d' ' -f2 | cut -d'"' -f1 | grep -v podman)
like "$tiers" 'none' 'tiers that this machine has'
backends=pty
! command -v tmux >/dev/null || backends='pty tmux'
for tier in $tiers; do
	for backend in $backends; do round "$tier" "$backend"; done
done

# A mistake is reported by its line, and never by its text.
for line in "$GIVEN" "S_FILED $FILED" "1S=$GIVEN" "=$HERE" \
	"-----BEGIN $GIVEN KEY-----"; do
	printf '# a comment\nA=1\n%s\n' "$line" >"$T/given"
	refused 2 'given:3: ' 'a broken line' afw new two --env-file "$T/given" \
		-- cat
	rm "$T/given"
	unlike "$err" 'cAnAry' 'its text is not printed'
done
refused 2 'env:1: this is neither NAME=VALUE' 'a value without its name' afw new two -e "$GIVEN" -- cat
unlike "$err" 'cAnAry' 'is not printed'
done_testing
