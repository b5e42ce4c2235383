#!/bin/bash
# A section may have a pause between two keys of an interrupt or an answer. In it
# the screen can change: then the second key is not pressed.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir "$T/bin" "$XDG_CONFIG_HOME/afw"
export ASKER=$T
ini=$XDG_CONFIG_HOME/afw/afw.ini
ln -s "$ROOT/tests/cli/asker-agent" "$T/bin/asker"
cat >"$ini" <<END
[harness.slow]
command = $T/bin/asker
idle = ^resting
busy = ^working
waiting = ^(.*[?]) [(]y/n[)]
approval = ^(Run .*[?]) [(]y/n[)]
deny_dialog = ^Why not
interrupt = Escape 500 Escape
approve = y 300 Enter
deny = Escape 300 Enter
END

# shows TEXT: in one step.
shows()
{
	: >"$T/keys"
	: >"$T/times"
	printf '%b' "$1" >"$T/.ask"
	mv "$T/.ask" "$T/ask"
}

activity_is()
{
	afw status one --json >"$T/.status" &&
		[ "$(json activity "$T/.status")" = "$1" ]
}

asked()
{
	afw status one --json >"$T/.status" &&
		[ "$(json question "$T/.status")" = "$1" ]
}

# gap: ms between the two keys, as the agent read them, up to 50 ms late.
gap()
{
	mapfile -t at <"$T/times"
	echo $(((at[1] - at[0]) / 1000))
}

shows resting
exit_is 0 'a session' afw new one -a slow
shows working
waits_for 'activity_is working' 'it works'
exit_is 0 'an interrupt' afw interrupt one
waits_for '[ "$(<"$T/keys")" = "Esc Esc " ]' 'presses both keys'
ok_cmd 'with the pause' [ "$(gap)" -ge 400 ]

printf resting >"$T/on-Esc"
shows working
waits_for 'activity_is working' 'it works again'
exit_is 0 'an interrupt that one key gives' afw interrupt one
waits_for 'activity_is idle' 'ends the turn'
is "$(<"$T/keys")" 'Esc ' 'and presses no second one in the composer'

printf 'Run A? (y/n)' >"$T/on-Esc"
shows working
waits_for 'activity_is working' 'once more'
exit_is 0 'an interrupt that a question crosses' afw interrupt one
waits_for 'asked "Run A?"' 'leaves it'
is "$(<"$T/keys")" 'Esc ' 'and does not answer it'
shows 'Run A? (y/n)'
printf resting >"$T/on-Enter"
exit_is 0 'an approval' afw send one --approve -t 240s
is "$(<"$T/keys")" 'y Enter ' 'takes both keys'
ok_cmd 'with the pause' [ "$(gap)" -ge 200 ]

shows 'Run B? (y/n)'
printf 'Run C? (y/n)' >"$T/on-y"
waits_for 'asked "Run B?"' 'another question'
# On a slow machine the second key comes before the screen has changed.
run afw send one --approve -t 240s
is "$code" 8 'one that changes after the first key'
like "$err" 'another approval is on its screen' 'is reported'
is "$(<"$T/keys")" 'y ' 'and gets no second one'

shows 'Run D? (y/n)'
printf 'Why not\nReason? (y/n)' >"$T/on-Esc"
printf resting >"$T/on-Enter"
waits_for 'asked "Run D?"' 'a question whose refusal opens a dialog'
exit_is 0 'is denied' afw send one --deny -t 240s
is "$(<"$T/keys")" 'Esc Enter ' 'by a key in each'

shows 'Run E? (y/n)'
printf resting >"$T/on-Esc"
waits_for 'asked "Run E?"' 'one whose refusal opens none'
exit_is 8 'is perhaps denied' afw send one --deny -t 3s
is "$(<"$T/keys")" 'Esc ' 'and nothing is typed into the composer'

# wrong KEYS WHY
wrong()
{
	printf '[harness.x]\ncommand = cat\ninterrupt = %s\n' "$1" >"$ini"
	refused 1 "afw.ini:3: interrupt: $2" "no keys: $1" afw adapters --fast
}
wrong '400 Escape' 'a pause is between two keys'
wrong 'Escape 400' 'a pause is between two keys'
wrong 'Escape 400 400 Escape' 'a pause is between two keys'
wrong 'Escape 20 Escape' 'a pause of less than 50 ms'
wrong 'Escape 1500 a 1500 b' 'pauses of more than 2000 ms'
wrong 'Escape 99999999999 b' 'unknown key'
wrong 'Escape -5 b' 'unknown key'
done_testing
