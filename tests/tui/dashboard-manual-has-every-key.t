#!/bin/bash
# The table of keys (src/config/keys.def) and the manual name the same keys.
. "$(dirname "$0")/../lib.sh"
afw_env

table=$(sed -n 's/^KEY([A-Z_]*, "[^"]*", "\([^"]*\)".*/\1/p' \
	"$ROOT/src/config/keys.def" | tr ' ' '\n' |
	sed 's/^C-\(.\)$/Ctrl-\u\1/; s/^S-/Shift-/; s/^PageUp$/PgUp/
		s/^PageDown$/PgDn/' | sort)
page=$(sed -n '/^\.Ss Keys/,/^\.El/s/^\.It Ic //p' \
	"$ROOT/man/afw-dashboard.1" | sed 's/\\&//g; s/ , /\n/g' | sort)
ok_cmd 'the table is found' test "$(wc -l <<<"$table")" -gt 20
is "$page" "$table" 'the page has the keys of the table'
for name in $(sed -n 's/^KEY([A-Z_]*, "\([^"]*\)".*/\1/p' "$ROOT/src/config/keys.def"); do
	grep -q "{$name}" "$ROOT/tui/widgets/help.c" || missing+=" $name"
done
is "${missing-}" '' 'and so has the help'
like "$(<"$ROOT/man/afw.1")" '\.Xr afw-dashboard 1' \
	'afw(1) points to the page'
done_testing
