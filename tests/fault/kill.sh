# kill.sh - sends SIGKILL before each write of one operation, and checks what must
# be true then. Source it after lib.sh.
#
#	kill_world [FILE...]     # makes a repository in $R/repo, and goes there
#	kill_each PROGRAM CMD REACHED BACK [SETUP]
#
# CMD (shell, one operation) is run with PROGRAM killed right before its first
# write, then before its second, and so on, until a run ends before that write.
# After each kill `afw ls --json` must work, no file may be torn, and `kept` print
# nothing. Then AGAIN (CMD, if it is empty) is run, every other time after
# `afw reconcile --apply`: REACHED must succeed, reconcile must find nothing, and
# no temporary or half-made file may be left. A lock that libgit2 held must be
# removed by the user, as the error says: here the test removes it. BACK restores
# the state before CMD; SETUP makes that state in a new environment.
#
# It runs in an environment of its own, or in two at once if more are tried: it
# writes only below $T, with its repository in $R/repo, the current directory, and
# its worktrees in $W; the scripts in the arguments get R, W and T from the
# environment.
#
# FAULT='-e EIO -a' (options of tests/tools/fault_at) makes that call fail
# instead: then CMD may fail, and must print why; if it succeeds, REACHED must
# succeed, too. `failed` prints what else is wrong after a CMD that failed.
# PROGRAM may be several, as in 'afw -x afw-worktree'.
#
# TRIED and HELD are the numbers of kills, and of those without a mistake.
#
# AF_TEST_EVERY=K tries only every K-th kill (9); AF_TEST_SEED selects which.
# 1 tries all of them, as `make check-all` does.

KILL=$BUILD/tests/tools/fault_at
EVERY=${AF_TEST_EVERY:-9}
SEED=${AF_TEST_SEED:-$RANDOM}
[ "$EVERY" -lt 9 ] && WORKERS=2 || WORKERS=1
FAULT='' NONE_IS_FINE=''
_call=0 _bad=0
[ -z "${SANITIZE-}" ] || # LeakSanitizer cannot do its work under ptrace
	export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"

kill_world()
{
	R=$T/r W=$T/r/.af_worktrees
	_files=("$@")
	_remake
	"$KILL" -x true -r "$R" -- true 2>/dev/null ||
		skip_all 'ptrace is not allowed here'
}

# Called in a subshell: sets up an environment of its own.
_enter()
{
	T=$T/$1
	R=$T/r W=$R/.af_worktrees AF_TEST_ID=$T
	XDG_CONFIG_HOME=$T/config XDG_DATA_HOME=$T/data XDG_RUNTIME_DIR=$T/run
	DATA=$XDG_DATA_HOME/afw RUN=$XDG_RUNTIME_DIR/afw
	export T R W AF_TEST_ID XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR
	mkdir -p "$T" "$XDG_CONFIG_HOME" "$XDG_DATA_HOME"
	mkdir -p -m 700 "$XDG_RUNTIME_DIR"
}

# Makes the environment again, after a failure.
_remake()
{
	local pid
	cd "$T" || exit 2
	for pid in $(own_pids); do
		[ "$pid" = $$ ] || kill -KILL "$pid" 2>/dev/null
	done
	rm -rf "$R" "$DATA" "$RUN" "$XDG_CONFIG_HOME/afw"
	can_resume cat
	mkdir "$R"
	make_repo "$R/repo" "${_files[@]}"
	cd "$R/repo" || exit 2
}

failed()
{
	:
}

# Checks that CMD printed why it failed, or has succeeded. $1: its exit code.
_check_reason()
{
	if [ "$1" = 0 ]; then
		eval "$reached" || _report "exits with 0: $(cat "$T/.cmd")"
	elif ! grep -q '^afw: ' "$T/.cmd"; then
		_report "exits with $1 and does not say why: $(cat "$T/.cmd")"
	else
		at=$(failed)
		[ -z "$at" ] || _report "$at: $(<"$T/.cmd")"
	fi
}

# kept: prints a line for each thing that must not be lost and is missing.
kept()
{
	:
}

_report()
{
	_bad=$((_bad + 1))
	[ "$_bad" -gt 10 ] || diag "$_where: $*" >>"$T/.reports"
}

# must CMD...: runs CMD; if it fails, reports what it printed.
must()
{
	"$@" >"$T/.must" 2>&1 </dev/null ||
		_report "'$*' exits with $?: $(head -c 600 "$T/.must")"
}

# _apart COMMANDS: runs them in a shell of its own.
_apart()
{
	(eval "$1")
}

_whole()
{
	must afw ls --json
	"$BUILD/tests/tools/jsonget" . <"$T/.must" >"$T/.ls" ||
		_report "ls --json: $(head -c 300 "$T/.must")"
	_no_torn
}

# Temporary files are not in place yet.
_no_torn()
{
	local files lost
	mapfile -d '' files < <(find "$DATA" "$W" \( -name '*.json' \
		-o -name '*.corrupt-*' \) ! -name '.*.json.*' -print0 2>/dev/null)
	[[ ${files[*]} != *.corrupt-* ]] || _report "quarantined: ${files[*]}"
	"$BUILD/tests/tools/jsonget" -c "${files[@]}" >"$T/.torn" ||
		_report "torn: $(xargs head -c 300 <"$T/.torn")"
	lost=$(kept)
	[ -z "$lost" ] || _report "lost: $lost"
}

# reconcile finds what is left over; this finds what reconcile does not check.
_left()
{
	find "$DATA" "$RUN" "$W" "$R/repo/.git" \
		\( -path '*/objects/*' -o -path "$W/repo-*/*" \) -prune -o \
		\( -name '*.lock' -o -name '.*.json.*' -o -name '.afw-*' \
		 -o -name '.purged-*' \
		-o -name '.new-*' -o -name '.old-*' \
		-o -path '*/repo-*/locked*' \) -print 2>/dev/null
}

_clean()
{
	local left entry
	# rm lets another process delete the files; a supervisor may write.
	left=$(_left)
	[ -z "$left" ] || within 10 'left=$(_left); [ -z "$left" ]'
	# The deletion that rm and purge start takes a moment: until then
	# reconcile may also report that it could not check everything.
	within 20 in_order ||
		_report "left: $code $out $err"
	for entry in "$R"/repo/.git/worktrees/*; do
		[ ! -e "$entry" ] || [ -e "$entry/gitdir" ] ||
			left+=" half of $entry"
	done
	[ -z "$left" ] || _report "left over: ${left//$'\n'/ }"
}

# in_order: true if reconcile finds nothing, except another test's supervisors
# whose files are gone: it finds those of all data directories.
in_order()
{
	run afw reconcile --json
	[ "$code" = 0 ] && ! grep -o '{"kind":[^{]*' <<<"$out" |
		awk -v own="\"path\":\"$T/" -F'"' \
			'$4 != "supervisor_left" || index($0, own)' | grep -q .
}

# _try_all FIRST STEP: tries every STEP-th write, in this environment.
_try_all()
{
	local n=$1 step=$2 at bad code
	_remake
	must _apart "$setup"
	while :; do
		_where="$cmd, $program's write $n"
		code=0
		# shellcheck disable=SC2086
		"$KILL" $FAULT -x $program -n "$n" -o "$T/.kill" -r "$R" -r "$DATA" \
			-r "$RUN" -r "$XDG_CONFIG_HOME" -- bash -c "$cmd" \
			>"$T/.cmd" 2>&1 </dev/null || code=$?
		at=$(tail -n 1 "$T/.kill")
		[ "$at" = killed ] || [ "$at" = failed ] || break
		_tried=$((_tried + 1))
		bad=$_bad
		at=$(grep -m 1 "^$n " "$T/.kill")
		find "$R/repo/.git" -name '*.lock' -delete
		_where+=" (${at#* })"
		[ -z "$FAULT" ] || _check_reason "$code"
		_whole
		if [ $(((_tried + n) % 2)) = 0 ]; then
			# A deletion that still runs may keep it from
			# checking everything.
			within 10 'run afw reconcile --apply
				[ "$code" = 0 ]' ||
				_report "reconcile --apply: $code $out $err"
			_no_torn
		fi
		must _apart "${AGAIN:-$cmd}"
		eval "$reached" || _report "not reached: $reached: $(afw ls 2>&1); $(cat "$T/.must")"
		_no_torn
		_clean
		must _apart "$back"
		[ $_bad = $bad ] || {
			_broke=$((_broke + 1))
			_remake
			_apart "$setup" >/dev/null 2>&1
		}
		n=$((n + step))
	done
	[ "$_bad" -gt 0 ] || eval "$reached" ||
		_report "not reached without a kill: $(cat "$T/.cmd")"
	_clean
	# So that nothing of it disturbs the next one.
	_apart "$back" >/dev/null 2>&1
	must _apart 'afw ls -q | xargs -r afw rm --stop'
}

kill_each()
{
	local program=$1 cmd=$2 reached=$3 back=$4 setup=${5-true}
	local k tried=0 bad=0 pids=() _bad=0 _tried=0 _broke=0 first
	HELD=0
	_call=$((_call + 1))
	for ((k = 0; k < WORKERS; k++)); do
		# Another sample for each call and each run.
		first=$(((_call * 3 + SEED) % EVERY + 1 + k * EVERY))
		(
			_enter $k
			_try_all $first $((WORKERS * EVERY))
			echo "$_tried $_bad $_broke" >"$T/.result"
		) &
		pids+=($!)
	done
	wait "${pids[@]}"
	for ((k = 0; k < WORKERS; k++)); do
		read -r _tried _bad _broke <"$T/$k/.result" || _bad=1
		rm -f "$T/$k/.result"
		tried=$((tried + _tried)) bad=$((bad + _bad))
		HELD=$((HELD + _tried - _broke))
	done
	# With fewer tries a short operation may be left out.
	if [ "$EVERY" = 1 ] && [ "$tried" = 0 ] && [ -z "$NONE_IS_FINE" ]; then
		bad='no write was seen, so nothing was tried:'
		bad+=" does it run $program?"
	fi
	TRIED=$tried
	is "$bad" 0 "$cmd: $program ${FAULT:-killed} at $tried calls"
	for ((k = 0; k < WORKERS; k++)); do
		[ ! -e "$T/$k/.reports" ] || cat "$T/$k/.reports"
		rm -f "$T/$k/.reports"
	done
}
