#!/bin/bash
# Every fuzz target takes its corpus, and a second of mutations of it.
. "$(dirname "$0")/../lib.sh"
afw_env
for target in "$BUILD"/tests/fuzz/fuzz_*; do
	[[ -x $target && ! -d $target ]] || continue
	name=${target##*/fuzz_}
	corpus=$ROOT/tests/fuzz/$name
	[ -d "$corpus" ] || corpus=
	# shellcheck disable=SC2086
	exit_is 0 "$name" "$target" -max_total_time=1 $corpus
	diag "$out"
done
done_testing
