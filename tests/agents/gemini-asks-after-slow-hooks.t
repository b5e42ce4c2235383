#!/bin/bash
# The real Gemini CLI runs its hooks before it shows an approval. If a hook of
# the user is slow, its title reports work all the while, and then it asks.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/gemini.sh"
. "$(dirname "$0")/life.sh"
gemini_env
mkfifo "$T/go" && exec {go}<>"$T/go"
cat >"$T/slow" <<'END'
#!/bin/bash
echo >>"$1/begun"
read -r -t 60 <>"$1/go"
echo '{}'
END
chmod +x "$T/slow"
cat >"$HOME/.gemini/settings.json" <<END
{"security": {"auth": {"selectedType": "gemini-api-key"}},
 "general": {"enableAutoUpdate": false},
 "hooks": {"Notification": [{"matcher": "*", "hooks": [
  {"type": "command", "command": "$T/slow $T", "timeout": 90000}]}]}}
END
make_repo "$T/repo"
cd "$T/repo" || exit 2

exit_is 0 'trust' afw trust -y
life_begins gemini "${ASKS[@]}"
exit_is 0 'a message that leads to a tool' \
	afw send fix "run it [[tool=bash:touch '$T/made']]"
waits_for 'test -e "$T/begun"' 'it runs the hook of the user'"'"'s'
begun=$(date -r "$T/begun" +%s%3N)
is_state fix running/waiting_for_input

# After ten seconds without a menu afw believes the title, and that is right.
fresh()
{
	[ $(($(date +%s%3N) - begun)) -lt 8000 ]
}

# 0.7 s is what such a word is worth that something newer contradicts.
from=${EPOCHREALTIME/./}
seen=
while [ $((${EPOCHREALTIME/./} - from)) -lt 3000000 ]; do
	now=$(state fix)
	fresh || break
	[ "$now" = running/waiting_for_input ] || seen+=" $now"
	nap
done
explained=$(afw status fix --explain)
run afw send fix 'yes please'
if fresh; then
	is "$seen" '' 'it asks, whatever its title says'
	like "$explained" 'title .*working' 'which is that it works'
	is "$code" 9 'a send at that moment is refused'
	like "$err" 'asks something first' 'for that reason'
else
	skip 4 'the machine stood still for seconds'
fi
echo >&"$go"
waits_for 'afw capture fix | grep -q "Allow execution"' 'its menu comes'
is_state fix running/waiting_for_input
nok_cmd 'nothing was approved' test -e "$T/made"
interrupted fix 'an interrupt takes the question away'
agent_end
