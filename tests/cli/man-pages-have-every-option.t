#!/bin/bash
# Each command has a page with exactly the options that it takes.
. "$(dirname "$0")/../lib.sh"
afw_env

# the long options that a page lists as items
page_options()
{
	sed -nE 's/^\.It Fl (. , (Fl )?)?-([a-z-]+).*/\3/p' "$1" | sort -u | tr '\n' ' '
}
names=$(afw help --all | sed -nE 's/^  ([a-z]+) .*/\1/p')
for name in $names; do
	page=$ROOT/man/afw-$name.1
	if [ ! -f "$page" ]; then
		fail "afw-$name(1) is there"
		continue
	fi
	is "$(page_options "$page")" "$(afw "$name" --help |
		sed -nE 's/^  (    |-., )--([a-z-]+)([ [].*|$)/\2/p' | sort -u | tr '\n' ' ')" \
		"afw-$name(1) has its options"
done
is "$(sed -nE 's/^\.It Xr afw-([a-z]+) 1.*/\1/p' "$ROOT/man/afw.1")" "$names" \
	'afw(1) has all of them, in the order of --help'
is "$(afw help --all | sed -nE '/^  /!s/^([a-z ]+)$/\1/p' | tr '\n' ,)" \
	'start,watch,talk,finish,keep in order,' 'which is that of purposes'
for page in "$ROOT"/man/afw-*.1; do
	name=${page##*/afw-}
	grep -qx "${name%.1}" <<<"$names" ||
		fail "there is a command ${name%.1}"
done
run afw capture --help
like "$out" 'usage: afw capture .*See afw-capture\(1\)' 'help refers to them'
help=$out
exit_is 0 'help as a word' afw help capture
is "$out" "$help" 'is the same'
refused 2 "no command 'captrue'.*did you mean" 'an unknown command' \
	afw help captrue
refused 2 "no option '-x' without a command" 'an option is no command' afw -x
exit_is 0 'a command without arguments' afw ls --help
like "$out" $'^usage: afw ls \\[options\\]\n' 'has none in its usage'
everyday=$(afw --help | sed -nE '/^more$/q;s/^  ([a-z]+) .*/\1/p')
is "$(wc -l <<<"$everyday")" 21 'the first help describes 21 commands'
is "$(afw --help | sed -n '/^more$/,/^$/p' | tail -n +2 | tr -d , | xargs -n 1 |
	sort - <(echo "$everyday"))" "$(sort <<<"$names")" \
	'and names all others'
is "$(afw --help --all; afw help -a)" "$(afw help --all; afw help --all)" \
	'help --all has more than one spelling'
is "$( (afw help; afw help --all) | awk 'length > 80')" '' 'the lists fit 80 columns'
done_testing
