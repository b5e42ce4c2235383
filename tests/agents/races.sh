# races.sh - messages sent while an approval comes up. Sourced after agent.sh.
#
# A message makes the model call a tool, and another one is sent meanwhile.
# Three times of four with --now, into the busy agent, whether its adapter
# thinks that wise or not (unless RACES_NOW is no), and so timed that the approval comes up before,
# between and after the paste, its echo and Enter. The approval is then
# denied. What the tool would have made must never be there; the other message
# arrived once, or its receipt says that it did not.

RACES_NOW=yes
RACERS=${RACERS:-3} # sessions at once: a race is mostly waiting

# races HARNESS [ARGS...]: AFW_RACES of them, in the current repository.
races()
{
	local racer racers=() pid pids=() asked
	local n=${AFW_RACES:-50}
	mkdir -p "$XDG_CONFIG_HOME/afw"
	[ "$RACES_NOW" = no ] || printf '[harness.%s]\nsend_busy = yes\n' "$1" \
		>>"$XDG_CONFIG_HOME/afw/afw.ini"
	[ "$n" -ge $((RACERS * 4)) ] || RACERS=1
	for ((racer = 1; racer <= RACERS; racer++)); do
		racers+=("r$racer")
		exit_is 0 "r$racer starts" afw new "r$racer" -a "$1" \
			-m 'hello [[text=hello]]' -- "${@:2}"
	done
	for racer in "${racers[@]}"; do
		is_state "$racer" running/completed
	done
	for racer in "${racers[@]}"; do
		_racer "$racer" $(((n + RACERS - 1) / RACERS)) &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid"
		ok $? 'each race is run to its end' ||
			diag "$(cat "$T"/r*/lost 2>/dev/null)"
	done
	is "$(ls "$T"/.af_worktrees/*/made 2>/dev/null)" '' \
		'no tool was approved'
	ok_cmd "in $n races or more" [ "$(cat "$T"/r*/raced | wc -l)" -ge "$n" ]
	asked=$(cat "$T"/r*/asked | wc -l)
	# Codex calls no tool if it has the second message, on a slow machine often.
	ok_cmd "of which a sixth asked at least: $asked" [ "$asked" -ge $((n / 6)) ]
	cat "$T"/r*/raced >"$T/raced"
	_races_arrived "$1" "$T/raced" >"$T/arrived"
	ok $? 'each message arrived once, or its receipt says that it did not'
	diag "$(<"$T/arrived")"
	for racer in "${racers[@]}"; do
		run afw stop "$racer"
	done
	waits_for '[ -z "$(own_agents)" ]' 'nothing is left'
}

# _racer SESSION N: in a subshell; files of its own.
_racer()
{
	local i lost=0 made=$T/.af_worktrees/repo-$1/made
	mkdir "$T/$1"
	T=$T/$1
	: >"$T/raced"
	for ((i = 1; i <= $2; i++)); do
		_race "$1" "$i" || { lost=1; break; }
	done
	within "$DEADLINE" "_race_free $1" || { _race_lost "$1" end || :; lost=1; }
	afw events "$1" --json >"$T/events"
	return $lost
}

# _race SESSION I
_race()
{
	local now=() k think=$((RANDOM % 300)) how=plain note=''
	# Cline stops after five identical commands.
	[ "$RACES_NOW" = yes ] || note=" # $2"
	if [ "$RACES_NOW" = yes ] && [ $(($2 % 4)) -ne 0 ]; then
		# It waits for a second after the Enter of the first.
		now=(--now) think=$((600 + RANDOM % 800)) how=now
	fi
	# Typed, also where it would be posted past the screen (OpenCode).
	[ "$RACES_NOW" = no ] || [ $(($2 % 4)) -ne 1 ] || { now+=(--raw); how=now,raw; }
	_race_clear "$1"
	_race_tool "$1" "$(printf '%s.t%d [[think=%d.%03d]]' "$1" "$2" \
		$((think / 1000)) $((think % 1000))) [[tool=bash:touch '$made'$note]]" ||
		{ _race_lost "$1" "no tool: $err"; return; }
	for ((k = RANDOM % 10; k > 0; k--)); do nap; done
	run afw send "${now[@]}" --json "$1" "$1.b$2 [[text=ok]]"
	echo "$1.b$2 $how $(_json receipt) $(_json message) $(_json detail)" \
		>>"$T/raced"
	[ "$how $(_json receipt)" != 'now,raw unconfirmed' ] || : >"$T/typed"
	# Codex takes a second message into the turn, and may call no tool then.
	within "$DEADLINE" "_race_asks $1 || _race_free $1" ||
		{ _race_lost "$1" 'no question'; return; }
	[ ! -e "$made" ] || { _race_lost "$1" 'approved'; return; }
	_race_asks "$1" || return 0
	echo "$1" >>"$T/asked"
	# A slow agent may show it for longer than afw looks.
	for k in 1 2 3; do
		run afw send "$1" --deny
		[ "$code" != 0 ] || return 0
		within 5 "! _race_asks $1" && return 0
	done
	_race_lost "$1" "not denied: $err"
}

# What was typed and got no Enter, because the approval came, may stand there
# yet: what is posted past it (OpenCode) is not held up by it, but what is typed
# would wait behind it for ever. Not each time: for a while behind such keys
# what is sent is refused, and races with nothing.
_race_clear()
{
	[ -e "$T/typed" ] || return 0
	wait_for "_race_free $1 || _race_asks $1"
	! _race_asks "$1" || return 0
	afw send "$1" --keys C-u >/dev/null && rm "$T/typed"
}

# _race_tool SESSION TEXT: the first message. What was typed of the last
# race's second one and got no Enter, because the approval came, is cleared;
# and where an agent had kept that one for itself, it comes now.
_race_tool()
{
	# A slow agent may show what is cleared for seconds.
	local end=$((${EPOCHREALTIME/./} + 60000000))
	while [ "${EPOCHREALTIME/./}" -lt "$end" ]; do
		within "$DEADLINE" "_race_free $1 || _race_asks $1" || return
		! _race_asks "$1" || return 0
		run afw send "$1" "$2"
		case $code:$err in
		0:*) return 0 ;;
		9:*draft*)
			afw send "$1" --keys C-u >/dev/null
			within 10 "! _race_draft $1"
			;;
		# Unconfirmed; a question appears; after one, no composer yet.
		8:* | 9:*asks* | 9:*input\ field\ is\ not*) ;;
		*) return 1 ;;
		esac
	done
	return 1
}

_race_lost()
{
	# Reported after the result that it is about.
	{
		echo "$1: $2"
		afw capture "$1" | grep -v '^$' | tail -n 15
		afw status "$1" --explain
	} >>"$T/lost"
	return 1
}

_race_asks()
{
	afw status "$1" --json >"$T/.state" &&
		[ "$(json question_id "$T/.state")" != null ]
}

_race_draft()
{
	afw status "$1" --explain --json | grep -q '"composer": *"draft"'
}

# What was typed and got no Enter is left in the composer: as a person does,
# presses the key that afw names, once.
_race_clear_left()
{
	local left='was left in its input field: Ctrl-. clears it$' detail
	detail=$(json detail "$T/.state")
	[[ $detail =~ $left ]] || return 0
	detail=${detail% clears it}
	afw send "$1" --keys "C-${detail: -1}" >/dev/null
	within 10 '! afw status '"$1"' --json | grep -q "left in its input field"'
}

# At rest, and nothing queued.
_race_free()
{
	case $(state "$1") in
	running/idle | running/completed) ;;
	running/waiting_for_input) _race_clear_left "$1"; return 1 ;;
	*) return 1 ;;
	esac
	[ "$(json queued "$T/.state")" = 0 ]
}

# _races_arrived HARNESS FILE: what the receipts in FILE say, against what the
# model got. Of what was queued the last receipt, which came later, tells. What
# OpenCode has taken while it was busy stands in its conversation, and when its
# turn is then denied the model gets it with the next one.
_races_arrived()
{
	_requests 'const got = {};
		const [harness, file] = process.argv[2].split(" ");
		for (const r of main.filter((r) => !r.after))
			for (const [word] of r.text.matchAll(/\br\d+\.b\d+\b/g))
				got[word] = (got[word] || 0) + 1;
		const last = (session, id) => fs.readFileSync(
			file.replace("raced", `${session}/events`), "utf8")
			.trim().split("\n").map((l) => JSON.parse(l))
			.find((e) => e.event === "receipt" && e.last &&
				e.message === +id);
		const sums = {};
		let bad = 0;
		const lines = fs.readFileSync(file, "utf8").trim();
		for (const line of lines.split("\n")) {
			let [word, how, receipt, id] = line.split(" ");
			const times = got[word] || 0;
			if (receipt === "queued")
				receipt = "queued, " + (last(word.split(".")[0],
					id)?.receipt || "nothing");
			const fine = /refused|failed/.test(receipt) ? times === 0
				: /unconfirmed/.test(receipt) ||
				  how !== "plain" && harness === "opencode"
					? times <= 1
				: /accepted/.test(receipt) && times === 1;
			const key = `${how} ${receipt}: arrived ${times} times`;
			sums[key] = (sums[key] || 0) + 1;
			if (!fine)
				console.log(`bad: ${line}`);
			bad += !fine;
		}
		for (const key of Object.keys(sums).sort())
			console.log(`${sums[key]} ${key}`);
		process.exit(bad ? 1 : 0);' "$1 $2"
}

# overtaken HARNESS [ARGS...]: in a session fix, whose Enter comes so late that
# an approval is there first, "two" is typed and gets none: it is held. The
# approval is then answered. Again in that session if it is there.
overtaken()
{
	local try before sender
	if ! afw status fix >/dev/null 2>&1; then
		mkdir -p "$XDG_CONFIG_HOME/afw"
		printf '[harness.%s]\nenter_delay = 5000\n' "$1" \
			>>"$XDG_CONFIG_HOME/afw/afw.ini"
		exit_is 0 'new' afw new fix -a "$1" -m 'hello [[text=hello]]' \
			-- "${@:2}"
		is_state fix running/completed
	fi
	# On a busy machine the approval may come too late.
	for try in 1 2 3 4 5; do
		rm -f "$T/go"
		exit_is 0 'a message that leads to a tool' afw send fix \
			"one [[until=$T/go]] [[tool=bash:touch made$try]]"
		before=$(_pasted)
		afw send --now -t 240s fix 'two [[text=two]]' >"$T/sent" 2>&1 &
		sender=$!
		wait_for "[ \$(_pasted) -gt $before ]"
		touch "$T/go"
		wait "$sender" || :
		wait_for 'state fix
			[ "$(json question_id "$T/.state")" != null ]'
		answers --approve "$(json question_id "$T/.state")"
		! grep -q ': held: ' "$T/sent" || break
		is_state fix running/completed
	done
	like "$(<"$T/sent")" '^fix: queued: held: it asks something now: ' \
		'an approval comes between a message and its Enter'
}

_pasted()
{
	grep -c '"receipt":"pasted"' "$(session_dir fix)/events.jsonl"
}
