#!/bin/bash
# send --always shows the narrowest rule that allows what an agent asks and what
# it would have answered, adds it after a yes, and gives it to all sessions.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

mkdir "$T/bin"
ini=$XDG_CONFIG_HOME/afw/afw.ini
mkdir -p "${ini%/*}"
printf '[harness.claude]\ncommand = %s\n' "$ROOT/tests/cli/asker-agent" >"$ini"
cp "$ini" "$T/before"

# shellcheck disable=SC1112 # Claude Code writes that quote
# asks NAME COMMAND: Claude Code's dialog; key 1 is yes, 3 is no.
asks()
{
	local rule dashes
	printf -v rule '%120s' '' # as wide as the terminal
	dashes=${rule// /╌} rule=${rule// /─}
	for key in 1 3 Enter; do printf 'gone' >"$T/$1/on-$key"; done
	printf '%s\n Bash command\n%s\n %s\n%s\n This command requires approval\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. Yes, and don’t ask again for: x *\n   3. No\n\n Esc to cancel · Tab to amend' \
		"$rule" "$dashes" "$2" "$dashes" >"$T/$1/.ask"
	mv "$T/$1/.ask" "$T/$1/ask"
}
# begin NAME
begin()
{
	mkdir "$T/$1"
	printf 'resting' >"$T/$1/ask"
	: >"$T/$1/keys"
	exit_is 0 "session $1" env ASKER="$T/$1" afw new "$1" -a claude -e ASKER
}
# asked NAME COMMAND
asked()
{
	afw status "$1" --json >"$T/.status" &&
		[ "$(json question "$T/.status")" = "Bash command: $2" ] || return
	qid=$(json question_id "$T/.status")
}
gone() { afw status "$1" --json >"$T/.status" && [ "$(json question_id "$T/.status")" = null ]; }
by_rule() { grep -q "\"rule\":\"$2\".*answered" "$(session_dir "$1")/events.jsonl"; }

begin web
begin api
refused 4 'it asks nothing' 'a session that asks nothing has no rule' \
	afw send web --always --dry-run

asks web 'git log -3'
waits_for 'asked web "git log -3"' 'web asks' 'afw status -v web; afw capture web; ls $T/web'
exit_is 0 'approved once' afw send web --approve -t 25s
asks web 'git log -5'
waits_for 'asked web "git log -5"' 'it asks more'
exit_is 0 'denied' afw send web --deny -t 25s
asks web 'git log --oneline'
waits_for 'asked web "git log --oneline"' 'and again'
exit_is 0 'only shown' afw send web --always --dry-run
is "$out" '[approve.git-log]
harness = claude
tool = Bash command
pattern = git log *
paths = worktree
decision = allow
It would have answered 2 of the last 2 approvals:
  DENIED    Bash command: git log -5 (web)
  approved  Bash command: git log -3 (web)' 'the rule, and what it would have answered'
ok_cmd 'nothing was written' cmp "$ini" "$T/before"
refused 2 'no terminal' 'without a terminal nothing is added' \
	afw send web --always
refused 4 'something else now' 'a rule for another question is refused' \
	afw send web --always --yes --question 00000000
ok_cmd 'and not written' cmp "$ini" "$T/before"

# An answer of no, on a terminal.
tmux_start 90 20 sh -c 'afw send web --always; echo code $?; read -r _'
tmux_wait_for 'Add this rule'
tmux_keys n Enter
tmux_wait_for 'code 9' 'a no adds nothing'
ok_cmd 'to the file' cmp "$ini" "$T/before"

exit_is 0 'added' afw send web --always --yes --question "$qid"
like "$out" "added the rule 'git-log' to $ini" 'which is said'
waits_for 'gone web && by_rule web git-log' 'it answers the question that is up'
is "$(head -c "$(wc -c <"$T/before")" "$ini")" "$(<"$T/before")" \
	'the file is otherwise as it was'
asks api 'git log -1 src'
waits_for 'by_rule api git-log' 'and those of the other sessions'
asks api 'git log --output=/tmp/x'
waits_for 'asked api "git log --output=/tmp/x"' 'a path outside is asked'
refused 9 'outside the worktree' 'and gets no rule' \
	afw send api --always --yes
exit_is 0 'denied' afw send api --deny -t 25s

for never in 'bash x.sh' 'git push' 'make test && ls' 'python3 x.py'; do
	asks api "$never"
	waits_for 'asked api "$never"' "it asks: $never"
	refused 9 "send 'api' --always: '" 'has no rule' \
		afw send api --always --yes
	exit_is 0 'denied' afw send api --deny -t 25s
	waits_for 'gone api' 'gone'
done

# A rule of the user's that comes before.
printf '[approve.mine]\npattern = make*\ndecision = ask\n' >>"$ini"
asks web 'make test'
waits_for 'asked web "make test"' 'web asks'
refused 9 "the rule 'mine' decides this: ask" 'a rule that would do nothing is not added' \
	afw send web --always --yes
exit_is 0 'denied' afw send web --deny -t 25s

# What is edited by hand counts from the next start on.
sed -i 's/^pattern = make\*/pattern = true/; s/^decision = ask/decision = allow/' "$ini"
exit_is 0 'restarted' env ASKER="$T/web" afw restart web
asks web true
waits_for 'by_rule web mine' 'a restart reads the rules again'

refused 2 'name of one session' 'it takes one name' afw send web api --always --yes
refused 2 'cannot be combined' 'and no answer' afw send web --always --approve
refused 2 'only for --always' '--yes is for it alone' afw send web --yes hello
done_testing
