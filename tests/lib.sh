# lib.sh - what afw's test scripts share. bash; a script starts like this:
#
#	#!/bin/bash
#	. "$(dirname "$0")/../lib.sh"
#	afw_env
#	make_repo "$T/repo"
#	cd "$T/repo"
#	exit_is 0 'new starts a session' afw new one -- sh -c 'echo hi; cat'
#	like "$out" 'one' 'new prints the name'
#	waits_for 'afw ls | grep -q hi' 'ls shows its output'
#	done_testing
#
# A script calls done_testing at its end; without it the script has failed. At
# exit every process that the script started is stopped; a process that does not
# end fails the test.
#
# Variables: T is the test's own directory (a short path, for sockets), ROOT the
# source, BUILD the programs. run, exit_is and refused set out, err and code.
# AFW_SLOW multiplies the seconds of within.
#
# The name of a result is a plain sentence that is true if the test passes. A name
# that begins with "and", "with", "it" and the like continues the one before.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-$ROOT/build}
AFW_SLOW=${AFW_SLOW:-$([ -z "${SANITIZE-}" ] && echo 1 || echo 3)}
AFW_TEST_PID=$$
DEADLINE=${AFW_DEADLINE:-$((30 * AFW_SLOW))}
T=''
out='' err='' code=0
_n=0 _failed=0 _done='' _nap='' _begun='' _subject='' _trying='' _gave_up='' _absent=''
export LC_ALL=C.UTF-8
# 0002 is what most distributions give an ordinary user.
umask "${AFW_TEST_UMASK:-0002}"

# --- results ---------------------------------------------------------------

done_testing()
{
	_done=1
}

# skip_all REASON: this script, or what is left of it, cannot run here.
skip_all()
{
	# A plan of no tests after a test is a failure to prove.
	if [ "$_n" -gt 0 ]; then
		skip 1 "$*"
		done_testing
		exit 0
	fi
	echo "1..0 # SKIP $*"
	trap - EXIT
	_remove
	exit 0
}

# without_sanitizers WHY: skips the script in a run with the sanitizers, which
# check afw alone: a script that mostly runs an agent is not worth its minutes.
without_sanitizers()
{
	[ -z "${SANITIZE-}" ] || skip_all "not with the sanitizers: $1"
}

diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

pass()
{
	_n=$((_n + 1))
	_about "$*"
	printf 'ok %d - %s\n' "$_n" "$*"
}

# fail NAME: returns 1, so that a caller can write `fail ... || return`. A
# failure is often read without the lines before it, so it names its script, and
# the result whose name it continues ("and says why").
fail()
{
	_n=$((_n + 1)) _failed=$((_failed + 1))
	_about "$*"
	local script=${0##*/}
	printf 'not ok %d - %s: %s\n' "$_n" "${script%.t}" \
		"${_subject:+$_subject: }$*"
	diag "at $(_place)"
	return 1
}

# _place: prints the line of the script, or of its own library, that called.
_place()
{
	local i=0
	while [[ ${BASH_SOURCE[i]-} == */lib.sh ]]; do i=$((i + 1)); done
	echo "${BASH_SOURCE[i]-}:${BASH_LINENO[i - 1]}"
}

# _about NAME: sets _subject to the name that NAME continues, or to nothing.
_about()
{
	_subject=''
	case $1 in
	and\ * | but\ * | with\ * | nor\ * | or\ * | too* | it\ * | its\ * | \
		they\ * | there\ * | that\ * | then\ * | this\ *)
		_subject=$_begun
		;;
	*) _begun=$1 ;;
	esac
}

# skip COUNT REASON: reports COUNT results as skipped.
skip()
{
	local i
	for ((i = 0; i < $1; i++)); do
		_n=$((_n + 1))
		printf 'ok %d # SKIP %s\n' "$_n" "$2"
	done
}

# ok STATUS NAME, as in: cmd; ok $? 'cmd works'
ok()
{
	if [ "$1" -eq 0 ]; then
		pass "$2"
	else
		fail "$2"
	fi
}

# ok_cmd NAME CMD...; nok_cmd NAME CMD...: its exit code is (not) 0.
ok_cmd()
{
	local name=$1
	shift
	if "$@"; then pass "$name"; else fail "$name"; fi
}

nok_cmd()
{
	local name=$1
	shift
	if "$@"; then fail "$name"; else pass "$name"; fi
}

# is GOT WANTED NAME
is()
{
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		fail "$3"
		diag "got:    $1"
		diag "wanted: $2"
		return 1
	fi
}

isnt()
{
	if [ "$1" != "$2" ]; then
		pass "$3"
	else
		fail "$3"
		diag "got: $1"
		return 1
	fi
}

# like TEXT REGEX NAME (bash's =~, extended regular expressions)
like()
{
	if [[ $1 =~ $2 ]]; then
		pass "$3"
	else
		fail "$3"
		diag "got:        $1"
		diag "not like:   $2"
		return 1
	fi
}

unlike()
{
	if [[ $1 =~ $2 ]]; then
		fail "$3"
		diag "got:        $1"
		diag "but unlike: $2"
		return 1
	else
		pass "$3"
	fi
}

# --- running ---------------------------------------------------------------

# run CMD...: sets out, err and code to the results. Standard input is empty.
run()
{
	code=0
	"$@" >"$T/.out" 2>"$T/.err" </dev/null || code=$?
	# bash warns about NULs, which it leaves out.
	{ out=$(<"$T/.out") err=$(<"$T/.err"); } 2>/dev/null
}

# ends_with CODE PID NAME: waits for a process that was started with &, and
# checks its exit code.
ends_with()
{
	code=0
	wait "$2" || code=$?
	if [ "$code" = "$1" ]; then
		pass "$3"
	else
		fail "$3"
		diag "exit code $code, wanted $1"
		return 1
	fi
}

# exit_is CODE NAME CMD...: runs CMD; a failure shows both outputs.
exit_is()
{
	local want=$1 name=$2
	shift 2
	run "$@"
	if [ "$code" -eq "$want" ]; then
		pass "$name"
	else
		fail "$name"
		diag "exit code $code, wanted $want: $*"
		diag "stdout: ${out:0:2000}"
		diag "stderr: ${err:0:2000}"
		return 1
	fi
}

# refused CODE REGEX NAME CMD...: exits with CODE, one line on stderr that
# starts with "afw: " and is like REGEX (hints may follow), nothing on stdout.
refused()
{
	local want=$1 re=$2 name=$3
	shift 3
	run "$@"
	if [ "$code" -eq "$want" ] && [[ ${err%%$'\n'*} =~ ^afw:\  ]] &&
		[[ $err =~ $re ]] && [ -z "$out" ]; then
		pass "$name"
	else
		fail "$name"
		diag "exit code $code, wanted $want: $*"
		diag "stdout: ${out:0:2000}"
		diag "stderr: ${err:0:2000}"
		diag "not 'afw: ...' like: $re"
		return 1
	fi
}

# nap [SECONDS]: 30 ms, without starting a process.
nap()
{
	if [ -z "$_nap" ]; then
		local fifo=${T:-/tmp}/.nap.$$
		rm -f "$fifo"
		mkfifo -m 600 "$fifo" && exec {_nap}<>"$fifo"
		rm -f "$fifo"
	fi
	read -r -t "${1-0.03}" -u "$_nap" || :
}

now_ms()
{
	echo $((${EPOCHREALTIME/./} / 1000))
}

# wait_for 'shell command' ['another']: waits until it succeeds. If it never does,
# the script has failed and ends, since what depends on it would fail far from the
# cause; the output of the other command and tmux's screen say why. The deadline is
# AFW_DEADLINE seconds (30; 240 in a run of all tests, beside others).
wait_for()
{
	_wait "$1" 'waited in vain' "${2-}"
}

# waits_for 'command' NAME ['another']: the same, as a result with a name.
waits_for()
{
	_wait "$1" "$2" "${3-}"
	pass "$2"
}

_wait()
{
	AFW_SLOW=1 within "$DEADLINE" "$1" && return
	fail "$2"
	diag "never succeeded: $1"
	[ -z "${3-}" ] || diag "$(eval "$3" 2>&1)"
	[ ! -S "$T/tmux/own" ] || diag "$(tmux_screen)"
	_done=1 _gave_up=1
	exit 1
}

# sampled: succeeds for every third call: `make check` tries a third of many
# similar cases, another third with each AF_TEST_SEED; check-all tries all.
_case=0
sampled()
{
	_case=$((_case + 1))
	[ "${AF_TEST_EVERY-}" = 1 ] ||
		[ $(((_case + ${AF_TEST_SEED:-0}) % 3)) = 0 ]
}

# within SECONDS 'shell command': waits until it succeeds; returns 1 after
# SECONDS. For a loop that tries again, or if the time itself is tested. Tries
# take processor time: later ones are less frequent, and so are slow ones, which
# may be slow because many scripts wait.
within()
{
	local _trying=1 _over='' _tries=0 _least=30000 _began _pause
	local end=$((${EPOCHREALTIME/./} + $1 * 1000000 * AFW_SLOW))
	while _began=${EPOCHREALTIME/./} && ! eval "$2" >/dev/null 2>&1; do
		[ -z "$_over" ] || return 1
		_pause=$(((${EPOCHREALTIME/./} - _began) * 5))
		[ $((_tries += 1)) -lt 15 ] || _least=100000
		[ $_pause -gt $_least ] || _pause=$_least
		[ $_pause -lt 500000 ] || _pause=500000
		printf -v _pause 0.%06d $_pause
		nap "$_pause"
		# Try once more after the end: the machine may have paused.
		[ "${EPOCHREALTIME/./}" -lt "$end" ] || _over=1
	done
}

# has_ended PID: there is no such process, or it is a zombie: in a container
# process 1 may reap them late, or never.
has_ended()
{
	local _stat=''
	read -r -d '' _stat 2>/dev/null <"/proc/$1/stat"
	[[ -z $_stat || ${_stat##*) } == [ZX]* ]]
}

# json PATH [FILE]: prints one value of the JSON text in $out or FILE (jq's
# .a.b[0].c is a.b.0.c): a string without quotes, others as JSON. A value that is
# absent fails the script, unless it is waited for; json_has PATH [FILE] asks, and
# _json PATH [FILE] prints nothing then.
json()
{
	_json "$@" && return
	[ -n "$_trying" ] ||
		echo "there is no $1 at $(_place)" | tee -a "$_absent" >&2
	return 1
}

# json_of NAME MEMBER: prints that member of the object in the list of $out whose
# name is NAME.
json_of()
{
	local i=0
	while json_has "$i.name" && [ "$(json "$i.name")" != "$1" ]; do
		i=$((i + 1))
	done
	json "$i.$2"
}

json_has()
{
	_json "$@" >/dev/null
}

_json()
{
	if [ $# -gt 1 ]; then
		"$BUILD/tests/tools/jsonget" "$1" <"$2"
	else
		"$BUILD/tests/tools/jsonget" "$1" <<<"$out"
	fi
}

# --- the test's environment ----------------------------------------------------------

# afw_env: makes a HOME, XDG directories, a tmux socket and a git identity for
# this test alone, and puts BUILD into PATH.
afw_env()
{
	local var
	# Without them each wait would reach its deadline. prove stops at this.
	[ -x "$BUILD/tests/tools/jsonget" ] || {
		echo "Bail out!  $BUILD/tests is missing: run \`make all-tests\`"
		exit 2
	}
	# The sandboxes treat /dev and /tmp differently; their scripts are
	# written for /tmp.
	[ -n "${AF_TEST_IN-}" ] || [ -z "${AF_TEST_FAST-}" ] ||
		grep -qE 'landlock|podman|sandbox' "$0" ||
		AF_TEST_IN=$AF_TEST_FAST
	T=$(mktemp -d "${AF_TEST_IN:-/tmp}/afw.XXXXXX") || exit 2
	trap _exit EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	for var in "${!AF_@}" "${!GIT_@}" "${!CLAUDE_@}" "${!ANTHROPIC_@}" \
		"${!CODEX_@}" "${!OPENAI_@}" "${!GEMINI_@}" "${!OPENCODE_@}"; do
		case $var in
		AF_TEST_*) ;;
		*) unset "$var" ;;
		esac
	done
	# With CI set, what Ink draws (Letta Code) has no composer.
	unset TMUX TMUX_PANE NO_COLOR COLORTERM EDITOR VISUAL PAGER CDPATH CI
	mkdir -p "$T/home" "$T/config" "$T/data" "$T/state" "$T/cache" "$T/tmux"
	(umask 077 && mkdir "$T/run")
	export HOME=$T/home TMPDIR=$T TERM=xterm-256color COLUMNS='' LINES=''
	unset COLUMNS LINES
	export XDG_CONFIG_HOME=$T/config XDG_DATA_HOME=$T/data
	export XDG_STATE_HOME=$T/state XDG_CACHE_HOME=$T/cache
	export XDG_RUNTIME_DIR=$T/run TMUX_TMPDIR=$T/tmux
	export GIT_CONFIG_GLOBAL=$T/gitconfig GIT_CONFIG_NOSYSTEM=1
	export AF_TEST_ID=$T AF_SHARE_DIR=$ROOT/share
	export PATH="$BUILD:$PATH"
	printf '[user]\n\tname = Test\n\temail = test@example.org\n%s\n' \
		$'[init]\n\tdefaultBranch = main' >"$GIT_CONFIG_GLOBAL"
	if [ -n "${SANITIZE-}" ]; then
		# No process reads a supervisor's stderr.
		ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}log_path=$T/.san"
		UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}log_path=$T/.san"
		export ASAN_OPTIONS UBSAN_OPTIONS
	fi
	# Not exported: an agent must not find the test's files by them.
	_absent=$T/.absent
	DATA=$XDG_DATA_HOME/afw RUN=$XDG_RUNTIME_DIR/afw
}

# needs_landlock: skips the script if the kernel lacks a part of Landlock.
needs_landlock()
{
	local has
	has=$("$BUILD/afw-supervisor" confine | tr '\n' ' ')
	[[ $has =~ ^([0-9]+)\ yes\ $ ]] && [ "${BASH_REMATCH[1]}" -ge 6 ] ||
		skip_all "no landlock here: version and namespaces: $has"
}

# make_repo DIR [FILE...]: makes a repository with one commit of these files
# (README by default), each with a line of text.
make_repo()
{
	local dir=$1 file
	# Without it "$T/repo" is the machine's own /repo.
	: "${T:?afw_env comes before make_repo}"
	shift
	[ $# -gt 0 ] || set -- README
	git init -q "$dir" || return
	for file; do
		[[ $file != */* ]] || mkdir -p "$dir/${file%/*}"
		echo "this is $file" >"$dir/$file"
	done
	git -C "$dir" add -A && git -C "$dir" commit -q -m first
}

# can_resume COMMAND: configures COMMAND to resume a session of `afw new NAME --
# ...` from now on.
can_resume()
{
	mkdir -p "$XDG_CONFIG_HOME/afw"
	printf '[harness.generic]\nresume = %s\n' "$1" \
		>"$XDG_CONFIG_HOME/afw/afw.ini"
}

# state_of NAME KEY: prints a value of `afw status --json`.
state_of()
{
	local out
	out=$(afw status "$1" --json) && json "$2"
}

# session_dir NAME: prints the directory of the session's files.
session_dir()
{
	local spec
	for spec in "$DATA"/sessions/*/spec.json; do
		[ -f "$spec" ] || continue
		if [ "$(json name "$spec")" = "$1" ]; then
			echo "${spec%/*}"
			return 0
		fi
	done
	return 1
}

# --- tmux, as a terminal to read from ----------------------------------------

tm()
{
	tmux -S "$T/tmux/own" -f "$T/tmux/conf" "$@"
}

# tmux_start COLS ROWS CMD...: runs CMD in a terminal of that size.
tmux_start()
{
	local cols=$1 rows=$2
	shift 2
	cat >"$T/tmux/conf" <<-'END'
	set -g status off
	set -g default-terminal tmux-256color
	set -sg escape-time 0
	set -g remain-on-exit on
	set -ga terminal-overrides ',*:RGB'
	END
	[ $# -gt 1 ] || set -- env "$@"
	# What a program prints at its end gets lost in tmux 3.3a, unless it is
	# piped (window_pane_destroy_ready() in its window.c).
	tm new-session -d -s t -x "$cols" -y "$rows" -- "$@" \; \
		pipe-pane -t =t: 'exec cat >/dev/null' &&
		tm set -g window-size manual # in the file it crashes tmux 3.3a
}

# tmux_run COLS ROWS CMD...: the same for a command that ends by itself. tmux
# 3.3a drops output that it has not read when the process ends: so this asks the
# terminal for the cursor's position, and ends after the answer.
tmux_run()
{
	local cols=$1 rows=$2
	shift 2
	tmux_start "$cols" "$rows" bash -c \
		'"$@"; rc=$?; read -rs -t 30 -d R -p $'"'\e[6n'"'; exit $rc' \
		tmux_run "$@"
}

tmux_resize()
{
	tm resize-window -t =t: -x "$1" -y "$2"
}

# tmux_keys KEY...: presses keys, by tmux's names (Enter, C-c, Up, a).
tmux_keys()
{
	tm send-keys -t =t: "$@"
}

# tmux_type TEXT: types TEXT as it is.
tmux_type()
{
	tm send-keys -t =t: -l -- "$1"
}

# tmux_paste TEXT: pastes TEXT as a terminal does: bracketed if the program has
# asked for that.
tmux_paste()
{
	printf %s "$1" | tm load-buffer -b p - &&
		tm paste-buffer -d -p -r -b p -t =t:
}

# tmux_screen: prints the screen's lines; with -e, with colours.
tmux_screen()
{
	tm capture-pane -p "$@" -t =t:
}

# tmux_dead: the program in it has ended, and tmux knows the exit code. tmux
# 3.3a sometimes misses the end of the process and leaves a zombie; another
# SIGCHLD makes it check again.
tmux_dead()
{
	local how='#{pid} #{pane_dead} #{pane_dead_status}#{pane_dead_signal}'
	how=$(tm display-message -p -t =t: "$how")
	[[ $how == *\ 1\ ?* ]] && return
	[[ $how != *\ 1\  ]] || kill -CHLD "${how%% *}"
	return 1
}

# tmux_wait_for TEXT [NAME]: waits until the screen has TEXT (not a pattern);
# tmux_wait_gone TEXT [NAME]: until it no longer has it. Like wait_for, and with a
# NAME like waits_for.
tmux_wait_for()
{
	local _text=$1
	_wait '[[ $(tmux_screen) == *"$_text"* ]]' \
		"${2+$2: }the screen never had: $1"
	[ $# -lt 2 ] || pass "$2"
}

tmux_wait_gone()
{
	local _text=$1
	_wait '[[ $(tmux_screen) != *"$_text"* ]]' \
		"${2+$2: }the screen always had: $1"
	[ $# -lt 2 ] || pass "$2"
}

tmux_stop()
{
	local _server
	[ -S "$T/tmux/own" ] || return 0
	_server=$(tm display-message -p '#{pid}' 2>/dev/null) || return 0
	tm kill-server 2>/dev/null
	# A server that is still ending would accept the next tmux_start.
	within "$DEADLINE" 'has_ended "$_server"'
	return 0
}

# --- the end ---------------------------------------------------------------

# own_pids: prints the processes that this test started and that still run.
own_pids()
{
	local file
	# -z: environ separates variables by NULs. Parts of a test have T/1 ...
	for file in $(grep -lsz "^AF_TEST_ID=$T\(/\|\$\)" \
		/proc/[0-9]*/environ); do
		file=${file#/proc/}
		echo "${file%/environ}"
	done
	# A supervisor may have cleared its environment: find it by its arguments.
	for file in $(grep -lszF "$T/" /proc/[0-9]*/cmdline); do
		file=${file#/proc/}
		[ "${file%/cmdline}" = $$ ] || echo "${file%/cmdline}"
	done
}

_alive()
{
	# No pipe here: own_pids would find its other processes.
	local pid state seen=" "
	for pid in $(own_pids); do
		[[ $seen != *" $pid "* ]] || continue
		seen+="$pid "
		state=$(grep -s '^State:' "/proc/$pid/status") || continue
		[[ $state == *\(zombie\)* ]] || echo "$pid"
	done
}

# Sets _left to the processes that it has found.
_stop_all()
{
	local pid
	tmux_stop
	_left=$(_alive)
	for pid in $_left; do
		# By its arguments: a supervisor's exe cannot be read by its user.
		case $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") in
		*/afw-supervisor\ *) kill -TERM "$pid" 2>/dev/null ;;
		# podman leaves this behind to keep an ordinary user's namespace.
		catatonit\ -P*) kill -TERM "$pid" 2>/dev/null ;;
		esac
	done
}

_remove()
{
	[ -n "$T" ] || return 0
	cd /
	rm -rf "$T" 2>/dev/null && return
	chmod -R u+rwx "$T"
	rm -rf "$T"
}

_exit()
{
	local rc=$? left='' report
	[ "$BASHPID" = "$AFW_TEST_PID" ] || exit $rc
	trap '' HUP INT TERM
	trap - EXIT
	_stop_all
	[ -z "$_gave_up" ] || [ -z "$_left" ] || kill $_left 2>/dev/null
	if [ -n "$_left" ] && ! within "$DEADLINE" '[ -z "$(_alive)" ]'; then
		left=$(_alive)
		fail "all processes of the script have ended"
		for pid in $left; do
			diag "$pid: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
			kill -KILL "$pid" 2>/dev/null
		done
	fi
	for report in "$T"/.san.*; do
		# A process killed in the middle of its search for leaks leaves
		# this line of the searcher's; it reports nothing.
		grep -qv 'Unable to get registers from thread' \
			"$report" 2>/dev/null || continue
		fail "the sanitizers have nothing to report"
		diag "$(head -n 60 "$report" | "$ROOT/tests/symbolize.pl")"
	done
	[ ! -s "$_absent" ] || {
		fail 'json finds each value'
		diag "$(sort "$_absent" | uniq -c)"
	}
	[ -n "$_done" ] || fail "the script came to its end (exit code $rc)"
	echo "1..$_n"
	_remove
	[ "$_failed" = 0 ] || exit 1
	exit $rc
}
