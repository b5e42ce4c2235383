#!/bin/bash
# Control characters from an agent or a repository's name (C1, DEL, bidi, tags)
# are escaped in all JSON and shown harmlessly as text; errors under --json are
# objects, and `logs --json -n` has the last events.
. "$(dirname "$0")/../lib.sh"
afw_env
bad=$'\177\302\233\302\205\342\200\256\342\201\246\363\240\201\201'
repo=$T/$'re\np\342\200\256o'
make_repo "$repo"
cd "$repo" || exit 2
exit_is 0 'a session that prints such things' \
	afw new one -- sh -c "printf '\033]2;t$bad\007%s\r\n' 'first $bad' last; cat"
waits_for 'afw capture one | grep -q last' 'has printed them'
exit_is 0 'one more, elsewhere' make_repo "$T/other"
(cd "$T/other" && afw new two -- cat >/dev/null)
ok $? 'with a session'

# harmless CMD...
harmless()
{
	run "$@"
	LC_ALL=C grep -qP '\x7f|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xf3\xa0|[\x00-\x08\x0b-\x1f]' \
		"$T/.out" "$T/.err"
	[ $? = 1 ]
	ok $? "$*" || diag "$(cat -v "$T/.out" "$T/.err" | head -c 600)"
}
for how in '' --json; do
	harmless afw ls $how
	harmless afw status one $how
	harmless afw logs one $how
	harmless afw events one $how
	harmless afw capture one $how
	harmless afw top -n 1 $how
	harmless afw reconcile $how
	harmless afw status "no$bad" $how
	harmless afw new one $how
	harmless afw group $how
	harmless afw send --list $how
	harmless afw diff one $how
done
harmless afw ls -q
is "$(wc -l <"$T/.out")" 2 'each name is one line'
run afw logs one --json
is "$(while read -r out; do
	[ "$(json event)" != output ] || json data; done <"$T/.out" |
	grep -c $'first \177')" 1 'JSON still says what it was'

harmless afw logs one --json -n 1
is "$(wc -l <"$T/.out")" 1 'the last event'
exit_is 0 'the last two of three' afw logs one --json -n 2
run afw status nobody --json
is "$code $(json exit_code "$T/.err")" '3 3' 'an error is an object'
is "$(json error "$T/.err")" "no session 'nobody'" 'that says what'
like "$(json hint "$T/.err")" 'there are' 'and what helps'
run afw ls --json --no-such
is "$code $(json exit_code "$T/.err")" '2 2' 'a usage error, too'
refused 4 'one' 'without --json it is text' afw new one -- cat
git branch $'x\u009b31m\u202ey'
exit_is 0 'one whose branch has such a name' \
	afw new three --branch $'x\u009b31m\u202ey' -- cat
harmless afw rm -s three
exit_is 0 'stop' afw rm -s one
(cd "$T/other" && afw rm -s two >/dev/null)
done_testing
