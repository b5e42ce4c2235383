#!/bin/bash
# afw conflicts shows which sessions change the same lines, committed or not,
# and in which order they can be merged; it changes nothing.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README other
cd "$T/repo" || exit 2
seq 1 30 >lines
git add -A && git commit -qm lines
tree() { echo "$T/.af_worktrees/repo-$1"; }

refused 3 'no session with a worktree' 'without a session' afw conflicts
for name in one two three four idle; do
	run afw new "$name" --no-start -- cat
done
exit_is 0 'sessions that change nothing' afw conflicts
is "$out" 'nothing is changed in any of them' 'are reported'
sed -i '3s/.*/one/' "$(tree one)/lines"; git -C "$(tree one)" commit -qam one
sed -i '4s/.*/two/' "$(tree two)/lines" # not committed
sed -i '20s/.*/three/' "$(tree three)/lines"; echo three >"$(tree three)/new"
echo four >"$(tree four)/new"; git -C "$(tree four)" add new
echo main >>other; git commit -qam main
echo clash >>"$(tree four)/other"
before=$(git count-objects; find .git -newer other -name '*.pack'; for n in one two three four; do
	git -C "$(tree $n)" status --short; cksum <"$T/repo/.git/worktrees/repo-$n/index"; done)
exit_is 0 'sessions that do' afw conflicts
like "$out" $'one conflicts with two\n  lines: both changed it, lines? 3' 'two and two, with lines'
like "$out" 'one and three change the same files, in other places: lines' 'and without'
like "$out" $'three conflicts with four\n  new: both added it' 'untracked and staged files, too'
like "$out" $'four conflicts with the branch main\n  other: both' 'and with the branch'
like "$out" 'can be merged into main in this order: (one|two), three' 'there is an order'
like "$out" 'conflict after that: .*four' 'for some'
unlike "$out" idle 'a session without changes is left out'
is "$(git count-objects; find .git -newer other -name '*.pack'; for n in one two three four; do
	git -C "$(tree $n)" status --short; cksum <"$T/repo/.git/worktrees/repo-$n/index"; done)" "$before" \
	'nothing is written'
exit_is 0 'one of them' afw conflicts two
like "$out" $'^two conflicts with one\n  lines: both' 'is compared with all others'
unlike "$out" 'four|merged' 'and with nothing else'
exit_is 0 'another' afw conflicts idle
is "$out" 'idle conflicts with no other session and can be merged into main' \
	'that conflicts with no session'
exit_is 0 'some of them' afw conflicts one three --json
is "$(json pairs.0.a) $(json pairs.0.b) $(json pairs.0.files.0) $(json pairs.0.conflicts) $(json order)" \
	'one three lines [] ["one","three"]' 'in JSON'
# The order is one: they are merged so.
run afw commit three -m three
exit_is 0 'the first' afw merge one
exit_is 0 'the second' afw merge three
mv "$(tree two)" "$T/away"
exit_is 0 'one whose worktree is gone' afw conflicts
like "$err" 'two is left out: .*is gone' 'is left out'
like "$out" 'four conflicts with the branch main' 'and hides no other'
refused 1 "conflicts: 'two': .*is gone" 'it cannot be compared itself' \
	afw conflicts two
mv "$T/away" "$(tree two)"
head -c 5000000 /dev/zero | tr '\0' '#' >"$(tree two)/.gitattributes"
exit_is 0 'a .gitattributes that is too large' afw conflicts
like "$err" 'two is left out: .*\.gitattributes.*larger than 4 MiB' \
	'leaves that session out'
like "$out" 'four conflicts with the branch main' 'and hides no other'
git -C "$(tree two)" add .gitattributes
exit_is 0 'a staged file' afw conflicts
like "$err" 'two is left out: .*larger than 4 MiB' 'does the same'
git -C "$(tree two)" rm -qf .gitattributes
refused 1 'there is no branch nowhere' 'a branch that is not there' afw conflicts --into nowhere
printf '#!/bin/sh\ntouch "%s"\ncat\n' "$T/ran" >"$T/evil"; chmod +x "$T/evil"
git config filter.evil.clean "$T/evil"; git config core.fsmonitor "$T/evil"
echo '* filter=evil diff=evil merge=evil' >"$(tree two)/.gitattributes"
exit_is 0 'a hostile tree' afw conflicts
nok_cmd 'has nothing run' test -e "$T/ran"
done_testing
