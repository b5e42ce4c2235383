#!/bin/bash
# A template is the repository's (if that is trusted), else the user's, else
# afw's; its options override afw.ini, and the command line overrides them.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
ini=$XDG_CONFIG_HOME/afw/afw.ini

# make_template DIR PROMPT INI-LINE...
make_template()
{
	mkdir -p "$1"
	echo "$2" >"$1/prompt.md"
	printf '%s\n' "${@:3}" >"$1/template.ini"
}
spec() { json "$1" "$(session_dir "$2")/spec.json"; }
from()
{
	afw templates --json >"$T/.list" 2>"$T/.null"
	json "$1.from" "$T/.list"
}

printf '%s\n' 'harness = demo' 'stop_timeout = 1s' 'check_timeout = 1s' \
	'idle_timeout = 1h' 'stall_after = 10s' >"$ini"
exit_is 0 'afw has one' afw new afws -t verifier
like "$(spec system_prompt afws)" '^Tries to show' 'which is used'
make_template "$DATA/templates/verifier" 'Of the user.' 'stall_after = 40s' \
	'check_timeout = 4s'
is "$(from 4)" user "the user's is listed instead"
exit_is 0 'it' afw new users -t verifier
is "$(spec system_prompt users)" 'Of the user.' "counts more than afw's"
is "$(spec stall_after_ms users)" 40000 'may have what only the user may'
is "$(spec check_timeout_ms users)" 4000 'and counts more than afw.ini'

mkdir .af
printf '%s\n' 'stop_timeout = 2s' 'check_timeout = 2s' >.af/afw.ini
make_template .af/templates/verifier 'Of the repository.' 'check_timeout = 3s'
make_template .af/templates/only 'Only here.' 'harness = claude'
refused 9 'is not trusted.*afw trust' 'one of an untrusted repository' \
	afw new x -t verifier
refused 9 "template 'only': .*/.af/.* is not trusted.*afw trust" \
	'and not without its configuration' afw new x -t only --untrusted
refused 9 "afw trust" 'and it is not shown' afw templates only
is "$(from 4)" user 'and not listed'
run afw templates
like "$err" 'is not trusted .*\.af/ is left out' 'which is said'
exit_is 0 'another of that name' afw new other -t verifier --untrusted
is "$(spec system_prompt other)" 'Of the user.' 'is taken where that is wanted'

exit_is 0 'trust' afw trust --yes
run afw templates
like "$out" "only +Only here. +$T/repo/.af/templates/only" \
	'in a trusted repository it is listed'
exit_is 0 'and' afw new theirs -t verifier
is "$(spec system_prompt theirs)" 'Of the repository.' 'counts most'
is "$(spec check_timeout_ms theirs)" 3000 \
	"template.ini goes before the repository's afw.ini"
is "$(spec stop_timeout_ms theirs)" 2000 "that before the user's"
is "$(spec idle_timeout_ms theirs)" 3600000 'whose rest counts'
is "$(spec stall_after_ms theirs)" 10000 \
	'the templates of one name are not mixed'
exit_is 0 'options of the command line' afw new line -t only -a demo \
	--system-prompt 'No, this.'
is "$(spec harness line) $(spec system_prompt line)" 'demo No, this.' \
	'counts more than each'
git worktree add -q ../linked
exit_is 0 'in a linked worktree' env -C ../linked "$BUILD/afw" templates only
like "$out" 'Only here.' 'it is the same'

exit_is 0 'stop' afw stop theirs
echo 'check_timeout = 5s' >.af/templates/verifier/template.ini
exit_is 9 'a later start without trust' afw start theirs
like "$err" "start 'theirs': template 'verifier': .* is not trusted" \
	"does not take the user's of that name"
is "$(spec check_timeout_ms theirs)" 3000 'in its place'
exit_is 0 'stop' afw stop other
exit_is 0 "one of the user's" afw start other
like "$err" 'is not trusted.*\.af/ is left out' 'starts, which says what is not'
unlike "$err" 'its template' 'and is what it was'
exit_is 0 'stop' afw stop other
exit_is 0 'trust again' afw trust --yes
exit_is 0 'now' afw start other
like "$err" 'other: its template verifier was of: user, and is of: repository' \
	'another one is used, which is reported'
exit_is 0 'stop' afw stop line
rm -r .af
exit_is 1 'if it was deleted' afw start line
like "$err" "start 'line': there is no template 'only'" 'that is reported'
done_testing
