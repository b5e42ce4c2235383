#!/bin/bash
# attach shows the harness's screen in its colours, and every byte that the
# user's terminal sends reaches the harness unchanged.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

# A harness that wants all there is, and keeps what it is sent.
cat >"$T/rec" <<'END'
#!/bin/bash
stty raw -echo
printf '\033[?2004h\033[?1002h\033[?1006h'
printf '\033[1;31mRED\033[0m \033[38;2;1;2;3mTRUE\033[0m \033[48;5;22mGREEN\033[0m '
printf 'h\303\244\303\237 \346\274\242\345\255\227 e\314\201nd\r\n'
exec cat >"$1"
END
chmod +x "$T/rec"

# typed NAME BYTES: what the harness has got since the last time.
from=1
typed()
{
	local want
	want=$(printf "$2" | od -An -tx1 | tr -d ' \n')
	waits_for '[ "$(got)" = "'"$want"'" ]' "$1" got
	from=$(($(stat -c %s "$T/keys") + 1))
}
got()
{
	tail -c "+$from" "$T/keys" | od -An -tx1 | tr -d ' \n'
}

exit_is 0 'a session' afw new rec -- "$T/rec" "$T/keys"
tmux_start 80 24 bash --norc
tmux_type 'afw attach rec; echo "code $?"'
tmux_keys Enter
ok_cmd 'attach shows the screen' tmux_wait_for $'RED TRUE GREEN häß 漢字 e\u0301nd'
colours=$(tmux_screen -e)
like "$colours" $'\033\[1m?\033?\[?[0-9;]*31mRED' 'with its colours'
like "$colours" $'38;2;1;2;3mTRUE' 'true colour too'
like "$colours" $'48;5;22mGREEN' 'and those of 256'
waits_for \
	'[ "$(tm display -p -t =t: "#{mouse_any_flag}#{mouse_sgr_flag}")" = 11 ]' \
	'the modes that the harness set are set here'
isnt "$(json 0.phase <(afw ls --json))" '' 'it runs'

tmux_type 'plain text'
typed 'letters' 'plain text'
tmux_keys C-c
typed 'Ctrl-C' '\003'
tmux_keys C-z C-s C-q C-d
typed 'Ctrl-Z, Ctrl-S, Ctrl-Q, Ctrl-D' '\032\023\021\004'
tmux_keys C-Space
typed 'Ctrl-Space' '\000'
tmux_keys Up Down Right Left
typed 'arrows' '\033[A\033[B\033[C\033[D'
tmux_keys Enter Tab BSpace Escape
typed 'Enter, Tab, Backspace, Escape' '\r\t\177\033'
tmux_keys M-x F5 S-Up C-Left PPage
typed 'Meta, function, shifted keys' \
	'\033x\033[15~\033[1;2A\033[1;5D\033[5~'
tmux_type 'häß漢字🙂'
typed 'UTF-8' 'h\303\244\303\237\346\274\242\345\255\227\360\237\231\202'
tm send-keys -t =t: -H 1b 5b 3c 30 3b 35 3b 36 4d 1b 5b 3c 30 3b 35 3b 36 6d
typed 'mouse reports' '\033[<0;5;6M\033[<0;5;6m'
tmux_paste $'one\ntwo\t\\ three'
typed 'a paste stays one' '\033[200~one\ntwo\t\\ three\033[201~'
tmux_paste $'before \x1c after'
typed 'the detach key inside a paste is text' \
	'\033[200~before \034 after\033[201~'

# A big one: every byte, in order, although reads cut it anywhere.
head -c 300000 /dev/urandom | base64 >"$T/big"
tm load-buffer -b big "$T/big"
tm paste-buffer -d -p -r -b big -t =t:
{ printf '\033[200~'; cat "$T/big"; printf '\033[201~'; } >"$T/want"
waits_for '[ "$(tail -c +$from "$T/keys" | wc -c)" -ge "$(wc -c <"$T/want")" ]' \
	'400 KB pasted have come'
tail -c "+$from" "$T/keys" | cmp -s - "$T/want"
ok $? 'byte for byte'
from=$(($(stat -c %s "$T/keys") + 1))

tmux_type 'x'
typed 'after it a key is a key' 'x'
tmux_keys 'C-\'
ok_cmd 'Ctrl-\ detaches after a paste' tmux_wait_for 'code 0'
is "$(got)" '' 'and does not reach the harness'
is "$(tm display-message -p -t =t: '#{mouse_any_flag}')" 0 \
	'the mouse is the terminal'"'"'s again'
tmux_paste 'echo pasted'
tmux_keys Enter
ok_cmd 'the paste arrives, too' tmux_wait_for 'pasted'
unlike "$(tmux_screen)" '200~' 'without brackets'
exit_is 0 'it continues' afw status rec
tmux_stop
exit_is 0 'stop' afw stop rec
done_testing
