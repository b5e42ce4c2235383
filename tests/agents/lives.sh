#!/bin/bash
# The real agents that only a section of share/adapters describes, each under its
# name: AGENT-lives.t on a PTY, AGENT-lives-in-tmux.t. Every message arrives as
# it was sent, once, and none is run as a command; the states, approvals, errors
# and the resumed conversation are what the agent's own are.
here=$(dirname "$0") agent=${0##*/}
agent=${agent%%-*}
. "$here/../lib.sh"
without_sanitizers 'the four known agents do'
. "$here/sections.sh"
. "$here/life.sh"
section_begins "$agent"
tree=$T/.af_worktrees/repo-fix

exit_is 0 'new starts it with a task' afw new fix -a "$agent" \
	-m 'first task [[think=2]] [[text=the first answer]]' -- "${ASKS[@]}"
section_opens fix
is_state fix running/working
is_state fix running/completed
like "$(last_text)" '^first task ' 'the task arrived'
is "$(turns)" 1 'once'
waits_for 'afw capture fix | grep -q "the first answer"' 'it has answered'
waits_for 'afw ls | grep -q "the first answer$"' 'as the list says'

while IFS='|' read -r name text; do
	before=$(turns)
	message "$name" "$text"
	is "$(turns)" $((before + 1)) 'once'
done <<END
one line|plain words of a message
several lines|first line\nsecond line\n\n    the last one
a path|/etc/passwd is a path, not a command
a heading|# a heading of level one
a question mark|? or a question
quotes|quotes "a" \`b\` \$HOME %%s 'c'
tabs and blanks|tabs\tand  two  blanks
wide characters|äöü ✓ 日本語 👩‍👩‍👧 done
a long line|$(printf 'word%s ' {1..400})end
ten kilobytes|$(printf 'line %s of a long text with some words in it\\n' {1..200})
a command of a shell|!touch owned
a command behind blanks|  !touch owned
a command of its own|/help me
a command alone|/clear
exit|exit
quit|quit
quit in vi|:q!
a file at the end|look at @README
a folder at the end|what is in @src
a backslash at the end|path C:\\\\
END
is "$(find "$T" -name owned)" '' 'no message was run'
like "$(state fix)" '^running/' 'or has ended it'

# In order, each once, each in a turn of its own.
before=$(turns)
exit_is 0 'a long turn' afw send fix "long [[until=$T/now]]"
is_state fix running/working
for text in 'queued one' 'queued two'; do
	exit_is 0 'a message while it works' afw send fix "$text"
	like "$out" queued 'has to wait'
done
touch "$T/now"
waits_for "[ \$(turns) -ge $((before + 3)) ]" 'all arrive'
is_state fix running/completed
is "$(_requests 'console.log(main.filter((r) => !r.after)
	.slice(+process.argv[2]).map((r) => r.text.trim()).join(", "))' \
	"$before")" "long [[until=$T/now]], queued one, queued two" \
	'in order, each once'

if section_asks; then
	life_asks "$tree"
	life_is_answered "$tree"
fi

before=$(turns)
exit_is 0 'a turn that takes long' afw send fix 'think [[think=60]]'
# Its own, not the end of the one before.
waits_for "[ \$(turns) -gt $before ]" 'begins'
is_state fix running/working
waits_for 'section_is_busy fix' 'as its screen shows'
exit_is 0 'is interrupted' afw interrupt fix
# On a busy machine the second of two keys can come too late for the agent.
waits_for "within 8 'is_idle fix 0' || { afw interrupt fix; false; }" 'and ends'
message 'a message after an interrupt' 'after-the-interrupt'

exit_is 0 'a turn that fails' afw send fix 'bad [[err=400]]'
is_state fix running/failed
message 'a message after a failure' 'after-the-failure'

exit_is 0 'suspend' afw suspend fix
waits_for '[ -z "$(own_agents)" ]' 'nothing of it is left'
before=$(turns)
exit_is 0 'a message while it is suspended' afw send --when-idle fix 'kept task'
exit_is 0 'resume' afw resume fix
is "$out" 'fix: resumed its conversation' 'continues it'
section_opens fix
waits_for "[ \$(turns) -gt $before ]" 'has what was kept' \
	'afw events fix | tail; afw capture fix'
is_state fix running/completed
like "$(last_text)" 'kept task' 'as it was'
is "$(turns)" $((before + 1)) 'once'
like "$(all_texts)" 'after-the-interrupt.*kept task' \
	'the model has the whole conversation'

exit_is 0 'stop' afw stop fix
waits_for '[ -z "$(own_agents)" ]' 'nothing of it is left'
nok_cmd 'it has not updated itself' grep -s install "$T/npm/called"
exit_is 0 'rm' afw rm fix -D
agent_end
