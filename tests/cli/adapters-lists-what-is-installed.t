#!/bin/bash
# afw adapters lists all agents, with version and path if installed, also
# configured ones.
. "$(dirname "$0")/../lib.sh"
afw_env
mkdir -p "$T/bin" "$XDG_CONFIG_HOME/afw"
cd "$T" || exit 2
export PATH="$BUILD:$T/bin:/usr/bin:/bin"
printf '#!/bin/sh\necho "9.8.7 (fake)"\n' >"$T/bin/codex"
printf '#!/bin/sh\nexit 1\n' >"$T/bin/opencode"
printf '#!/bin/sh\necho x >written; echo 4.5.6 >&2\n' >"$T/bin/gemini"
printf '#!/bin/sh\necho 1\n' >"$T/bin/aider"
chmod +x "$T"/bin/*
printf '%s\n' '[harness.aider]' 'command = aider --yes' 'composer_top = ^---' \
	'composer_end = ^---' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'adapters' afw adapters --json
is "$(json 1.name) $(json 1.installed) $(json 1.version)" \
	'codex true 9.8.7 (fake)' 'an installed one has a version'
is "$(json 1.path)" "$T/bin/codex" 'and a path'
is "$(json 2.version)" 4.5.6 'also one that prints it on standard error'
nok_cmd 'no program writes into the directory of the user' [ -e written ]
is "$(json 3.installed)" true 'an agent that does not report its version'
nok_cmd 'has none' json_has 3.version
is "$(json 1.tried)" "$(sed -n 's/^tried = //p' \
	"$ROOT/share/adapters/codex.ini")" 'and what afw was tried with'
is "$(json_of aider adapter) $(json_of aider installed)" 'generic true' \
	'a configured one is listed'
is "$(json_of pi adapter) $(json_of pi installed)" 'generic false' \
	'and one that a file of share/adapters describes'
like "$(json_of pi hint)" '^npm install ' 'with the way to install it'
exit_is 0 'adapters --fast' afw adapters --fast --json
is "$(json 1.installed)" true 'knows what is installed'
nok_cmd 'and asks for no versions' json_has 1.version
exit_is 0 'adapters for people' afw adapters
like "$out" "codex +Codex +9.8.7 \\(fake\\) [^/]*$T/bin/codex" 'is a table'
like "$out" 'codex: afw was tried with version [0-9.]+;' \
	'another version is reported'
unlike "$out" 'demo' 'no stand-in is needed'
run afw doctor
like "$out" 'agent codex +[^ ]+, version 9\.8\.7 .*afw was tried with another' \
	'doctor reports it, too'
rm "$T"/bin/*
exit_is 0 'if no agent is installed' afw adapters
like "$out" 'None is installed.* -a demo' 'the stand-in is named'
exit_is 0 'doctor' afw doctor
like "$out" 'hint: .*afw adapters.* -a demo' 'names it, too'
make_repo "$T/repo"
cd "$T/repo" || exit 2
refused 1 'not installed.*hint: .*`-a demo`' 'and so does new' afw new x
exit_is 0 'which runs it' afw new x -a demo
refused 1 'pi is not installed.*hint: npm install ' \
	'so does new with an agent of share/adapters' afw new y -a pi
done_testing
