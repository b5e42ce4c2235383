#!/bin/bash
# afw templates, and new -t: configuration and a prompt for a role.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
ini=$XDG_CONFIG_HOME/afw/afw.ini

exit_is 0 'templates' afw templates
for name in coordinator implementor planner ralph verifier; do
	like "$out" "$name +[A-Z]" "lists $name, and what it is for"
done
exit_is 0 'as JSON' afw templates --json
is "$(json 3.name)" ralph 'has names'
exit_is 0 'one' afw templates ralph
like "$out" 'check_feedback = 20' 'is shown whole'
like "$out" 'Works until the check passes' 'with its prompt'
refused 2 'no template .ralp.*did you mean ralph' 'a missing one' \
	afw templates ralp
exit_is 0 'as JSON' afw templates ralph --json
is "$(json from)" afw 'with its owner'
refused 2 "no template '../repo'" 'a path' afw templates ../repo
refused 2 'no template .ralf' 'and not for new' afw new x -t ralf -a demo
run git branch --list 'af/*'
is "$out" '' 'which makes nothing'

# -- ralph, a whole life ----------------------------------------------------

cat >"$T/judge" <<'END'
#!/bin/sh
n=$(cat "$0.n" 2>/dev/null || echo 0)
echo $((n + 1)) >"$0.n"
[ -e good ] && exit
if [ "$n" = 2 ]; then echo '[[write good]]'; else echo '[[lines 1]]'; fi
exit 1
END
chmod +x "$T/judge"
echo "check = $T/judge" >"$ini"
exit_is 0 'ralph' afw new loop -t ralph -a demo -m '[[lines 1]]'
is "$(state_of loop template)" ralph 'is what it is'
like "$(afw status loop)" 'template +ralph' 'status shows it'
waits_for '[ "$(state_of loop check)" = passed ]' \
	'it continues by itself until the check passes'
is "$(<"$T/judge.n")" 4 'after as many turns as it takes'
is "$(grep -c 'Make it pass' "$T/log")" 3 'each of which began with what failed'
like "$(json system_prompt "$(session_dir loop)/spec.json")" \
	'^Works until the check passes' 'with its prompt'
exit_is 0 'rm' afw rm -s loop
rm "$T/judge.n"
sed -i 's/= 2 /= 200 /' "$T/judge"
mkdir -p "$DATA/templates/ralph"
echo 'check_feedback = 2' >"$DATA/templates/ralph/template.ini"
exit_is 0 'a goal that cannot be reached' afw new never -t ralph -a demo \
	-m '[[lines 1]]'
waits_for '[ "$(cat "$T/judge.n")" = 3 ] && [ "$(state_of never check)" = failed ]' \
	'stops at its limit, which is that of the template of the user'
nok_cmd 'whose other file is not there' \
	json_has system_prompt "$(session_dir never)/spec.json"

# -- one of the user's ------------------------------------------------------

mkdir -p "$DATA/templates/mine"
printf 'harness = demo\nstop_timeout = 7s\n[service.s]\ncommand = sleep 600\n' \
	>"$DATA/templates/mine/template.ini"
echo 'Does what I want.' >"$DATA/templates/mine/prompt.md"
like "$(afw templates)" 'mine +Does what I want.' 'one of the user is listed'
exit_is 0 'is used' afw new mine -t mine --system-prompt 'no, this'
is "$(json harness "$(session_dir mine)/spec.json")" demo 'with its harness'
is "$(json stop_timeout_ms "$(session_dir mine)/spec.json")" 7000 'its options'
like "$(afw status mine)" 'service +s: ready' 'and its services'
is "$(json system_prompt "$(session_dir mine)/spec.json")" 'no, this' \
	'the command line overrides it'
exit_is 0 'stop' afw stop mine
sed -i 's/7s/8s/' "$DATA/templates/mine/template.ini"
exit_is 0 'a later start' afw start mine
is "$(json stop_timeout_ms "$(session_dir mine)/spec.json")" 8000 \
	'reads it again'
exit_is 0 'stop' afw stop mine
echo 'harnes = demo' >"$DATA/templates/mine/template.ini"
refused 1 'mine/template.ini:1: unknown key .harnes.*harness' 'a mistake' \
	afw new other -t mine
refused 1 'template.ini:1' 'is printed by show' afw templates mine
rm -r "$DATA/templates/mine"
refused 1 "no template 'mine'" 'a deleted one' afw start mine
done_testing
