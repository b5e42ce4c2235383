#!/bin/bash
# send --keys: keys by name, in the form that the terminal's modes ask for.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
cd "$T/repo" || exit 2
# Shows the bytes that reach it; "a" switches the cursor keys' mode on.
cat >"$T/bytes" <<'END'
#!/bin/bash
stty raw -echo
[ "$1" != app ] || printf '\033[?1h'
echo ready
exec cat -v
END
chmod +x "$T/bytes"
run afw new plain -- "$T/bytes"
run afw new app -- "$T/bytes" app
for s in plain app; do
	waits_for "afw capture $s | grep -q ready" "$s is there"
done

exit_is 0 'keys' afw send plain --keys Down C-c M-x Space F1 'two words' Up
is "$out" 'plain: keys pressed' 'are reported'
waits_for 'afw capture plain | grep -qF "^[[B^C^[x ^[OPtwo words^[[A"' \
	'as a terminal sends them'
exit_is 0 'in application mode' afw send app --keys -- Down Up Escape
waits_for 'afw capture app | grep -qF "^[OB^[OA^["' 'arrows have its form'
exit_is 0 'JSON' afw send app --keys x --json
is "$(json name)" app 'has the name'
exit_is 0 'two sessions' afw send app plain --keys -- Z
waits_for 'afw capture plain | grep -q Z && afw capture app | grep -q Z' \
	'both have it'

refused 2 "did you mean 'Escape'" 'a misspelt key' \
	afw send plain --keys Escpae
refused 2 'no bytes' 'a key that this terminal cannot be sent' \
	afw send plain --keys C-Enter
refused 2 'which keys' 'none' afw send plain --keys
refused 2 'cannot be combined with --wait' 'with what is for messages' \
	afw send plain --keys x --wait
refused 2 'control character' 'a control character' \
	afw send plain --keys $'a\033b'
unlike "$(afw capture plain)" 'Esc|ab' 'and nothing was typed'

# Keys reported as pressed arrive, all of them; keys without room are not reported so.
cat >"$T/deaf" <<'END'
#!/bin/bash
stty raw -echo
echo ready
until [ -s "$1" ]; do read -r -t 0.05 <> <(:) || :; done
n=$(head -c "$(<"$1")" | wc -c)
echo "read $n"
exec cat -v
END
chmod +x "$T/deaf"
exit_is 0 'an agent that does not read' afw new deaf -- "$T/deaf" "$T/go"
waits_for 'afw capture deaf | grep -q ready' 'is there'
keys=$(printf %120000s '') pressed=0 waits=0
for _ in {1..20}; do
	run afw send deaf --keys -- "$keys"
	[ "$code" = 0 ] || break
	pressed=$((pressed + ${#keys}))
done
is "$code" 9 "at some time no more is taken ($pressed bytes)"
[[ $err =~ does\ not\ read.*\ ([0-9]+)\ bytes\ wait ]] &&
	waits=${BASH_REMATCH[1]}
rest=$((2 * 1024 * 1024 - waits))
[ "$rest" -gt 0 ] && [ "$rest" -lt ${#keys} ]
ok $? 'while there is room for less than that'
exit_is 0 'which is taken' afw send deaf --keys -- "${keys:0:rest}"
refused 9 'does not read' 'then not even an interrupt' afw interrupt deaf
echo $((pressed + rest)) >"$T/go"
waits_for "afw capture deaf | grep -q 'read $((pressed + rest))\$'" \
	'all that was taken comes'
exit_is 0 'keys, then' afw send deaf --keys bye
waits_for 'afw capture deaf | tail -n 1 | grep -q "^ *bye\$"' \
	'and nothing else came in between'

exit_is 0 'an interrupt' afw interrupt plain
is "$out" 'plain: interrupt sent' 'says no more than it knows'

exit_is 0 'an agent' afw new one -a demo
exit_is 9 'that asks' afw send one --wait -- '[[ask]]'
exit_is 0 'is answered' afw send one --keys n
waits_for 'afw capture one | grep -q "answered: n"' 'by a key'

# One that stops itself at Ctrl-Z, as at a shell: there is none to wake it.
cat >"$T/stops" <<'END'
system 'stty raw -echo';
$| = 1;
print "up\r\n";
while (sysread STDIN, my $key, 1) {
	$key ne "\032" or kill(STOP => $$), print "goes on\r\n";
}
END
exit_is 0 'an agent that knows Ctrl-Z' afw new stops -- perl "$T/stops"
wait_for 'afw capture stops | grep -q up'
exit_is 0 'Ctrl-Z' afw send stops --keys C-z
waits_for 'afw capture stops | grep -q "goes on"' 'it continues'
exit_is 0 'stop' afw stop stops
done_testing
