#!/bin/bash
# What a user has to know when a session begins: which agent it is and why, what
# it asks before it takes its task, what its worktree has not got.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$T/bin" "$XDG_CONFIG_HOME/afw"
ini=$XDG_CONFIG_HOME/afw/afw.ini
export PATH="$BUILD:$T/bin:/usr/bin:/bin"

refused 1 'claude.* is not in PATH.*-a demo' \
	'without any agent new names the stand-in' afw new one
printf '#!/bin/sh\nexec cat\n' >"$T/bin/codex"
chmod +x "$T/bin/codex"
: >"$T/repo/.env"
exit_is 0 'the first agent that is installed is taken' afw new one
like "$err" 'the default, claude, is not installed: this is codex' \
	'and that is said'
like "$out" '^one: codex \(the default\) runs in ' 'and where it comes from'
like "$err" 'has no \.env: .copy., .link. and .setup.' \
	'a file that git does not bring is named'
exit_is 0 'a second session' afw new two -a codex
unlike "$err" '\.env' 'is not told of that again'
like "$out" '^two: codex runs in ' 'nor which agent it was asked for'
exit_is 0 'rm' afw rm --stop one two

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
	'the file that names the default is told'
like "$err" 'three: before it begins, it asks: May I work here' \
	'what it asks is said at once'
like "$err" 'afw attach three' 'with the command that settles it'
exit_is 0 'the same as JSON' afw new four --json -m task
is "$(json activity)" waiting_for_input 'has the activity'
exit_is 0 'rm' afw rm --stop three four
done_testing
