#!/bin/bash
# Only allowed output of the agent reaches the user's terminal, and the
# clipboard only if the user allows it.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
onpty=$BUILD/tests/tools/onpty

# Prints the content of a file whenever it gets a line.
cat >"$T/prints" <<'END'
#!/bin/bash
stty raw -echo
printf 'ready\033[?2004h'
while IFS= read -r -n 1 key; do
	case $key in
	p) cat "$1"; printf 'printed' ;;
	*) printf '%s' "$key" >>"$2" ;;
	esac
done
END
chmod +x "$T/prints"
text=$T/text keys=$T/keys
: >"$keys"
mkfifo "$T/in"
exit_is 0 'a session' afw new one -- "$T/prints" "$text" "$keys"

# attach ARGS: on a terminal whose keyboard is descriptor 7. A first key takes
# away the line that attach shows.
attach()
{
	: >"$T/screen"
	"$onpty" afw attach one "$@" <"$T/in" >"$T/screen" 2>&1 &
	pid=$!
	exec 7>"$T/in"
	wait_for 'grep -q ready "$T/screen"'
	prints '' ''
}
# prints TEXT: what came of it to the terminal, in $got.
prints()
{
	printf "$1" >"$text"
	from=$(($(stat -c %s "$T/screen") + 1))
	printf "$2p" >&7
	wait_for 'tail -c "+$from" "$T/screen" | grep -aq printed'
	got=$(tail -c "+$from" "$T/screen" | od -An -c | tr -d ' \n')
}
detach()
{
	printf '\034' >&7
	exec 7>&-
	wait "$pid"
}

attach
prints 'a\033[2hb\033P0;1|17/6c73\033\\c\033]4;1;rgb:1/2/3\ad\033]11;#ff0000\ae' ''
is "$got" abcdeprinted \
	'the keyboard is not locked, no key programmed, no colour changed'
prints 'a\033[5ib\033[3Jc\033]50;x\ad\033[?3he\302\233' ''
is "$got" abcdeprinted 'and no printer, scrollback, font, width; no C1 in UTF-8'
prints 'a\23552;c;aGk=\234b\2332Jc\220q\342\233\204d\342\233e' ''
is "${got//357277275/_}" a_52\;c\;aGk=_b_2Jc_q342233204d_eprinted \
	'C1 controls of one byte are U+FFFD, but not within a character'
prints "a\033]10;?;$(printf '%09000d' 1);?\a\033[$(printf '%02000d' 1)c\005b" ''
is "$got" abprinted 'long queries do not reach it'
prints '\033[1;31mred\033[0m \033]8;;http://x/\033\\link\033]8;;\033\\' ''
is "$got" '033[1;31mred033[0m033]8;;http://x/033\link033]8;;033\printed' \
	'colours and links do'
prints '\033]52;c;aGk=\a' ''
is "$got" '033]52;c;aGk=033\printed' 'the clipboard, while it has the focus'
prints '\033]52;c;aGk=\a' '\033[O'
is "$got" printed 'and not when it has lost it'
prints '\033]52;c;aGk=\a\033[?1004h' '\033[I'
is "$got" '033]52;c;aGk=033\printed' 'but again when it has it'
is "$(<"$keys")" '' 'focus reports are not typed'
printf '\033[Oz' >&7
waits_for '[ "$(cat "$keys")" = $'"'\033[Oz'"' ]' \
	'unless the agent wants to know'
detach
like "$(<"$T/screen")" $'\033''\[22;0t.*'$'\033''\[23;0t' \
	'its title is saved and restored'
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'clipboard = never' >"$XDG_CONFIG_HOME/afw/afw.ini"
attach
prints '\033]52;c;aGk=\a' '\033[I'
is "$got" printed 'clipboard = never'
detach
echo 'clipboard = always' >"$XDG_CONFIG_HOME/afw/afw.ini"
attach
prints '\033]52;c;aGk=\a' '\033[O'
is "$got" '033]52;c;aGk=033\printed' 'clipboard = always'
# Its own tab stops: the terminal keeps its own, and shows the same.
prints '\033[2J\033[H\033[3g\033[5G\033H\r\tX' ''
waits_for 'grep -a -q "    X" "$T/screen"' 'tab stops are painted'
unlike "$(<"$T/screen")" $'\033''\[3g' 'and not passed'
detach
exit_is 0 'stop' afw stop one

# The same of a session in tmux, by its own option.
exit_is 0 'in tmux' afw new two --backend tmux -- cat
for want in 'always on' 'never external' 'focused on'; do
	echo "clipboard = ${want% *}" >"$XDG_CONFIG_HOME/afw/afw.ini"
	like "$(afw attach two --print)" "set-clipboard ${want#* }" \
		"tmux: ${want% *}"
done
exit_is 0 'stop' afw stop two
done_testing
