#!/bin/bash
# SIGKILL of afw-worktree right before a write, where `afw new` takes a spare and
# then another one is made; and an error of such a call. The spare is taken, or
# stays, or is gone with all that belongs to it; the next new works.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
afw_env
kill_world README a b d/c
. "$ROOT/tests/fault/spares.sh"
AGAIN="$SPARES_AGAIN"
back='afw rm --stop one; spare_is_ready'
kill_each afw-worktree 'afw new one -- cat' is_whole "$back" "$SPARES_SETUP"
# Two files differ in its base.
kill_each afw-worktree 'echo $RANDOM >a && echo $RANDOM >e && git add . &&
	git commit -qm more && afw new one -- cat' is_whole "$back" "$SPARES_SETUP"
FAULT='-e EIO -a' kill_each afw-worktree 'afw new one -- cat' is_whole "$back" \
	"$SPARES_SETUP"
done_testing
