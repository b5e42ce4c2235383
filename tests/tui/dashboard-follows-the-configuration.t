#!/bin/bash
. "$(dirname "$0")/dash.sh"

# What it would run, made visible; and agents that look installed.
mkdir -p "$T/bin" "$XDG_CONFIG_HOME/afw"
cp "$BUILD/afw-dashboard" "$T/bin/"
cat >"$T/bin/afw" <<'END2'
#!/bin/bash
[ "$1" = new ] && { cat >/dev/null; pwd >"$AF_TEST_ID/pwd"; }
printf '%s\n' "$(printf '%s|' "$@")" >>"$AF_TEST_ID/calls"
END2
chmod +x "$T/bin/afw"
ini()
{
	printf '%s\n' "$@" >"$XDG_CONFIG_HOME/afw/afw.ini"
}
start()
{
	tmux_stop
	tmux_start 100 30 env "$@" "$T/bin/afw-dashboard"
	tmux_wait_for 'afw'
}
calls() { cat "$T/calls" 2>/dev/null; }

fake_session ended stopped '' '"exit_code":0,'
ini 'harness = second' '[harness.first]' 'command = cat' \
	'[harness.second]' 'command = cat' '[dashboard]' 'preview = no' \
	'[profile.careful]' 'sandbox = landlock' 'harness = second'
start X=1
see 'ended' 'it starts'
unlike "$(tmux_screen)" '──' 'preview = no: there is no preview'
keys p
see '── ended' 'p shows it'
keys n
see '[second]' 'the agent that the configuration names is chosen'
see ' first ' 'the other one is offered'
keys Tab
tmux_type one
keys Tab Left
see '[first]' 'Left chooses another'
keys Enter
wait_for '[ -n "$(calls)" ]'
is "$(calls)" 'new|one|--json|-a|first|' 'it is asked for'
keys n
see '[first]' 'and offered first the next time'
keys Tab Tab Tab Right
see '[careful]' 'a section of a template can be chosen'
see '[landlock]' 'which brings its sandbox'
see '[second]' 'and its agent'
keys BTab BTab
tmux_type three
keys Enter
wait_for '[ "$(calls | wc -l)" = 2 ]'
is "$(calls | tail -n 1)" 'new|three|--json|-a|second|-t|careful|' 'it is asked for'
keys n Tab
tmux_type four
keys Tab Tab Tab Right
see '[landlock]' 'a sandbox can be chosen'
see 'landlock: its worktree only' 'and what it is stands below'
keys Enter
wait_for '[ "$(calls | wc -l)" = 3 ]'
is "$(calls | tail -n 1)" 'new|four|--json|-a|second|--sandbox|landlock|' 'it, too'
keys n
tmux_wait_for 'new session in'
keys Escape
gone '[second]' 'Esc leaves the form'
rm -f "$T/calls"

# In another repository, by a template: what it gets is shown.
make_repo "$T/other"
mkdir -p "$T/other/.af/templates/own"
printf 'copy = .env\nharness = second\n' >"$T/other/.af/afw.ini"
printf 'setup = npm ci\n' >"$T/other/.af/templates/own/template.ini"
printf 'Installs packages.\nAnd more.\n' >"$T/other/.af/templates/own/prompt.md"
afw trust -y "$T/other" >/dev/null || fail "it is not trusted: $?"
keys n BTab C-u
tmux_type "$T/other"
keys Tab Tab
see 'new session in other' 'a repository is named by its path'
see '  copies .env' 'additions of its configuration are shown'
tmux_type two
for i in 1 2; do keys Tab; done
see 'no role: only the task' 'no template is chosen'
for i in 1 2 3 4 5 6 7 8; do
	! tmux_screen | grep -qF '[own]' || break
	before=$(tmux_screen)
	keys Right
	within 5 '[ "$(tmux_screen)" != "$before" ]'
done
see 'Installs packages.' 'the template is described'
gone 'And more' 'in one line'
see 'copies .env; setup: npm ci' 'and so is what it does'
keys Enter
wait_for '[ -n "$(calls)" ]'
is "$(calls)" 'new|two|--json|-a|second|-t|own|' 'both are asked for'
is "$(<"$T/pwd")" "$T/other" 'there'
rm -f "$T/calls"

row_like 30 '^r resume  n new  S start fresh' \
	'the footer has the actions for a session that is not running'
keys R
wait_for '[ -n "$(calls)" ]'
is "$(calls)" "resume|$id|" 'R resumes'
rm -f "$T/calls"
keys S
wait_for '[ -n "$(calls)" ]'
is "$(calls)" "start|--fresh|$id|" 'S starts afresh'
rm -f "$T/calls"
for phase in suspended error; do
	fake_state ended $phase
	tmux_wait_for "· ${phase/error/failed}"
	keys r
	wait_for '[ -n "$(calls)" ]'
	is "$(calls)" "resume|$id|" "$phase: r resumes"
	rm -f "$T/calls"
done
keys s
see 'ended is not running: r starts it again' 'these sessions accept no message'
hold ended
fake_state ended running idle
see 'Enter attach (back: Ctrl-\)' 'of one that runs, what can be done with that'
keys R
see 'Restart ended?' 'which R asks before it restarts'
keys n
is "$(calls)" '' 'nothing was run'
release_locks

ini 'detach_key = C-q'
fake_state ended running idle
hold ended
start X=1
see 'attach (back: Ctrl-Q)' 'the key that leaves an agent is the configured one'
keys ?
see 'Ctrl-Q            there: returns here' 'in the help, too'
release_locks

ini '[keys]' 'resume = v C-r' 'quit = C-x' 'help = F2 C-_' 'preview =' \
	'down = M-j n' 'new = F5'
fake_session later stopped '' '"exit_code":0,'
start X=1
row_like 30 '^v resume  F5 new  S start fresh .*F2 help  Ctrl-X quit' \
	'the footer has the keys of [keys]'
keys r s
see 'is not running: v starts it again' 'and so has the message'
keys F2
see 'v/S               start the agent with' 'and the help'
keys C-_
gone 'start the agent with' 'which a control character leaves'
keys F2
tmux_wait_for 'start the agent with'
keys Space
see 'Alt-j/k' 'Alt, too'
keys C-x
gone 'start the agent with' 'the new key leaves the help'
rm -f "$T/calls"
first=$(selected)
keys M-j
wait_for '[ "$(selected)" != "$first" ]'
keys k n
wait_for '[ "$(selected)" != "$first" ]'
keys p q
tmux_wait_for '── later'
keys k C-r
waits_for 'calls | grep -q ^resume' 'a second key does it, too'
keys C-x
waits_for tmux_dead 'and the new key leaves'

ini '[keys]' 'new = s' 'send = s'
start X=1
see "afw.ini:2: keys.new: 's' is a key of keys.send" \
	'one key for two actions is reported'
keys s
see 'not running: r starts' 'and all keys are those that are documented'

ini 'harnes = x'
start X=1
see 'afw.ini:1' 'a mistake in the configuration is reported'
see 'ended' 'and the sessions are there all the same'
end
