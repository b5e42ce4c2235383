#!/bin/bash
# The real Gemini CLI with vim's keys, without a background for its composer,
# and without colours: messages arrive all the same, and a draft is left alone.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/gemini.sh"
. "$(dirname "$0")/life.sh"

# looks SETTING VALUE: as its settings have it from now on.
looks()
{
	node -e 'const fs = require("fs"), [, file, path, value] = process.argv;
		const all = JSON.parse(fs.readFileSync(file));
		const [group, key] = path.split(".");
		(all[group] ??= {})[key] = JSON.parse(value);
		fs.writeFileSync(file, JSON.stringify(all))' \
		"$HOME/.gemini/settings.json" "$1" "$2"
}

# takes NAME: it takes a message, and leaves a draft alone.
takes()
{
	exit_is 0 "$1" afw new "$1" -a gemini -m 'first [[text=one]]' \
		-- "${ASKS[@]}"
	is_state "$1" running/completed
	exit_is 0 'a second message' afw send --wait -t 240s "$1" \
		"$1 [[text=two]]"
	is "$out" two 'is answered'
	is "$(last_text)" "$1 [[text=two]]" 'and has arrived'
	exit_is 0 'a draft' afw send --keys "$1" d r a f t
	waits_for 'afw capture "'"$1"'" | grep -q "^ > draft"' 'is shown'
	refused 9 'its input field holds a draft' 'and left alone' \
		afw send "$1" more
	exit_is 0 'rm' afw rm --stop "$1"
}

agent_begins gemini
looks general.vimMode true
takes vim
looks general.vimMode false
looks ui.useBackgroundColor false
takes plain
looks ui.useBackgroundColor true
export NO_COLOR=1
takes colourless
agent_end
