#!/bin/bash
# Every man page is valid mdoc, and readable.
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
# A macro in a line of text is printed as it is. The parentheses of Pq end with
# its line.
is "$(cd "$ROOT/man" && grep -nE \
	'^[^.].* (Pq|Xr|Ic|Ql|Fl|Cm|Pa|Ar|Li|Sx|Ev|No|Ns) [^ ]*[a-z]|^[^.].* [,;:.)]$' -- *)" '' \
	'no line of text has a macro, or a blank before a comma'
is "$(cd "$ROOT/man" && grep -nE 'Pq .*( in$| [0-9] , (Cm|Li|No) )' -- *)" '' \
	'no parenthesis ends too late or too early'
# Readable in both formatters, as `man` calls them: no line is wider than the
# terminal. A table whose columns are too wide breaks after each word in groff,
# far to the right.
overlong()
{
	# shellcheck disable=SC2086
	"$@" $pages 2>"$T/null" | col -bx |
		W=$w perl -CS -ne 'chomp; print "$_\n" if length > $ENV{W}'
}
for w in 80 132; do
	is "$(overlong mandoc -T utf8 -O "width=$w")" '' "$w columns, mandoc"
	if command -v groff >/dev/null; then
		is "$(overlong groff -Kutf8 -mandoc -Tutf8 -P-c "-rLL=${w}n")" \
			'' "$w columns, groff"
	else
		skip 1 'no groff'
	fi
done
# Each page has EXAMPLES, which examples-run-as-printed.t runs. afw-adapters(5)
# has one in its text, afw-security(7) has no commands, and afw-tools(8) is
# started by the supervisor alone.
is "$(cd "$ROOT/man" && grep -L '^\.Sh EXAMPLES' -- * | xargs)" \
	'afw-adapters.5 afw-security.7 afw-tools.8' 'all others have EXAMPLES'
# What a page refers to of ours exists.
for page in $pages; do
	for other in $(grep -oE '\bXr afw[a-z.-]* [1-9]' "$page" |
		sed 's/^Xr //; s/ /./' | sort -u); do
		[ -f "$ROOT/man/$other" ] || fail "${page##*/} refers to $other"
	done
done
# afw-worktree(8) has the members of the requests as their table has them.
is "$(perl -0ne 'while (/^\.It (?:Cm )?(\w+)\n(.*?)(?=^\.(?:It|El))/gms) {
		my ($name, $text) = ($1, $2);
		$text =~ s/\s*\n(\.\w\w )?/ /g;
		1 while $text =~ s/ *\([^()]*\)//g;
		$text =~ s/ ,/,/g;
		print "$name: $1\n" if $text =~ /Members: (.*?)\./ }' \
	"$ROOT/man/afw-worktree.8" | sort)" \
	"$("$BUILD/tests/tools/worktree_requests" | sort)" \
	'afw-worktree(8) has the table of requests'
# afw-events(1) has the events: a name beside the function that records it, in
# the source.
events=$(sed -n '/^\.Sh JSON/,/^\.El/s/^\.It Li //p' "$ROOT/man/afw-events.1" |
	tr -d ' ' | tr , '\n')
for event in $(cat $(find "$ROOT/src" -name '*.c') | grep -oE \
	'(publish_event|events_append|publish_limit|add_event)\([^"]*"[a-z:_]+"( *: *"[a-z:_]+")?' |
	grep -oE '"[^"]*"' | tr -d '"' | sort -u); do
	grep -qx "$event" <<<"$events" || absent+=" $event"
done
is "${absent-}" '' 'afw-events(1) has every event that the source names'
# Debian's lintian says no more of a line: share/release makes the changelog of NEWS.
is "$(awk 'length > 78 { print FILENAME ": " FNR }' "$ROOT/share/NEWS.md" \
	"$ROOT/share/debian/control")" '' \
	'the package has no line that is too long'
done_testing
