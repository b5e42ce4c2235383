#!/bin/bash
# new prints what the user must know: which agent was chosen and why, what it
# asks before it takes its task, why it has ended at once, and which files its
# worktree lacks.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$T/bin" "$XDG_CONFIG_HOME/afw"
ini=$XDG_CONFIG_HOME/afw/afw.ini
export PATH="$BUILD:$T/bin:/usr/bin:/bin"

refused 1 'claude.* is not in PATH.*-a demo' \
	'without any agent new names the demo agent' afw new one
printf '#!/bin/sh\nexec cat\n' >"$T/bin/codex"
chmod +x "$T/bin/codex"
: >"$T/repo/.env"
exit_is 0 'the first agent that is installed is taken' afw new one
like "$err" 'the default, claude, is not installed: this is codex' \
	'and that is reported'
like "$out" '^one: codex \(the default\) runs in ' 'and where it comes from'
like "$err" 'has no \.env: .copy., .link. and .setup.' \
	'a file that git does not bring is named'
exit_is 0 'a second session' afw new two -a codex
unlike "$err" '\.env' 'is not told of that again'
like "$out" '^two: codex runs in ' 'and not why that agent was chosen'
exit_is 0 'rm' afw rm --stop one two

mv "$T/bin/codex" "$T/codex"

# Of agents that only a section describes: afw's by name, then the user's own.
for name in pi qwen; do
	printf '#!/bin/sh\nexec cat\n' >"$T/bin/$name"
done
cp "$T/bin/pi" "$T/bin/asks"
chmod +x "$T"/bin/*
printf '%s\n' '[harness.own]' 'command = asks' '[harness.aaa]' \
	'tried = not tried' 'command = asks' >"$ini"
exit_is 0 'only agents of sections are installed' afw new four
like "$err" 'claude, is not installed: this is pi ' 'the first by name is taken'
rm "$T/bin/pi"
exit_is 0 'without that' afw new five
like "$err" 'this is qwen ' 'the next is'
rm "$T/bin/qwen"
exit_is 0 'without any of afw' afw new six
like "$err" 'this is own ' "one of the user's is, but none that was not tried"
printf 'harness = pi\n' >>"$ini.new"
cat "$ini" >>"$ini.new"
mv "$ini.new" "$ini"
refused 1 'pi is not installed' \
	'a default that is configured is never replaced' afw new seven
exit_is 0 'rm' afw rm --stop four five six
mv "$T/codex" "$T/bin/codex"

cat >"$T/bin/asks" <<'END'
#!/bin/sh
printf 'May I work here? (y/n) '
read -r yes
printf '\n> '
exec cat
END
chmod +x "$T/bin/asks"
printf 'harness = asks\n[harness.asks]\ncommand = asks\n%s\n' \
	'waiting = ^May I .*\?' >"$ini"
exit_is 0 'an agent that asks first' afw new three -m task
like "$out" "three: asks \\(the default, from $ini:1\\)" \
	'the file that names the default is named'
like "$err" 'three: before it begins, it asks: May I work here' \
	'its question is printed at once'
like "$err" 'afw attach three' 'with the command that settles it'
exit_is 0 'the same as JSON' afw new four --json -m task
is "$(json activity)" waiting_for_input 'has the activity'
exit_is 0 'rm' afw rm --stop three four

# Codex draws its composer, sets itself up, and only then asks.
cat >"$T/bin/codex" <<'END'
#!/bin/bash
printf '\033]7501;state=working\033\\\n\n› \033[2mAsk Codex to do anything'
printf '\033[0m\n\n  gpt-5 default · /tmp\033[3;3H'
read -rt 0.5 <>"$0.never"
printf '\033[H\033[2J  Trust this folder? Codex can read it.\n\n'
printf '› 1. Trust and continue\n  2. Back\n\n  enter continue · esc back\n'
exec cat
END
mkfifo "$T/bin/codex.never"
exit_is 0 'an agent that asks when it has set itself up' \
	afw new five -a codex -m task
like "$err" 'five: before it begins, it asks whether it may trust this dir' \
	'which is waited for, and reported in the terms for all agents'
like "$err" 'afw attach five. answers it, .afw trust. at every later start' \
	'with what settles it'
refused 9 'whether it may trust .*afw attach five. answers it, .afw trust.' \
	'--approve does not, and says what does' afw send five --approve
refused 9 'whether it may trust .*afw attach five., and answer it there; .afw trust.' \
	'and neither does a message' afw send five yes
exit_is 0 'rm' afw rm --stop five

# A notice of Claude Code's, as it was recorded, asks for a key. The terminal
# has 80 columns.
cat >"$T/bin/claude" <<END
#!/bin/bash
printf '\033[H\033[2J'
tail -n 17 '$ROOT/tests/unit/data/adapters/claude-auto-mode.txt' |
	sed 's/ · shift.Tab.*stop//; s/^\(.\{79\}\).*/\1/' | head -c -1
exec cat
END
chmod +x "$T/bin/claude"
exit_is 0 'an agent with a notice' afw new six -a claude
waits_for 'afw status six | grep -q "Auto mode can.t check"' 'which is reported'
refused 9 'not an approval that afw knows.*--keys KEY. answers it: Enter to stay' \
	'--approve says which keys it takes' afw send six --approve
exit_is 0 'rm' afw rm --stop six

cat >"$T/bin/asks" <<'END'
#!/bin/bash
read -rt 0.5 <>"$0.never"
echo 'no such key' >&2
exit 3
END
mkfifo "$T/bin/asks.never"
exit_is 1 'an agent that ends at once is an error' afw new seven -m task
like "$err" "afw: new 'seven': asks exited with code 3: no such key" \
	'that says why'
like "$err" 'afw logs seven. has what it printed' 'its output'
like "$err" 'afw retry seven. starts it again' 'and its next start'
exit_is 0 'the first of them' afw logs seven
like "$out" 'no such key' 'works'
like "$(afw send --list seven)" 'task' 'and the task stays queued'
exit_is 0 'the second works, too' afw retry seven
exit_is 1 'the same as JSON' afw new eight --json
is "$(json phase) $(json exit_code)" 'error 3' 'prints the session'
like "$err" '"error":"new .eight.: asks exited with code 3: no such key"' \
	'and why'
exit_is 0 'a command is not waited for' afw new nine -- sh -c 'exit 4'
exit_is 1 'several of them' afw new more -a asks*2
is "$(afw ls -o name | grep -c more-asks)" 2 'are all made and kept'
done_testing
