#!/bin/bash
# afw compare shows the sessions of a group side by side, or those that are
# named: what each has done, and whether its work merges; --diff shows the
# difference between the work of two. It changes nothing.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README other
cd "$T/repo" || exit 2
seq 1 30 >lines
git add -A && git commit -qm lines
tree() { echo "$T/.af_worktrees/repo-$1"; }
# field TITLE: the values of that line, separated by a comma.
field() { sed -n "s/^$1 *//p" <<<"$out" | sed 's/   */,/g'; }
# in_terminal COLS COMMAND...: out is what it prints there.
in_terminal()
{
	local cols=$1
	shift
	tmux_start "$cols" 30 bash -c '"$@"; echo "$?" >'"$T/done"'; sleep 100' - "$@"
	wait_for '[ -s "$T/done" ]'
	out=$(tmux_screen)
	tmux_stop
	rm "$T/done"
}

refused 2 'GROUP is missing' 'nothing' afw compare
refused 3 "group 'fix' has no session" 'a group without sessions' afw compare fix
for name in one two three idle; do
	run afw new "$name" --no-start -g fix -- cat
done
run afw new single --no-start -g alone -- cat
refused 1 "group 'alone' has only one session" 'one session' afw compare alone
refused 3 "group 'one' has no session" 'the name of one' afw compare one
like "$err" 'name at least two' 'which the hint explains'
refused 3 "no session 'nobody'" 'a session that is none' afw compare one nobody
refused 2 'named twice' 'the same twice' afw compare one one
refused 2 'name both' 'a diff of a group' afw compare --diff fix
refused 2 'name both' 'of three' afw compare --diff one two three
refused 2 'diff' 'stat without diff' afw compare fix --stat

like "$(afw completion words -- compare '' | paste -sd' ')" '^alone fix .*idle' \
	'completion offers groups and sessions'

# histories
event() { printf '{"at":"2026-11-21T0%s.000Z","event":"%s"%s}\n' "$2" "$3" "${4:+,$4}" \
	>>"$(session_dir "$1")/events.jsonl"; }
event one 1:00:00 activity '"activity":"working"'
event one 1:10:00 activity '"activity":"completed"'
event one 1:20:00 activity '"activity":"working"'
event one 1:21:00 activity '"activity":"waiting_for_input"'
event one 1:30:00 activity '"activity":"working"'
event one 1:31:00 activity '"activity":"completed"'
event two 1:00:00 activity '"activity":"working"'
event two 1:05:00 agent:exit '"code":1'
event three 1:00:00 activity '"activity":"working"'
event three 1:01:00 check '"state":"failed"' # the last before it was killed
event three 3:00:00 agent:started

# work
sed -i '3s/.*/one/' "$(tree one)/lines"
git -C "$(tree one)" commit -qam one
sed -i '3s/.*/two/' "$(tree two)/lines" # not committed
printf 'b\033[31md\n' >"$(tree two)/un tracked"
echo skip >"$(tree two)/skipped"
echo skipped >>"$(git rev-parse --git-path info/exclude)"
echo three >>"$(tree three)/other"
git -C "$(tree three)" commit -qam three
echo main >>other
git commit -qam main
before=$(git count-objects; git for-each-ref; for n in one two three; do
	git -C "$(tree $n)" status --short; cksum <"$T/repo/.git/worktrees/repo-$n/index"; done)

exit_is 0 'a group' afw compare fix
is "$(head -n 1 <<<"$out" | tr -s ' ')" 'NAME one two three idle' 'has a column for each'
is "$(field TURNS)" '2,0,0,0' 'the turns that have ended'
is "$(field WORKED)" '12m,5m,1m,0s' 'the time in which each worked'
is "$(field FILES)" '1,2,1,0' 'files as they are, before their counts are stored'
is "$(field CHANGES)" '+1 -1,+2 -1,+1 -0,+0 -0' 'lines'
is "$(field MERGES)" 'yes,yes, if committed,no: 1 conflict,nothing' \
	'and whether it merges'
unlike "$out" 'CHECK|COST' 'a field that none has is not there'
exit_is 0 'sessions by name' afw compare idle three --json
is "$(json 0.name) $(json 0.turns) $(json 0.merges) $(json 0.worked_ms)" \
	'idle 0 nothing 0' 'have objects'
is "$(json 1.name) $(json 1.merges) $(json 1.conflicts.0.path) $(json 1.worked_ms)" \
	'three no other 60000' 'with the conflicts'
in_terminal 100 afw compare fix
like "$out" $'^NAME +one +two +three +idle\nAGENT' 'on a terminal that is wide enough, too'
in_terminal 59 afw compare fix
like "$out" $'^NAME +AGENT +STATE.*\none +generic .* 12m +1 +[+]1 -1 +yes' \
	'on a narrow one, each has a line'
for name in one two; do # counts are stored when a command has changed it
	afw exec "$name" -- true >"$T/null" 2>&1
done
exit_is 0 'columns of ls' afw ls -g fix -o name,turns,worked,files
like "$out" $'one +2 +12m +1(\n|$)' 'have the same values'

# checks and costs, and a session that waits to be made
state() { sed -i "s/\"check_round\":/$2,&/" "$(session_dir "$1")/state.json"; }
state one '"check":"passed"'
state two '"check":"failed"'
sed -i 's/"cost_micro":0/"cost_micro":1250000/' "$(session_dir two)/state.json"
run afw new later --after one -g fix -- cat
exit_is 0 'a group with a session that waits' afw compare fix
is "$(field CHECK)|$(field COST)" 'passed,failed|$1.25' 'shows checks and costs'
like "$(field MERGES)" ',no worktree$' 'and that one has no worktree yet'
refused 1 "'later': it has no worktree" 'nor a diff' afw compare --diff one later
run afw rm -D --stop later

# two of them
exit_is 0 'a diff' afw compare --diff one two
like "$out" $'\n-one\n\\+two\n' 'shows both'
like "$out" $'\n\\+b\\?\\[31md' 'untracked files, safe for a terminal'
unlike "$out" 'skip|README|other' 'nothing else'
exit_is 0 'the other way around' afw compare -d two one --stat
like "$out" $'2 files changed, 1 insertion\\(\\+\\), 2 deletions' 'and counts'
is "$(git count-objects; git for-each-ref; for n in one two three; do
	git -C "$(tree $n)" status --short; cksum <"$T/repo/.git/worktrees/repo-$n/index"; done)" \
	"$before" 'nothing was changed'
printf '#!/bin/sh\necho "a pager: $(cat)"\n' >"$T/pager"
chmod +x "$T/pager"
export GIT_PAGER=$T/pager
in_terminal 80 afw compare --diff one two
like "$out" 'a pager: .*diff' 'the pager'
in_terminal 80 afw compare --diff one two --no-pager
unlike "$out" 'a pager:' 'unless not wanted'

# merged, and what cannot be read
git merge -q af/one
exit_is 0 'after a merge by git' afw compare fix
like "$(field MERGES)" '^merged,no: 1 conflict,' 'one is merged, and another conflicts'
mv "$(tree three)" "$T/gone"
exit_is 0 'a worktree that is gone' afw compare fix
like "$err" '^afw: three: .*is gone$' 'is reported'
like "$(field MERGES)" '^merged,no: 1 conflict,unknown,' 'and the others are compared'
refused 1 "diff of 'one' and 'three': .*gone" 'but it has no diff' afw compare --diff one three
mkdir "$T/plain"
make_repo "$T/more"
cd "$T/more" || exit 2
refused 3 "group 'fix' has no session in this repository" 'elsewhere' afw compare fix
run afw new far --no-start -- cat
refused 2 'two repositories' 'a diff across repositories' afw compare --diff far repo/one
cd "$T/plain" || exit 2
refused 1 'not in a git repository' 'outside of any' afw compare fix
done_testing
