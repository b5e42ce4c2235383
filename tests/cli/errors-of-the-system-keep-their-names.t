#!/bin/bash
# Out of descriptors, no permission: that is what is said, however git's
# library takes it.
. "$(dirname "$0")/../lib.sh"
afw_env
without_sanitizers 'they need descriptors of their own'
make_repo "$T/repo" a b c
printf '{"op":"create","path":"%s/repo","name":"one"}\n' "$T" >"$T/rq"

other=0 failed=0
for n in {6..14}; do
	# A file that must come from the object store.
	rm -f "$T/repo/a"
	run bash -c "ulimit -n $n; exec afw-worktree <'$T/rq'"
	if [ "$code" != 0 ]; then
		failed=$((failed + 1))
		[[ $out == *'Too many open files'* ]] || diag "$n: $out$err"
		[[ $out == *'Too many open files'* ]] || other=$((other + 1))
	fi
	rm -rf "$T/.af_worktrees"
	git -C "$T/repo" worktree prune
	git -C "$T/repo" branch -q -D af/one 2>/dev/null
done
ok_cmd 'with few descriptors nothing can be made' test "$failed" -gt 3
is "$other" 0 'and that is why'

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	# Another user may not be able to read the directory of the programs.
	cp "$BUILD/afw-worktree" "$T"
	chmod 755 "$T"
	chown -R 12345 "$T/repo"
	chmod 0 "$T"/repo/.git/objects/??/*
	run setpriv --reuid 12345 --clear-groups env HOME="$T/none" \
		bash -c "cd '$T' && ./afw-worktree <'$T/rq'"
	like "$code $out" '^1 .*Permission denied' 'no permission to read'
else
	skip 1 'only root can take it from itself'
fi
done_testing
