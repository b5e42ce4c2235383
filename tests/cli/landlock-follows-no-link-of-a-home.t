#!/bin/bash
# An agent replaces directories of its private home by links to the user's.
. "$(dirname "$0")/../lib.sh"
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN" # not below the private /tmp
afw_env
needs_landlock
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$T/bin" "$HOME/.ssh" "$HOME/.gemini"
echo key >"$HOME/.ssh/id_test"
PATH=$T/bin:$PATH

# -- Gemini CLI: afw writes into its home at each start
cat >"$T/bin/gemini" <<END
#!/bin/bash
if [ -e linked ]; then
	ls -a ~/.gemini ~/.gemini/* >names
	touch again
else
	rm -rf ~/.gemini/extensions
	ln -s $HOME/.ssh ~/.gemini/extensions
	touch linked
fi
exec sleep 600
END
chmod +x "$T/bin/gemini"
export GEMINI_API_KEY=x
exit_is 0 'a session' afw new gem -a gemini --sandbox landlock
tree=$T/.af_worktrees/repo-gem
waits_for '[ -e "$tree/linked" ]' 'links its extensions'
exit_is 0 'it stops' afw stop gem
exit_is 0 'and starts again' afw start gem
waits_for '[ -e "$tree/again" ]' 'with a home'
like "$(<"$tree/names")" settings.json 'that has its settings'
unlike "$(<"$tree/names")" id_test "and no name of the user's files"
is "$(ls "$HOME/.ssh")" id_test 'nothing was made there'
exit_is 0 'it stops' afw stop gem

cat >"$T/bin/gemini" <<END
#!/bin/bash
if [ -e linked2 ]; then
	ls -a ~/.gemini ~/.gemini/* >names
	touch again2
else
	rm -rf ~/.gemini
	ln -s $HOME/.ssh ~/.gemini
	touch linked2
fi
exec sleep 600
END
exit_is 0 'it starts' afw start gem
waits_for '[ -e "$tree/linked2" ]' 'links the whole directory'
exit_is 0 'it stops' afw stop gem
exit_is 0 'and starts again' afw start gem
waits_for '[ -e "$tree/again2" ]' 'with a home'
unlike "$(<"$tree/names")" id_test "that has no name of the user's files"
is "$(ls "$HOME/.ssh")" id_test 'nothing was made there'

# -- Claude Code: afw reads its conversations
id=11111111-2222-4333-8444-555555555555
mkdir -p "$HOME/.claude/projects/-home-other"
printf '%s\n' \
	'{"type":"user","message":{"role":"user","content":"what is it"},"timestamp":"2026-11-26T10:00:00.000Z"}' \
	'{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"SECRET"}]},"timestamp":"2026-11-26T10:00:01.000Z"}' \
	>"$HOME/.claude/projects/-home-other/$id.jsonl"
cat >"$T/bin/claude" <<END
#!/bin/bash
line=\$(printf '─%.0s' {1..80})
printf '\033[2J\033[H● hello\r\n\r\n%s\r\n❯ \r\n%s\r\n  ? for shortcuts\033[4;3H' "\$line" "\$line"
rm -rf ~/.claude
ln -s $HOME/.claude ~/.claude
hook() { "$BUILD/afw-supervisor" hook "\$1" <<<"{\"session_id\":\"$id\",\"tool_name\":\"x\"}"; }
hook SessionStart
hook PreToolUse
until [ -e go ]; do read -rt 0.05 <> <(:); done
hook Stop
exec sleep 600
END
chmod +x "$T/bin/claude"
exit_is 0 'another' afw new leak -a claude --sandbox landlock
waits_for 'afw ls --json | grep -q "\"conversation\": *\"'$id'\""' \
	"names another conversation of the user's"
waits_for '[ "$(state_of leak activity)" = working ]' 'and works'
touch "$T/.af_worktrees/repo-leak/go"
waits_for '[ "$(state_of leak activity)" = completed ]' 'until it is done'
unlike "$(afw ls --json)" SECRET 'the answer of that one is not read'
exit_is 0 'both stop' afw stop gem leak
done_testing
