#!/bin/bash
# Every man page is sound mdoc.
. "$(dirname "$0")/../lib.sh"
command -v mandoc >/dev/null || skip_all 'no mandoc'
pages=$(ls "$ROOT"/man/*.[1-9] 2>/dev/null)
[ -n "$pages" ] || skip_all 'no man pages yet'
T=$(mktemp -d /tmp/afw.XXXXXX)
trap _exit EXIT
for page in $pages; do
	# Pages refer to each other; these need not be installed here.
	exit_is 0 "${page##*/}" mandoc -T lint -W warning "$page"
done
# What a page refers to of ours exists.
for page in $pages; do
	for other in $(sed -nE 's/^\.(Xr|It Xr) (afw[a-z.-]*) ([1-9]).*/\2.\3/p' \
		"$page" | sort -u); do
		[ -f "$ROOT/man/$other" ] || fail "${page##*/} refers to $other"
	done
done
done_testing
