#!/bin/bash
# afw config set, unset, edit and check: the right file is changed, after a
# check, and nothing else in it.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
ini=$XDG_CONFIG_HOME/afw/afw.ini

# -- set and get ------------------------------------------------------------

exit_is 0 'set where there is no file' afw config set stop_timeout 7s
is "$(<"$ini")" 'stop_timeout = 7s' 'makes one'
is "$(stat -c %a "$ini")" 644 'that others may read'
is "$(afw config get stop_timeout)" 7s 'get prints it'
is "$(afw config stop_timeout)" 7s 'without get, too'
printf '# mine\nstop_timeout=1s ; short\n\n# seen\n[dashboard]\npreview = no' \
	>"$ini"
chmod 600 "$ini"
exit_is 0 'set' afw config set stop_timeout 2m
exit_is 0 'an option of a section' afw config set dashboard.preview yes
exit_is 0 'an option of a named section' afw config set mcp.docs.url https://x/
exit_is 0 'a list' afw config set copy '.env "a b"'
is "$(<"$ini")" "$(printf '%s\n' '# mine' 'stop_timeout=2m ; short' \
	'copy = .env "a b"' '' '# seen' '[dashboard]' 'preview = yes' '' \
	'[mcp.docs]' 'url = https://x/')" 'leaves all else as it was'
is "$(stat -c %a "$ini")" 600 'its mode, too'
is "$(afw config get mcp.docs.url)" https://x/ 'get prints that'
is "$(afw config get mcp.docs.type)" '' 'and what has no value'
like "$(afw config)" "mcp.docs.url +https://x/ +$ini:10" 'it is in the list'
like "$(afw config -v)" $'stop_timeout = 2m\n    How long' \
	'which can say what each is for'
like "$(afw config get -v copy)" $'Untracked.*\n    list; .*:3' 'as get can'
exit_is 0 'get as JSON' afw config get --json mcp.docs.url
is "$(json help)" "The server's address, in place of a command." 'has it as well'
exit_is 0 'unset' afw config unset copy
is "$(afw config get copy)" '' 'takes it away'
before=$(<"$ini")

refused 1 "unknown key 'setpu' .did you mean 'setup'" 'get of nothing' \
	afw config get setpu
refused 1 'no \[mcp.dosc\]' 'of no section' afw config get mcp.dosc.url
refused 1 "unknown key 'comand' in \[service.NAME\]" 'set of nothing' \
	afw config set service.x.comand make
refused 1 "config set: stop_timeout: 'soon' is not a duration" \
	'a bad value' afw config set stop_timeout soon
refused 1 "would be read as 'a'" 'an option that a file cannot have' \
	afw config set base 'a ; b'
refused 1 "nothing there sets 'copy'" 'unset of what is not set' \
	afw config unset copy
refused 1 'afw config edit' 'a harness' afw config set harness.x.command x
refused 2 'config set: VALUE is missing' 'half a set' afw config set copy
refused 2 '.unst. is not one of get, .*did you mean unset' 'an unknown verb' \
	afw config unst copy
refused 2 '\-\-repo is only for' 'get --repo' afw config get --repo copy
is "$(<"$ini")" "$before" 'which changed nothing'
chmod 400 "$ini"
refused 1 'afw.ini: it is read-only' 'a file that is read-only' \
	afw config set harness codex
chmod 600 "$ini"
mv "$ini" "$T/dotfile"
ln -s "$T/dotfile" "$ini"
refused 2 "no agent 'codx'.*did you mean codex" 'an agent that is none' \
	afw config set harness codx
exit_is 0 'set through a link' afw config set harness codex
is "$(readlink "$ini")" "$T/dotfile" 'which stays one'
like "$(<"$T/dotfile")" 'harness = codex' 'to the file'
rm "$T/dotfile"
refused 1 'write .*afw.ini: No such file' 'a link to nothing' \
	afw config set harness codex
rm "$ini"
for i in 1 2 3 4 5 6 7 8; do
	afw config set "service.s$i.command" "run $i" 2>>"$T/raced" &
done
wait
is "$(grep -c command "$ini")" "$((8 - $(grep -c 'another process has changed' \
	"$T/raced")))" 'eight at once: each value is set, or its command failed'

# -- a repository's ---------------------------------------------------------

rm "$ini"
exit_is 0 'set --repo' afw config set --repo setup 'make deps'
is "$(cat .af/afw.ini)" 'setup = make deps' 'writes it there'
like "$err" 'not in force before it is trusted' 'and says what is missing'
is "$(afw config get setup 2>"$T/null")" '' 'as it is'
exit_is 0 'trust' afw trust -y
is "$(afw config get setup)" 'make deps' 'now it is in force'
exit_is 0 'set --repo again' afw config set --repo setup make
like "$err" 'was trusted as it was' 'is reported'
refused 1 "'sandbox' is for the user to choose" "what is the user's own" \
	afw config set --repo sandbox none
exit_is 0 'trust' afw trust -y
exit_is 0 'set of what the repository says, too' afw config set setup true
like "$err" 'setup: .*/.af/afw.ini:1 overrides it here' 'is reported'
exit_is 0 'unset --repo' afw config unset --repo setup
is "$(cat .af/afw.ini)" '' 'takes it away there'

# -- edit -------------------------------------------------------------------

export TMPDIR=$T/tmp EDITOR=$T/editor
mkdir "$TMPDIR"
cat >"$EDITOR" <<'END'
#!/bin/sh
case $MODE in
fail) echo 'base = kept' >>"$1"; exit 3 ;;
race) echo 'base = other' >"$INI" ;;
esac
[ -z "$LINE" ] || echo "$LINE" >>"$1"
END
chmod +x "$EDITOR"
export INI=$ini MODE LINE
LINE='base = main' exit_is 0 'edit' afw config edit
is "$(<"$ini")" $'setup = true\nbase = main' 'takes it over'
exit_is 0 'edit of nothing' afw config edit
like "$err" 'nothing was changed' 'says so'
is "$(ls "$TMPDIR")" '' 'no copy is left'
VISUAL='sh -c "echo harness = gemini >>$0"' exit_is 0 'an editor with words' \
	afw config edit
is "$(afw config get harness)" gemini 'is run'
afw config set editor "sh -c 'echo stop_timeout = 9s >>\$0'"
EDITOR=false exit_is 0 'the option editor' afw config edit
is "$(afw config get stop_timeout)" 9s 'counts more'
afw config unset editor
afw config unset stop_timeout
LINE='harnes = x' refused 1 'afw-.*.ini:4: unknown key .harnes.*kept in' \
	'a mistake' afw config edit
is "$(tail -n 1 "$TMPDIR"/afw-*.ini)" 'harnes = x' 'whose text is kept'
unlike "$(<"$ini")" 'harnes ' 'and not taken over'
rm "$TMPDIR"/*
MODE=fail refused 1 'editor has failed .exit code 3.*kept in' \
	'an editor that fails' afw config edit
rm "$TMPDIR"/*
EDITOR=nowhere refused 1 'nowhere: No such file' \
	'a missing one' afw config edit
is "$(ls "$TMPDIR")" '' 'leaves no copy'
MODE=race LINE='base = mine' refused 4 'changed it meanwhile.*kept in' \
	'a change meanwhile' afw config edit
is "$(<"$ini")" 'base = other' 'is not lost'
rm "$ini"
LINE='bell = no' exit_is 0 'edit of a missing one' afw config edit
is "$(<"$ini")" "$(afw config --example; echo bell = no)" \
	'begins with the example'

# -- check ------------------------------------------------------------------

echo 'setup = true' >.af/afw.ini
exit_is 0 'check' afw config check
like "$out" "$ini: ok"$'\n'"$T/repo/.af: ok" 'tells each'
unlike "$err" 'config get check' 'and nothing of an option'
echo 'check = make test' >"$ini"
exit_is 0 'check where there is an option of that name' afw config check
like "$err" 'hint: .afw config get check. prints the option' 'the hint shows how to print it'
echo 'setpu = true' >>.af/afw.ini
echo 'bas = true' >"$ini"
refused 1 'afw.ini:1: unknown key .bas.*.af/afw.ini:2: unknown key .setpu' \
	'all mistakes of all files' afw config check
exit_is 1 'as JSON' afw config check --json
is "$(json 1.ok)" false 'one is not ok'
like "$(json 1.error)" ':2: unknown key' 'and says why'
rm -r .af
printf '[service.x]\nenv = A\n' >"$ini"
exit_is 1 'check of a section that lacks something' afw config check
like "$err" 'afw.ini:2: \[service.x\] needs a command' 'tells it'
printf '[host.x]\nup_timeout = 3m\n[approve.x]\ntool = ls\n' >"$ini"
exit_is 1 'check of several' afw config check
like "$err" '\[host.x\] needs either url or engine.*\[approve.x\] needs a decision' 'names both'
printf '[mcp.x]\nurl = http://h/${A}\n' >"$ini"
exit_is 1 'a value that no agent can get' afw config check
like "$err" "MCP server 'x': url: a variable cannot be used" 'prints it'
is "$(afw completion words -- config '' | head -n 2)" $'get\nset' \
	'the verbs are offered'
like "$(afw completion words -- config set '')" $'setup\t' 'and the options'
done_testing
