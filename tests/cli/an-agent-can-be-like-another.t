#!/bin/bash
# A section can be like another agent: afw starts, types to and reads its program
# as that one, under the section's own name.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir "$T/bin" "$XDG_CONFIG_HOME/afw"
export ASKER=$T
ini=$XDG_CONFIG_HOME/afw/afw.ini
ln -s "$ROOT/tests/cli/asker-agent" "$T/bin/asker"
cat >"$ini" <<END
[harness.claudine]
like = claude
command = $T/bin/asker --mine
env = CLAUDINE=on
deny = 7
[harness.claudia]
like = claudine
command = $T/bin/nothing
install_hint = get claudia
END

exit_is 0 'adapters' afw adapters --fast --json
is "$(json_of claudine adapter)/$(json_of claudine installed)" claude/true \
	'it is listed by its own name'
is "$(json_of claudia hint)" 'get claudia' 'and so is one like it'

menu()
{
	printf '%80s\n Bash command\n\n Do you want to proceed?\n ❯ 1. Yes\n' '' |
		sed '1s/ /─/g'
	printf '   2. No\n\n Esc to cancel'
}
menu >"$T/ask"
printf gone >"$T/on-7"
exit_is 0 'a session' afw new one -a claudine
asked()
{
	afw status one --json >"$T/.status" &&
		[ "$(json question "$T/.status")" = 'Do you want to proceed?' ]
}
waits_for asked 'its dialogs are read as those of the other'
exit_is 0 'deny' afw send one --deny -t 240s
is "$(<"$T/keys")" '7 ' 'by a key of its own'
is "$(json harness "$T/.status")" claudine 'it has its own name'
pid=$(json pid "$T/.status")
args=$(tr '\0' ' ' <"/proc/$pid/cmdline")
like "$args" 'asker --mine .*--settings .*/settings\.json' \
	'it has its own command, with the arguments of the other'
ok_cmd 'and its variable' grep -qz '^CLAUDINE=on$' "/proc/$pid/environ"
refused 1 'get claudia' 'one that is not installed' afw new two -a claudia

# wrong LIKE WHY
wrong()
{
	printf '[harness.x]\ncommand = cat\nlike = %s\n[harness.y]\nlike = x\n' \
		"$1" >"$ini"
	refused 2 "\[harness.[xy]\] like = [^ ]*: $2" "not like $1" afw new z -a x
	like "$(afw adapters --fast)" "x .*wrong: .*like = $1: $2" 'nor listed so'
}
wrong nobody 'there is no such agent'
wrong x 'it is like itself'
wrong y 'it is like itself'
wrong ../x ''
done_testing
