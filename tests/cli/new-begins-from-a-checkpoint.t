#!/bin/bash
# new --from: the new worktree has exactly what the other one has, or had:
# commit, files byte for byte, modes, links, empty directories and the index.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$(dirname "$0")/undo.sh"
export GIT_OPTIONAL_LOCKS=0
make_repo "$T/repo" README gone unmarked
cd "$T/repo" || exit 2
printf '* text=auto\n*.crlf eol=crlf\nup/* filter=up\n' >.gitattributes
echo '*.ign' >.gitignore
mkdir -p d up
echo a >d/a && printf 'x\r\n' >d/b.crlf && echo abc >up/f
git config core.safecrlf false
git config filter.up.clean 'tr a-z A-Z'
git config filter.up.smudge 'tr A-Z a-z'
git add -A && git commit -qm base
tree=$T/.af_worktrees/repo-one

# same_as NAME WANTED: session NAME's worktree has that.
same_as()
{
	is "$(all_of "$T/.af_worktrees/repo-$1")" "${2//refs\/heads\/af\/one/refs/heads/af/$1}" \
		"it has the same"
}
state_of()
{
	git -C "$tree" update-index -q --refresh
	git -C "$tree" status --porcelain=v2
}

exit_is 0 'a session' afw new one -- bash -c "$undo_agent"
exit_is 0 'is ready' afw wait one --for idle -t 240s
first=$(all_of "$tree")
exit_is 0 'a checkpoint of its start' afw checkpoint one
number=$(number_of user '')
(
	cd "$tree" || exit
	echo committed >c && git add c && git commit -qm 'its commit'
	echo staged >README && git add README && echo unstaged >>README
	git rm -q --cached unmarked && rm gone
	printf 'raw\nends\r\n' >'s p' && printf '\377' >"$(printf 'n\377')"
	mkdir -m 700 own && echo key >own/key && chmod 600 own/key
	chmod +x d/a && ln -s 'd/a b' link && ln -s /nowhere d/dangling
	mkdir -p empty/one && printf 'y\r\n' >>d/b.crlf
	echo new >up/f && git add up/f && printf 'DISK\n' >up/f
	echo -n >intent && git add -N intent
	echo big >x.ign
	git init -q nested && git -C nested commit -q --allow-empty -m n && touch nested/x
)
rm "$tree/x.ign"
now=$(all_of "$tree" | grep -av nested)
v2=$(state_of)
log=$(git -C "$tree" log --format=%H)

exit_is 0 'a session with what it has' afw new two --from one -- bash -c "$undo_agent"
like "$err" '^afw: left out: nested/$' 'names what it lacks in a line'
same_as two "$(grep -av nested <<<"$now")"
is "$(git -C "$T/.af_worktrees/repo-two" status --porcelain=v2)" "$(grep -av nested <<<"$v2")" \
	'and git tells the same of it'
is "$(git -C "$T/.af_worktrees/repo-two" log --format=%H)" "$log" 'and the same history'
is "$(git -C "$T/.af_worktrees/repo-two" symbolic-ref HEAD)" refs/heads/af/two 'on its own branch'
is "$(all_of "$tree" | grep -av nested)" "$now" 'the other is left as it was'
is "$(json base <(afw status two --json))" main 'it has the base of the other'
like "$(afw diff two --stat)" 'its commit|c +\|' 'its diff is all of the work'
like "$(afw events two --history 2>/dev/null || cat "$DATA"/sessions/*/events*)" '"checkpoint":' \
	'its history names the checkpoint'
run afw checkpoints two
like "$out" 'new .*from one@' 'which is its own first one'

exit_is 0 'a session with what it had' afw new three --from "one@$number" -- cat
same_as three "$first"
exit_is 0 'and under another branch' afw new four --from "one@$number" --branch other -a demo --no-start
is "$(git -C "$T/.af_worktrees/repo-four" symbolic-ref HEAD)" refs/heads/other 'is on it'
echo more >"$T/.af_worktrees/repo-two/README"
exit_is 0 'undo takes the new one to its start' afw undo two 1 -y --no-tell
same_as two "$(grep -av nested <<<"$now")"

exit_is 0 'attempts' afw new try --from one -a 'demo*2' --no-start
is "$(all_of "$T/.af_worktrees/repo-try-demo-1" | grep -av refs/heads)" \
	"$(all_of "$T/.af_worktrees/repo-try-demo-2" | grep -av refs/heads)" 'begin with the same'
is "$(afw checkpoints one | grep -c 'new ')" 1 'that was stored once'

run afw checkpoints one
before=$out
exit_is 0 'a dry run' afw new dry --from one -a demo -n
like "$out" "$(git -C "$tree" rev-parse --short=7 HEAD)|main" 'names the base'
like "$out" $'\nfrom +one\n' 'and the other session'
is "$(afw checkpoints one)" "$before" 'and stores nothing'

# While it works.
afw send one 'until [ -e go ]; do sleep 0.02; done; echo done >done' >/dev/null
exit_is 0 'it works' afw wait one --for working -t 240s
exit_is 0 'while it works' afw new five --from one -a demo --no-start
same_as five "$(grep -av nested <<<"$now")"

# Bad input.
refused 2 "number" 'a number that is none' afw new bad --from one@x -- cat
like "$err" 'afw checkpoints one' 'with the command that lists them'
refused 1 'there is no checkpoint 99' 'no such checkpoint' afw new bad --from one@99 -- cat
like "$err" 'nearest|[0-9]+' 'names the nearest'
refused 3 "no session 'oen'|oen" 'no such session' afw new bad --from oen -- cat
refused 2 '--base' 'with --base' afw new bad --from one --base main -- cat
refused 4 'af/two|exists' 'a branch that exists' afw new bad --from one --branch af/two -- cat
exit_is 0 'a session that waits' afw new late --after one -- cat
refused 1 "'late': it has no worktree" 'no worktree yet' afw new bad --from late -- cat
exit_is 0 'ends' afw rm late
touch "$tree/go"
exit_is 0 'is idle' afw wait one --for completed -t 240s
(cd "$tree" && git add -A . ':!nested' && git commit -qm all &&
	git checkout -qb side main && echo t >c && git add c && git commit -qm t &&
	git checkout -q af/one && ! git merge side) >"$T/merge" 2>&1 || diag "$(<"$T/merge")"
refused 4 'unfinished' 'amid a merge' afw new bad --from one -- cat
nok_cmd 'nothing is left of them' test -e "$T/.af_worktrees/repo-bad"
is "$(git branch --list af/bad)" '' 'nor a branch'
mv "$tree" "$T/away"
refused 1 'gone|not there|missing' 'a worktree that is gone' afw new bad --from one -- cat
mv "$T/away" "$tree"
make_repo "$T/elsewhere"
cd "$T/elsewhere" || exit 2
refused 2 'another repository' 'from another repository' afw new bad --from repo/one -- cat
cd "$T/repo" || exit 2

refused 1 'this agent cannot copy a conversation' '--fork, with no agent that can' \
	afw new bad --from one --fork -- cat
refused 1 'only the same agent' 'with another one' afw new bad --from one --fork -a demo
refused 2 'brief' 'with --brief' afw new bad --from one --fork --brief -- cat
refused 2 'from' 'or alone' afw new bad --fork -- cat

# What fails later is rolled back, although it has work.
exit_is 0 'stopped' afw stop two
refused 1 '' 'an agent that does not start' afw new failing --from two -- /no/such/program
nok_cmd 'leaves no worktree' test -e "$T/.af_worktrees/repo-failing"
is "$(git branch --list af/failing)" '' 'and no branch'
printf '#!/bin/sh\necho set up >set; exit 3\n' >"$T/setup" && chmod +x "$T/setup"
refused 1 '' 'a set-up that fails' afw new failing --from two -o setup="$T/setup" -- cat
nok_cmd 'leaves no worktree either' test -e "$T/.af_worktrees/repo-failing"
is "$(git branch --list af/failing)" '' 'and no branch'
done_testing
