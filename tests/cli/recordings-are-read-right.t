#!/bin/bash
# Recorded terminals of the real agents, through the rules and the whole fusion,
# compared with the truth that is recorded with them; and how a session makes
# such a recording.
. "$(dirname "$0")/../lib.sh"
afw_env
cd "$T" || exit 2
corpus=$ROOT/tests/corpus

# at_most LIMIT VALUE NAME
at_most()
{
	[ "$2" -le "$1" ]
	ok $? "$3 ($2)" || diag "more than $1"
}

# The aims: 99 % of the time right, waiting_for_input reported within 300 ms and
# working within 500, never "waiting" for more than a second while it works. A
# replay has no clock, so what is reached is held to: in 10,000 parts, and ms.
# A dialog in the composer's place is reported 100 ms later than a menu.
declare -A right=([claude]=9945 [codex]=9960 [gemini]=9950 [opencode]=9950 [pi]=9990
	[letta]=9900 [cline]=9910 [kilo]=9980 [copilot]=9970 [qwen]=9900)
# pi asks nothing.
declare -A waiting=([claude]=140 [codex]=140 [gemini]=140 [opencode]=40
	[letta]=160 [cline]=40 [kilo]=10 [copilot]=200 [qwen]=130)
declare -A working=([claude]=330 [codex]=40 [gemini]=200 [opencode]=220 [pi]=50
	[letta]=80 [cline]=70 [kilo]=110 [copilot]=160 [qwen]=300)
declare -A falsely=([claude]=330 [codex]=70 [gemini]=200 [opencode]=220 [pi]=0
	[letta]=80 [cline]=70 [kilo]=110 [copilot]=160 [qwen]=300)
for harness in claude codex gemini opencode pi letta cline kilo copilot qwen; do
	files=("$corpus/$harness"/*.cast)
	situations='idle interrupted api-error queued busy tool-running resumed'
	case $harness in
	pi) ;;
	letta | cline | kilo | copilot | qwen) situations+=' approval denied' ;;
	*)
		situations+=' thinking approval question long-output overlays'
		situations+=' limits limit-words'
		# OpenCode asks nothing when it is new.
		[ "$harness" = opencode ] && situations+=' help-window' ||
			situations+=' first-run'
		;;
	esac
	lacks=
	for situation in $situations; do
		[ -s "$corpus/$harness/$situation.cast" ] || lacks+=" $situation"
	done
	is "$lacks" '' "$harness: all situations are recorded"
	run "$ROOT/tests/bench/score" "${files[@]}"
	[[ $(tail -n 1 <<<"$out") =~ right\ ([0-9]+)\.([0-9]+)\ .*working\ after\ [0-9]+\ ms\ \(worst\ ([0-9]+)\).*waiting\ for\ ([0-9]+)\ ms ]]
	share=$((10#${BASH_REMATCH[1]}${BASH_REMATCH[2]}))
	in_time=${BASH_REMATCH[3]} false_for=${BASH_REMATCH[4]}
	[ "$share" -ge "${right[$harness]}" ]
	ok $? "$harness: right $share of 10000 parts" || diag "$out"
	at_most "${working[$harness]}" "$in_time" \
		"$harness: working told in time"
	at_most "${falsely[$harness]}" "$false_for" \
		"$harness: never waiting while it works"
	[ -n "${waiting[$harness]-}" ] || continue
	[[ $(tail -n 1 <<<"$out") =~ waiting_for_input\ after\ [0-9]+\ ms\ \(worst\ ([0-9]+)\) ]]
	at_most "${waiting[$harness]}" "${BASH_REMATCH[1]}" \
		"$harness: waiting_for_input told in time"
done
# What an agent's own program says of a limit is found, the same words from the
# model are not.
for key in claude:continues codex:limited codex:limited_option gemini:limited; do
	file=$corpus/${key%:*}/limits.cast key=${key#*:}
	exit_is 0 'limits' afw adapters test "$file"
	like "$out" "  $key +[0-9]+ screen" "$key is found in ${file#"$corpus"/}"
	exit_is 0 'words' afw adapters test "${file%limits.cast}limit-words.cast"
	like "$out" "  $key +nothing" 'and not in what the model writes'
done
exit_is 0 'the demo agent' "$ROOT/tests/bench/score" "$corpus"/demo/*.cast
# On a busy machine the same is printed piece by piece.
exit_is 0 'no session is falsely waiting because of pauses' "$ROOT/tests/bench/pauses" \
	--seed "${AF_TEST_SEED:-1}" "$corpus"/*/*.cast
diag "$out"
size=$(cat "$corpus"/*/*.cast | wc -c)
at_most 6200000 "$size" 'they are small'

# A rule of the user's own is what counts.
one=$corpus/codex/idle.cast
exit_is 0 'without the truth of a rule' sh -c \
	'grep -v "\"m\"" "$1" >bare.cast; afw adapters test bare.cast' - "$one"
unlike "$out" 'waiting_for_input' 'nothing waits'
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '[harness.opencode]\nwaiting = (Ask anything)\n' \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
one=$corpus/opencode/idle.cast
exit_is 0 'a wrong rule' afw adapters test "$one"
like "$out" 'waiting_for_input .*Ask anything' 'is reported'
like "$out" '  truth  idle' 'beside the truth'
exit_is 1 'and misses the aims' "$ROOT/tests/bench/score" "$one"
exit_is 0 'as JSON' afw adapters test --json "$one"
is "$(json truth.0.activity)" idle 'it has the truth, too'
like "$(json said.0)" '"activity":.*"source":.*"detail":' \
	'and what was said'

refused 2 'FILE is missing' 'no file is a mistake' afw adapters test
refused 2 '.tset. is not one of new, test' 'another word, too' afw adapters tset x
refused 1 'read .*none' 'a file that is not there' afw adapters test none
echo '{"version": 2, "width": 80, "height": 24}' >other.cast
refused 1 'which harness' "another's recording" afw adapters test other.cast
printf '{"version": 2, "width": 80, "height": 24}\n[1, "e", "{"]\n' >bad.cast
refused 1 'line 2' 'a broken one' afw adapters test bad.cast
printf '%s\n%s\n' '[1, "m", "activity=idle"]' '[2, "o", "x"]' |
	cat <(echo '{"version": 2, "afw_harness": "x\u001b]0;y\u0007"}') - \
		>$'e\e[2J.cast'
run afw adapters test $'e\e[2J.cast'
like "$out" 'truth  idle' 'a control byte that would be obeyed'
unlike "$out$err" $'[\e\a]' 'is shown without that'

make_repo "$T/repo"
cd "$T/repo" || exit 2
echo 'record = yes' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'a session that is recorded' afw new kept -- \
	sh -c 'printf "\033]7501;state=working\007busy\n"; cat'
waits_for 'afw capture kept | grep -q busy' 'it prints'
echo 'record = no' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'and one that would not' afw new plain -- sh -c 'echo hello; cat'
waits_for 'afw logs kept --record - | grep -q busy' 'logs --record'
exit_is 0 'into a file' afw logs kept --record "$T/kept.cast"
exit_is 0 'replayed' afw adapters test "$T/kept.cast"
like "$out" 'working +osc7501' 'it says what the session said'
unlike "$(afw logs kept --cast -)" '"e"' '--cast leaves the events out'
refused 1 'did not keep' 'nothing to replay' afw logs plain --record -
done_testing
