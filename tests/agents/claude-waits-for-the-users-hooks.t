#!/bin/bash
# The real Claude Code with hooks of the user beside afw's: it does not ask for
# what they allow, and a turn ends only after the slow ones have run.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
. "$(dirname "$0")/life.sh"
claude_env
mkfifo "$T/go" && exec {go}<>"$T/go"
cat >"$T/slow" <<'END'
#!/bin/bash
[ ! -e "$1/quick" ] || exit 0
echo begun >>"$1/log"
read -r -t 300 <>"$1/go"
echo done >>"$1/log"
END
# The fixture's own time, not one that the test waits: while it lasts, what it
# allows looks like a question.
cat >"$T/allow" <<'END'
#!/bin/bash
sleep 0.2
echo '{"hookSpecificOutput": {"hookEventName": "PermissionRequest",
 "decision": {"behavior": "allow"}}}'
END
printf '#!/bin/bash\ncat >>"$0d"\n' >"$T/tell"
chmod +x "$T/slow" "$T/allow" "$T/tell"
mkdir "$HOME/.claude"
cat >"$HOME/.claude/settings.json" <<END
{"hooks": {"Stop": [{"hooks": [
  {"type": "command", "command": "$T/slow $T", "timeout": 300}]}],
 "PermissionRequest": [{"hooks": [
  {"type": "command", "command": "$T/allow"}]}]}}
END
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '%s\n' '[notify]' 'desktop = no' "command = $T/tell" \
	>>"$XDG_CONFIG_HOME/afw/afw.ini"
make_repo "$T/repo"
claude_trusts "$T/repo"
cd "$T/repo" || exit 2
touch "$T/quick"
life_begins claude "${ASKS[@]}"
waits_for 'grep -q "\"completed\"" "$T/telld"' 'a notice tells it'

# asked_ms: how long it asked, by afw's history.
asked_ms()
{
	afw events fix -n 50 --json >"$T/events"
	node -e 'const fs = require("fs");
		const said = fs.readFileSync(process.argv[1], "utf8").trim()
			.split("\n").map(JSON.parse)
			.filter((e) => e.event == "activity");
		const i = said.findLastIndex(
			(e) => e.activity == "waiting_for_input");
		const end = said[i + 1] ? new Date(said[i + 1].at) : Date.now();
		console.log(end - new Date(said[i].at));' "$T/events"
}

# For 0.7 s a menu is none. A busy machine may need longer than that for the
# hook: then it does ask.
for try in 1 2 3; do
	rm -f "$T/made"
	: >"$T/telld"
	run afw send --wait -t 240s fix \
		"run it [[tool=bash:touch '$T/made']]"
	[ "$code" = 9 ] || break
	is_state fix running/completed
	wait_for 'grep -q "\"completed\"" "$T/telld"'
	asked=$(asked_ms)
	[ "$asked" -gt 600 ] || break
done
if [ "$code" = 9 ] && [ "$asked" -gt 600 ]; then
	skip 5 "this machine needs $asked ms for a hook"
else
	is "$code" 0 'a call that a hook allows is not asked' || diag "$err"
	ok_cmd 'the tool ran' test -e "$T/made"
	asked=$(asked_ms)
	ok_cmd 'afw got its report' test "$asked" -ge 0
	nok_cmd 'no notice says that it asks' grep -q '"waiting' "$T/telld"
	waits_for '[ $(wc -l <"$T/telld") = 1 ]' 'one says that it is over'
fi
rm "$T/quick"

# logged WORD N: the slow hook has so often begun, or is done.
logged()
{
	[ "$(grep -c "$1" "$T/log")" = "$2" ]
}

afw send --wait -t 240s fix 'one [[text=the-one]]' >"$T/sent" &
sender=$!
waits_for 'logged begun 1' 'the hook of the user'"'"'s runs'
(afw wait -t 240s fix >"$T/waited"; cp "$T/log" "$T/waited.log") &
waiter=$!
# Longer than a reported end is used.
within 3 false
waits_for '[ "$(state fix)" = running/working ]' 'it works'
nok_cmd 'wait waits' test -s "$T/waited"
nok_cmd 'send --wait waits, too' test -s "$T/sent"
is "$(wc -l <"$T/telld")" 1 'no notice says more'
exit_is 0 'a message' afw send fix 'two [[text=the-two]]'
like "$out" 'queued' 'is not typed into it'
echo >&"$go"
wait "$sender"
is "$(<"$T/sent")" the-one 'the answer is printed when that is over'
waits_for 'logged begun 2' 'the end of the next turn is reported'
within 1 false
ok_cmd 'which is no longer used' \
	within 2 '[ "$(state fix)" = running/working ]'
nok_cmd 'wait waits' test -s "$T/waited"
echo >&"$go"
wait "$waiter"
is "$(<"$T/waited")" 'done' 'then it is over'
is "$(grep -c done "$T/waited.log")" 2 'and the hooks had run'
agent_end
