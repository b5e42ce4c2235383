#!/bin/bash
# The test library: each kind of failing test is reported as a failure.
. "$(dirname "$0")/../lib.sh"
afw_env
export AFW_SLOW # tests/run needs not measure it

# try NAME: runs the script on standard input with the library.
try()
{
	{
		echo ". '$ROOT/tests/lib.sh'"
		cat
	} >"$T/$1.t"
	code=0
	out=$(env -u AF_TEST_ID bash "$T/$1.t" 2>&1) || code=$?
}

try good <<'END'
afw_env; pass one; is a a two; like abc '^a.c$' three; done_testing
END
is "$code" 0 'a good script succeeds'
like "$out" '1\.\.3$' 'its plan is at the end'

try early <<'END'
afw_env; pass one; exit 0
END
is "$code" 1 'a script that ends early fails'

try is <<'END'
afw_env; is a b 'same'; done_testing
END
is "$code" 1 'a difference fails'
like "$out" 'not ok 1 - is: same' 'and is named'

try alone <<'END'
afw_env; pass 'rm refuses'; is a b 'and says why'; done_testing
END
like "$out" 'not ok 2 - alone: rm refuses: and says why' \
	'a failed result that continues another names that one'

try left <<'END'
afw_env; setsid tail -f /dev/null >/dev/null 2>&1 &
# Before that it has the shell's environment, which has no mark, or none.
wait_for 'grep -qsx tail "/proc/$!/comm" &&
	grep -qsz ^AF_TEST_ID= "/proc/$!/environ"'
DEADLINE=0; pass one; done_testing
END
is "$code" 1 'a process that is left fails the script'
like "$out" 'not ok 2 - left: all processes of the script have ended.*tail' 'and is named'

try unbuilt <<'END'
BUILD=$T/nowhere afw_env; pass one; done_testing
END
is "$code" 2 'without the test programs no script runs'
like "$out" '^Bail out! .*/nowhere/tests.* missing: run `make all-tests`' \
	'and prove stops with the command that builds them'

try skip <<'END'
afw_env; skip_all 'nothing to do'
END
is "$code" 0 'a skipped script is no failure'
is "$out" '1..0 # SKIP nothing to do' 'and says why'

try skip-the-rest <<'END'
afw_env; pass one; skip_all 'no more to do'
END
is "$code" 0 'nor is one that skips its rest'
is "$out" 'ok 1 - one
ok 2 # SKIP no more to do
1..2' 'and its plan counts what ran'

try san <<'END'
SANITIZE=address
afw_env; echo "ERROR: LeakSanitizer" >"$T/.san.123"; pass one; done_testing
END
is "$code" 1 "a sanitizer's report of a background process fails"

try waits <<'END'
afw_env; DEADLINE=0; setsid tail -f /dev/null >/dev/null 2>&1 &
wait_for false 'echo because'; pass one; done_testing
END
is "$code" 1 'a wait that reaches its deadline fails'
like "$out" 'not ok 1 - waits: waited in vain.*waits\.t:3.*false.*# because' \
	'and says where, for what and why'
unlike "$out" 'ok 2' 'the script ends then'

try screen <<'END'
afw_env; tmux_start 40 5 sh -c 'echo here; cat'
tmux_wait_for here 'it is there'; DEADLINE=0
tmux_wait_for no-such; pass two
END
is "$code" 1 'waits for a screen fail, too'
like "$out" 'ok 1 - it is there.*not ok 2 - screen: .*no-such.*# here' 'and show it'

AFW_SLOW=0
nok_cmd 'within gives up' within 1 'false'
AFW_SLOW=1
ok_cmd 'wait_for waits' wait_for 'test "$(now_ms)" -gt 0'

nok_cmd 'a running process has not ended' has_ended $$

make_repo "$T/r" a/b c
is "$(git -C "$T/r" ls-files | tr '\n' ' ')" 'a/b c ' 'make_repo commits'
is "$(git -C "$T/r" status --porcelain)" '' 'and leaves it clean'

out='{"a":{"b":[1,"two",null]},"c":true}'
is "$(json a.b.1)" two 'json gives a string bare'
is "$(json a.b)" '[1,"two",null]' 'and the rest as JSON'
ok_cmd 'json_has asks for a value' json_has a.b.1
nok_cmd 'and for one that is missing' json_has a.x
try absent <<'END'
afw_env; out='{}'; is "$(json a.b)" '' one
within 0 '[ "$(json c)" ]'; done_testing
END
is "$code" 1 'a value that is missing fails the script'
like "$out" 'not ok 2 - absent: json finds.* there is no a.b at .*absent\.t:2' \
	'and is named, with its place'
unlike "$out" 'no c' 'but not one that is waited for'

tmux_start 40 5 sh -c 'printf "size "; stty size; cat'
tmux_wait_for 'size 5 40' 'a terminal of the size asked for'
tmux_type 'hello; #{x}'
tmux_keys Enter
tmux_wait_for 'hello; #{x}' 'text arrives as it is'
tmux_stop

# With its own trap for TERM, which may come twice at once (bash that has only
# one for EXIT then ends without it), and at no program in front: bash heeds a
# signal during wait, but not while it starts one.
cat >"$T/slow.t" <<END
#!/bin/bash
trap 'echo x >"$T/cleaned"' EXIT
trap 'exit 1' TERM
setsid tail -f /dev/null >/dev/null 2>&1 &
echo \$! >"$T/up"
wait
END
chmod +x "$T/slow.t"
tmux_start 80 10 "$ROOT/tests/run" -j1 "$T/slow.t"
wait_for '[ -s "$T/up" ]'
tmux_keys C-c
waits_for '[ -e "$T/cleaned" ]' 'Ctrl-C ends the tests that run'
waits_for 'has_ended "$(cat "$T/up")"' 'with all that they have started'
tmux_stop

# script NAME: a test script of this text; run_whole: they are run as a suite.
script()
{
	{
		echo '#!/bin/bash'
		cat
	} >"$T/$1.t"
	chmod +x "$T/$1.t"
}
run_whole()
{
	run "$ROOT/tests/run" --whole -j4 "${@/#/$T/}"
}
script good <<'END'
echo 'ok 1 - good'; echo 1..1
END
script flaky <<END
if mkdir "$T/once"; then echo 'not ok 1 - it slept'; else echo ok 1; fi; echo 1..1
END
script bad <<'END'
echo 'not ok 1 - it is bad'; echo 1..1
END
script asks <<'END'
if read -r line </dev/tty; then echo "not ok 1 - read $line"; else echo ok 1; fi
echo 1..1
END
tmux_start 80 10 bash -c "'$ROOT/tests/run' -j1 '$T/asks.t'; cat"
tmux_wait_for 'Result: PASS' \
	'a script that reads /dev/tty is not stopped by our terminal'
tmux_stop
run_whole good.t flaky.t
is "$code" 0 'a script that passes when it runs alone fails nothing'
like "$err" "FLAKY $T/flaky.t.*not ok 1 - it slept.*ok 1" \
	'but is reported, with both of its logs'
like "$out" 'Result: PASS$' "and prove's summary is the end"
run_whole good.t bad.t
is "$code" 1 'a script that fails twice fails the run'
unlike "$err" FLAKY 'and is not called flaky'
for i in 1 2 3 4; do
	script "four$i" <<END
mkdir "$T/four$i" && echo 'not ok 1' || echo 'ok 1'; echo 1..1
END
done
run_whole four{1,2,3,4}.t
is "$code" 1 'four scripts that fail at once are no accident'
rm -r "$T/once"
run "$ROOT/tests/run" "$T/good.t" "$T/flaky.t"
is "$code" 1 'of some scripts that are asked for none runs twice'
run "$ROOT/tests/run" "$T/good.t" 'tests/cli/no-such-*.t'
is "$code $err" '2 tests/run: no such test: tests/cli/no-such-*.t' \
	'nor is a pattern ignored that matches none'
run "$ROOT/tests/run" tests/unit/test_args.c
like "$code $out" '^0 .*/tests/unit/test_args .*PASS$' 'a unit has the name of its source'
done_testing
