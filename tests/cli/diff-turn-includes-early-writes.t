#!/bin/bash
# diff --turn includes files that the agent writes before it shows that it
# works.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
cd "$T/repo" || exit 2

# The demo agent adds each message to this file of its worktree, and only then
# reports that it works.
exit_is 0 'a session' afw new one -a demo -e DEMO_LOG=log
shown=0
for i in 1 2 3 4 5 6 7 8 9 10; do
	run afw send one --wait -- "[[lines 1]] turn-$i"
	[ "$code" = 0 ] || diag "send: $err"
	run afw diff one -t
	case $out in
	*"+[[lines 1]] turn-$i"*) shown=$((shown + 1)) ;;
	*) diag "turn $i: $out$err" ;;
	esac
	case $out in
	*"+[[lines 1]] turn-$((i - 1))"*) fail "turn $i has no other's work" ;;
	esac
done
is "$shown" 10 'each of ten turns shows what was written at once'
done_testing
