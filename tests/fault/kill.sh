# kill.sh - SIGKILL before each write of one operation, and what must hold
# then. Sourced after lib.sh.
#
#	kill_world [FILE...]     # a repository in $R/repo: where we are then
#	kill_each PROGRAM CMD REACHED BACK [SETUP]
#
# CMD (shell, one operation) is run with PROGRAM killed right before its first
# write, then before its second, and so on until one run is over before that.
# After each kill `afw ls` works, no file is torn, and `kept` says nothing.
# Then AGAIN (CMD, where that is empty) is run, every other time after
# `afw reconcile --apply`: REACHED must hold, reconcile find nothing, and no
# temporary file or half-made thing lie about. A lock that libgit2 had is the
# user's to remove, as the error says. BACK makes the world as
# it was before; SETUP makes that of a new one.
#
# Two at a time, each in such a world of its own: all that it writes lies below
# $T, with its repository in $R/repo, where we are, and its worktrees in $W;
# the five scripts of shell know R, W and T by the environment.
#
# FAULT='-e EIO -a' (options of tests/tools/fault_at) makes that call fail
# instead: then CMD may fail, and says why; where it does not fail, REACHED
# holds. `failed` says what else is wrong with a CMD that failed. PROGRAM may
# be several, as 'afw -x afw-worktree'.
#
# TRIED and HELD say how many there were.
#
# AF_TEST_EVERY=K tries every K-th kill only (9); AF_TEST_SEED says which ones.
# 1 tries all of them, as `make check-all` does.

KILL=$BUILD/tests/tools/fault_at
EVERY=${AF_TEST_EVERY:-9}
SEED=${AF_TEST_SEED:-$RANDOM}
WORKERS=2
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

# In a subshell: a world of its own.
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

# A new world, after one in which something went wrong.
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

# It failed and says so, or all is as it should be. $1: its exit code.
_told()
{
	if [ "$1" = 0 ]; then
		eval "$reached" || _say "exits with 0: $(cat "$T/.cmd")"
	elif ! grep -q '^afw: ' "$T/.cmd"; then
		_say "exits with $1 and does not say why: $(cat "$T/.cmd")"
	else
		at=$(failed)
		[ -z "$at" ] || _say "$at: $(cat "$T/.cmd")"
	fi
}

# kept: one line for each thing that must never be lost and is not there.
kept()
{
	:
}

_say()
{
	_bad=$((_bad + 1))
	[ "$_bad" -gt 10 ] || diag "$_where: $*"
}

# must CMD...: what it says is told where it fails.
must()
{
	"$@" >"$T/.must" 2>&1 </dev/null ||
		_say "'$*' exits with $?: $(head -c 600 "$T/.must")"
}

_whole()
{
	must afw ls
	must afw ls --json
	"$BUILD/tests/tools/jsonget" . <"$T/.must" >"$T/.ls" ||
		_say "ls --json: $(head -c 300 "$T/.must")"
	_no_torn
}

# Temporary files are not in place yet.
_no_torn()
{
	local files lost
	mapfile -d '' files < <(find "$DATA" "$W" \( -name '*.json' \
		-o -name '*.corrupt-*' \) ! -name '.*.json.*' -print0 2>/dev/null)
	[[ ${files[*]} != *.corrupt-* ]] || _say "quarantined: ${files[*]}"
	"$BUILD/tests/tools/jsonget" -c "${files[@]}" >"$T/.torn" ||
		_say "torn: $(xargs head -c 300 <"$T/.torn")"
	lost=$(kept)
	[ -z "$lost" ] || _say "lost: $lost"
}

# Whatever is left over is found by reconcile; what it would not look at is
# looked for here.
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
	# What is removed is deleted behind rm's back; a supervisor writes.
	left=$(_left)
	[ -z "$left" ] || within 10 'left=$(_left); [ -z "$left" ]'
	# What rm and purge delete behind their back takes its moment: until
	# then reconcile may also say that it could not look at all of it.
	within 20 'run afw reconcile
		[[ $code$out == "0everything is as it is recorded"* ]]' ||
		_say "left: $code $out $err"
	for entry in "$R"/repo/.git/worktrees/*; do
		[ ! -e "$entry" ] || [ -e "$entry/gitdir" ] ||
			left+=" half of $entry"
	done
	[ -z "$left" ] || _say "left over: ${left//$'\n'/ }"
}

# _try_all FIRST STEP: in a world of its own.
_try_all()
{
	local n=$1 step=$2 at bad code
	_remake
	must bash -c "$setup"
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
		[ -z "$FAULT" ] || _told "$code"
		_whole
		if [ $(((_tried + n) % 2)) = 0 ]; then
			must afw reconcile --apply
			_no_torn
		fi
		must bash -c "${AGAIN:-$cmd}"
		eval "$reached" || _say "not reached: $reached: $(afw ls 2>&1); $(cat "$T/.must")"
		_no_torn
		_clean
		must bash -c "$back"
		[ $_bad = $bad ] || {
			_broke=$((_broke + 1))
			_remake
			bash -c "$setup" >/dev/null 2>&1
		}
		n=$((n + step))
	done
	[ "$_bad" -gt 0 ] || eval "$reached" ||
		_say "not reached without a kill: $(cat "$T/.cmd")"
	_clean
	# So that nothing of this world is in the way of the next.
	bash -c "$back" >/dev/null 2>&1
	must bash -c 'afw ls -q | xargs -r afw rm --stop'
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
}
