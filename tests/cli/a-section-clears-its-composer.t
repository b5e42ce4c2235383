#!/bin/bash
# What a message or an interrupt left in the composer is cleared by the keys of
# the section before the next message is typed.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir "$XDG_CONFIG_HOME/afw"
# It takes no Enter while there is the file "deaf"; Escape ends a turn, whose
# text it puts back.
cat >"$T/agent" <<'END'
#!/bin/bash
cd "${0%/*}" || exit
stty raw -echo
text= was= row=
draw() { printf '\e[2J\e[H%s\r\n\r\n---\e[2;1H> %s' "$row" "$text"; }
printf '\e[?2004h'
draw
while IFS= read -rsN1 key; do
	case $key in
	[$'\r\n'])
		if [ -e deaf ]; then :; else
			was=$text text= row=working
			echo "$was" >>log
			[ "$was" = long ] || { draw; sleep 1; row=rested; }
		fi
		;;
	$'\x15') echo clear >>log; text= ;;
	$'\e')
		if [ "$row" = working ]; then
			row=stopped text=$was
		else
			IFS= read -rsd '~' _
		fi
		;;
	*) text+=$key ;;
	esac
	draw
done
END
chmod +x "$T/agent"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
[harness.it]
command = $T/agent
busy = ^working
composer = ^>( .*)?\$
composer_end = ^---
interrupt = Escape
clear = C-u
END
: >"$T/deaf"
exit_is 0 'a session' afw new one -a it
exit_is 8 'a message whose Enter is not taken' afw send one first
like "$err$out" 'still' 'is left in the composer'
rm "$T/deaf"
exit_is 0 'the next one' afw send one -w long-ago
is "$(tr '\n' ' ' <"$T/log")" 'clear long-ago ' 'is typed after the key that clears it'

exit_is 0 'a long turn' afw send one long
exit_is 0 'interrupt' afw interrupt one
waits_for 'afw capture one | grep -q "> long"' 'puts its text back'
exit_is 0 'the next one' afw send one -w last
is "$(tr '\n' ' ' <"$T/log")" 'clear long-ago long clear last ' 'is typed after the same key'

exit_is 0 'a draft of a person' afw send one --keys m i n e
refused 9 'holds a draft' 'is not cleared' afw send one more
is "$(tail -n 1 "$T/log")" last 'nothing was pressed for that'
done_testing
