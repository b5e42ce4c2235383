# fake.sh - sessions that are only files, for tests of programs that only read
# files. Source it after lib.sh and afw_env.
#
#	fake_session NAME PHASE [ACTIVITY] ['"more":"state",']
#	hold NAME...            holds their locks, too, as a supervisor does
#	release_locks           releases all of them
#
# fake_session sets id and dir. The caller may set repo, created, queued and
# spec_more (JSON members, each followed by a comma) before.

_fake=0 _holders=()

# ago SECONDS: prints the time then, as in the files.
ago()
{
	TZ=UTC0 printf '%(%FT%T.000Z)T\n' $((EPOCHSECONDS - $1))
}

fake_session()
{
	_fake=$((_fake + 1))
	printf -v id '%032x' $((0xabc000000000 + _fake))
	dir=$DATA/sessions/$id
	(umask 077 && mkdir -p "$dir")
	: >"$dir/lock"
	local root=${repo:-$T/repo} at json
	at=${created:-$(ago 90)}
	read -rd '' json <<-END
	{"v":1,"id":"$id","name":"$1",${spec_more-}"repository":"$root",
	"repository_name":"${root##*/}","worktree":"${root%/*}/.af_worktrees/${root##*/}-$1",
	"worktree_id":"${root##*/}-$1","worktree_ino":"0",
	"branch":"af/$1","base":"main","harness":"generic","backend":"pty",
	"sandbox":"none","command":["cat"],"env_names":[],"cols":80,"rows":24,
	"stop_timeout_ms":5000,"transcript_max_bytes":8388608,
	"scrollback_lines":2000,"created_at":"$at"}
	END
	echo "$json" >"$dir/spec.json"
	fake_state "$@"
}

# fake_state NAME PHASE [ACTIVITY] [MORE]: replaces the state in dir, in one step.
fake_state()
{
	local now json
	now=$(ago 0)
	read -rd '' json <<-END
	{"v":1,"rev":3,"phase":"$2","activity":"${3-}",${4-}
	"queued":${queued-0},"pid":0,"supervisor_pid":0,"signal":0,
	"activity_since":"$now","updated_at":"$now"}
	END
	echo "$json" >"$dir/.state"
	mv "$dir/.state" "$dir/state.json"
}

hold()
{
	local name dirs=() holder
	for name; do dirs+=("$(session_dir "$name")"); done
	exec {holder}< <(exec perl "$ROOT/tests/hold_lock.pl" "${dirs[@]}")
	_holders+=($!)
	read -r _ <&"$holder" || fail "the locks of $* are held"
	exec {holder}<&-
}

release_locks()
{
	local pid
	for pid in "${_holders[@]}"; do
		kill "$pid" 2>/dev/null
		wait_for "has_ended $pid"
	done
	_holders=()
}
