#!/bin/bash
# Messages that would be commands, keys or the end of Claude Code reach the
# model as the text that was sent.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/claude.sh"
claude_env
make_repo "$T/repo"
claude_trusts "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'new' afw new fix -a claude -- "${ASKS[@]}"
wait_for 30 '[ "$(state fix)" = running/idle ]'
ok $? 'it is ready'

# message NAME TEXT: \n and other escapes of printf's %b are made.
message()
{
	local before
	before=$(turns)
	printf '%b' "$2" >"$T/message"
	exit_is 0 "$1: send" afw send fix -F "$T/message" || {
		diag "$(afw capture fix)"
		return
	}
	wait_for 10 "[ \$(turns) -gt $before ]"
	ok_cmd "$1: arrives as it is" arrived "$T/message"
	wait_for 10 '[ "$(state fix)" = running/completed ]' ||
		fail "$1: the turn ends"
}

message 'one word' 'hello'
message 'one character' 'y'
message 'a slash command' '/help'
message 'a command behind blanks' '  /clear now'
message 'a command that nobody knows' '/nosuch thing'
message 'a path' '/etc/passwd is a file'
message 'a shell command' '!touch '"$T/repo/owned"
message 'a memory' '#remember'
message 'exit' 'exit'
message 'quit in vi' ':q!'
message 'a question mark' '?'
message 'an at sign' 'look at @README'
message 'a trailing backslash' 'path C:\\\\'
message 'several lines' 'one\ntwo\n\n  three\n'
message 'lines that are commands' 'do:\n/clear\n!ls\nexit\n'
message 'tabs' 'a\tb\n\tc'
message 'wide characters' '日本語 and 👩‍👩‍👧 and ü'
message 'a placeholder' '[Pasted text #1 +3 lines]'
message 'markup' '<b> & <system-reminder>'
message 'ten kilobytes' "$(printf 'line %s of a long message\\n' {1..400})"
message 'one line of 3000' "$(printf 'word%s ' {1..400})"
nok_cmd 'nothing was run' test -e "$T/repo/owned"

printf 'keys \033[A\033[201~\r\003\004 end' >"$T/message"
before=$(turns)
run afw send fix -F "$T/message"
if [ "$code" -eq 0 ]; then
	wait_for 10 "[ \$(turns) -gt $before ]"
	unlike "$(last_text)" $'[\001-\010\013-\037]' 'no control bytes arrive'
	like "$(last_text)" '^keys .* end$' 'the text does'
else
	is "$code" 2 'control bytes are refused'
	like "$err" 'control|ESC|byte' 'and the reason is told'
fi
is "$(afw ls --json | grep -c '"phase":"running"')" 1 'it still runs'
claude_end
