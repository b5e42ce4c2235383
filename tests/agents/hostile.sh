# hostile.sh - the table of hostile.js through one harness: what reaches the
# model is what was promised. Sourced after agent.sh.
#
#	hostile HARNESS		after agent_begins
#
# With the sanitizers, which look at afw, Claude and Codex share the table: each
# sends every other message. Without them all four send all.

hostile()
{
	local number verdict name before every=1 first=0
	if [ -n "${SANITIZE-}" ]; then
		every=2
		[ "$1" != codex ] || first=1
	fi
	exit_is 0 'new' afw new fix -a "$1" -- "${ASKS[@]}"
	waits_for '[ "$(state fix)" = running/idle ]' 'it is ready'
	while read -r number verdict name; do
		[ $((number % every)) = $first ] || continue
		node "$ROOT/tests/agents/hostile.js" write "$number" \
			"$T/message"
		before=$(turns)
		if [ "$verdict" = usage ]; then
			exit_is 2 "$name: is refused" \
				afw send fix -F "$T/message"
			is "$(turns)" "$before" "$name: nothing arrives"
			continue
		fi
		exit_is 0 "$name: send" afw send -t 240s fix -F "$T/message" || {
			diag "$(afw capture fix | tail -20)"
			run afw restart fix # the next ones are not to suffer
			is_idle fix 60
			continue
		}
		wait_for "[ \$(turns) -gt $before ]"
		ok_cmd "$name: arrives as promised" node \
			"$ROOT/tests/agents/hostile.js" compare "$number" \
			"$1" "$REQUESTS"
		is "$(turns)" $((before + 1)) "$name: as one message"
		is_state fix running/completed
	done < <(node "$ROOT/tests/agents/hostile.js" list)

	exit_is 0 'the user opens its shell' afw send fix --keys '!'
	waits_for 'afw capture fix | grep -iq "shell mode"' 'which is shown'
	refused 9 'input field' 'it takes no message' afw send fix 'touch owned'
	exit_is 0 'the user closes it' afw send fix --keys Escape
	is "$(find "$T" -name owned)" '' 'nothing was run'
	is "$(afw ls --json | grep -c '"phase":"running"')" 1 'it still runs'
}
