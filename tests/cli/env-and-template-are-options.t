#!/bin/bash
# env and template in afw.ini: variables and the role of each new session.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
ini=$T/config/afw/afw.ini
mkdir -p "$T/config/afw"
show='echo "<$A|$B|$C>"; cat'

printf "env = A=1 'B=two words'\nenv = A=last\n" >"$ini"
exit_is 0 'env' afw new one -- sh -c "$show"
waits_for 'afw logs one | grep -qF "<last|two words|>"' \
	'sets variables; the last value of a name is used'
printf 'B=file\n' >.env
echo 'env_file = .env' >>"$ini"
afw trust --yes >"$T/log" 2>&1
exit_is 0 '-e and env_file' afw new two -e A=given -- sh -c "$show"
waits_for 'afw logs two | grep -qF "<given|file|>"' 'override it'
sed -i '/env_file/d' "$ini"
echo 'env = C=later' >>"$ini"
exit_is 0 'a later start' afw restart one
waits_for 'afw logs one | grep -qF "<last|two words|later>"' 'reads it again'
is "$(grep -rl 'two words' "$DATA/sessions"/*/spec.json)" '' 'no value is in a spec'
exit_is 0 '-o' afw new three -o 'env=C=option' -- sh -c "$show"
waits_for 'afw logs three | grep -qF "<||option>"' 'replaces the list'
exit_is 0 'a sandbox' afw new four --sandbox landlock -o allow_degraded=yes -- sh -c "$show"
waits_for 'afw logs four | grep -qF "<last|two words|later>"' 'has them'

mkdir -p .af
echo 'env = A=repository' >.af/afw.ini
refused 9 'is not trusted' 'of a repository: before it is trusted' afw new five -- sh -c "$show"
exit_is 0 'trust' afw trust --yes
exit_is 0 'then' afw new five -- sh -c "$show"
waits_for 'afw logs five | grep -qF "<repository|two words|later>"' 'it is used'
rm -r .af
for wrong in 'A' '=x' '1A=x' 'secret-1234'; do
	echo "env = $wrong" >"$ini"
	refused 1 'env: .*must be NAME=VALUE' "env = $wrong" afw new six -- cat
	unlike "$err" 'secret-1234' 'the value is not printed'
done

# -- template -------------------------------------------------------------------

cat >"$ini" <<'END'
template = tester
[template.tester]
harness = demo
env = ROLE=mine
END
exit_is 0 'template' afw new six --no-start
run afw status --json six
is "$(json template):$(json harness)" tester:demo 'is the role of a new session'
exit_is 0 'another role' afw new seven -t ralph -a demo --no-start
run afw status --json seven
is "$(json template)" ralph 'overrides it'
exit_is 0 'none' afw new eight -t '' -- sh -c 'echo "<$ROLE>"; cat'
waits_for 'afw logs eight | grep -qF "<>"' "-t '' is none"
exit_is 0 'a command in the role' afw new nine -- sh -c 'echo "<$ROLE $AFW_ROLE>"; cat'
waits_for 'afw logs nine | grep -qF "<mine tester>"' 'has the variables of the role'
echo 'template = tseter' >"$ini"
refused 2 "no template 'tseter'" 'one that is not there' afw new ten -- cat
done_testing
