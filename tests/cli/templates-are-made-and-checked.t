#!/bin/bash
# afw templates new, edit, check: roles of the user's own.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH"
unset VISUAL EDITOR
make_repo "$T/repo"
cd "$T/repo" || exit 2
own=$DATA/templates

# -- new --------------------------------------------------------------------

exit_is 0 'new' afw templates new mine
is "$out" "mine: $own/mine" 'says where it is'
exit_is 0 'which is sound' afw templates check mine
exit_is 0 'and can be used' afw new one -t mine -a demo --no-start
like "$(json system_prompt "$(session_dir one)/spec.json")" \
	'You are the mine of one' 'at once'
echo 'Mine.' >"$own/mine/prompt.md"
refused 4 "template 'mine' exists already: $own/mine" 'a second time' \
	afw templates new mine
is "$(<"$own/mine/prompt.md")" 'Mine.' 'nothing is written over'
mkdir "$own/mine/home"
printf '#!/bin/sh\n' >"$own/mine/home/run"
chmod 700 "$own/mine/home/run"
exit_is 0 '--from' afw templates new other --from mine --json
is "$(json path)" "$own/other" 'as JSON'
is "$(cd "$own" && diff -r mine other)" '' 'has all that the other has'
is "$(stat -c %a "$own/other/home/run")" 700 'programs too'
exit_is 0 "from one of afw's, by its own name" \
	afw templates new ralph --from ralph
refused 2 'no template .ralp.*did you mean ralph' 'from a missing one' \
	afw templates new x --from ralp
refused 2 'letters, digits' 'no path is a name' afw templates new ../x
refused 2 "cannot be called 'check'" 'and not a verb of this command' \
	afw templates new check
refused 2 'NAME is missing' 'without a name' afw templates new
refused 2 'not one of new, edit, check' 'another word' afw templates make x
refused 2 '\-\-from is only for new' '--from elsewhere' \
	afw templates check mine --from ralph
is "$(ls -A "$own" | tr '\n' ' ')" 'mine other ralph ' 'nothing else was made'
like "$(afw completion words -- templates edit '')" $'mine\n' \
	'names are completed'

# -- check ------------------------------------------------------------------

cat >"$own/other/template.ini" <<'END'
harness = nobody
[service.db]
ready = tcp:80
END
printf 'Fine.\n${AFW_ROL}\n' >"$own/other/prompt.md"
ln -s /etc/passwd "$own/other/home/link"
exit_is 1 'check of all' afw templates check
like "$err" 'afw: 1 template cannot be used' 'finds the template with mistakes'
like "$out" 'mine: sound' 'the others are sound'
at="$own/other"
like "$err" "$at/template.ini:1: there is no agent 'nobody'" 'its harness'
like "$err" "$at/template.ini:3: \[service.db\] needs a command" 'its service'
like "$err" "$at/prompt.md:2: unknown .*AFW_ROLE" 'its prompt'
like "$err" "read $own/other/home/link: it is a symbolic link" 'its home'
exit_is 1 'as JSON' afw templates check other --json
is "$(json 0.name)" other 'by name'
like "$(json 0.mistakes.3)" 'symbolic link' 'with all mistakes'
rm "$own/other/home/link"
printf 'harnes = demo\n\nsetup = a | b\n' >"$own/other/template.ini"
echo fine >"$own/other/prompt.md"
exit_is 1 'wrong keys and values' afw templates check other
like "$err" "other/template.ini:1: unknown key 'harnes'.*line 3: setup" \
	'are reported together'
printf '[mcp.x]\nurl = http://h/${A}\n' >"$own/other/template.ini"
exit_is 1 'an MCP server that no agent could be given' afw templates check other
like "$err" "MCP server 'x': url: a variable cannot be used" 'is reported'
echo 'harness = opencode' >"$own/other/template.ini"
exit_is 1 'a harness that is not installed' \
	env PATH="$BUILD" "$BUILD/afw" templates check other
like "$err" 'template.ini:1: .*is not installed' 'is reported'
exit_is 1 'and no session is made' \
	env PATH="$BUILD" "$BUILD/afw" new x -t other
like "$err" 'is not installed' 'for the same reason'
refused 2 'no template .othr.*other' 'a missing one' \
	afw templates check othr
printf 'x\0y' >"$own/other/prompt.md"
echo >"$own/other/template.ini"
exit_is 1 'a prompt that is no text' afw templates check other
like "$err" 'prompt.md: it holds control characters' 'is reported'
ln -sf "$T/nowhere" "$own/other/prompt.md"
exit_is 1 'a prompt that is a link to nothing' afw templates check other
like "$err" 'read .*other/prompt.md: No such file' 'is reported'
rm "$own/other/prompt.md"
echo x >"$own/other/prompt.md"

ln -s /nowhere "$own/lost"
exit_is 0 'a link that leads nowhere' afw templates -q
unlike "$out" lost 'is no template'
rm "$own/lost"

# -- edit -------------------------------------------------------------------

cat >"$T/editor" <<'END'
#!/bin/sh
printf '%s\n' "$@" >"$0.args"
cp "$0.ini" "$2"
END
chmod +x "$T/editor"
echo 'harness = demo' >"$T/editor.ini"
export EDITOR="'$T/editor' -w"
exit_is 0 'edit' afw templates edit mine
is "$(<"$T/editor.args")" "-w
$own/mine/template.ini
$own/mine/prompt.md" 'has the editor open its files'
is "$out" 'mine: sound' 'and checks them'
echo 'harness = dem' >"$T/editor.ini"
exit_is 1 'a mistake' env VISUAL="$EDITOR" EDITOR=false "$BUILD/afw" \
	templates edit mine
like "$err" "^$own/mine/template.ini:1: there is no agent 'dem'" 'is reported'
refused 1 'false has failed' 'an editor that fails' \
	env EDITOR=false "$BUILD/afw" templates edit mine
refused 1 'no-such-editor' 'a missing one' \
	env EDITOR=no-such-editor "$BUILD/afw" templates edit mine
refused 9 "is afw's own.*new planner --from planner" "one of afw's" \
	afw templates edit planner
refused 2 'no template .min.*mine' 'a template that is not there' \
	afw templates edit min

# -- where the repository has one -------------------------------------------

mkdir -p .af/templates/mine
echo 'Theirs.' >.af/templates/mine/prompt.md
afw trust --yes >"$T/.null"
rm -r "$own/mine"
exit_is 0 'a name that the repository has' afw templates new mine
like "$err" "mine: the repository's own template of that name is used here" \
	'can be used, which is reported'
echo 'check = true' >"$T/editor.ini"
exit_is 0 'edit' afw templates edit mine
like "$err" 'used after .afw trust.' "opens the repository's"
is "$(cat .af/templates/mine/template.ini)" 'check = true' 'which counts here'
done_testing
