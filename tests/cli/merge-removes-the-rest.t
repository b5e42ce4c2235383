#!/bin/bash
# merge --rest rm: the merge of one of a group; the others go to the trash, after
# one question, whatever they hold or do.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
W=$T/.af_worktrees/repo

# attempts GROUP NAME...: each has a commit of its own.
attempts()
{
	local group=$1 name
	shift
	for name; do
		run afw new "$name" -g "$group" --no-start -- cat
		echo "$name" >"$W-$name/$name"
		git -C "$W-$name" add . && git -C "$W-$name" commit -qm "$name"
	done
}
names() { afw ls -q | sort | paste -sd' '; }
trashed() { afw trash ls --json | tr -d '\n' | grep -o '"name":"[a-z]*"' |
	cut -d'"' -f4 | sort | paste -sd' '; }

attempts fix a b c
attempts other z
run afw new lone --no-start -- cat
before=$(git rev-parse main)
refused 2 'there is no terminal to ask on.*--yes removes them' 'without a terminal' \
	afw merge a --rest rm
refused 2 "it is in no group.*afw group lone" 'without a group' \
	afw merge lone --rest rm -y
run afw group c --add more
refused 2 "it is in several groups.*afw group c" 'with several' \
	afw merge c --rest rm -y
refused 2 "'keep' is not rm" 'something else' afw merge a --rest keep -y
refused 2 'rest cannot be combined with --dry-run' 'a dry run' \
	afw merge a --rest rm -y -n
refused 2 'yes' '--yes alone' afw merge a -y
echo more >"$W-a/new"
exit_is 4 'a merge that is refused' afw merge a --rest rm -y
rm "$W-a/new"
is "$(git rev-parse main) $(names)" "$before a b c lone z" 'nothing is changed by all this'

echo unsaved >"$W-b/new"
exit_is 0 'one runs' afw start c
exit_is 0 'the merge' afw merge a --rest rm -y
is "$(git log --format=%s main | head -n 1)" a 'is done'
is "$(names)" 'a lone z' 'the others are gone'
is "$(trashed)" 'b c' 'to the trash'
like "$out" $'\nb: removed; branch af/b stays: .*; kept in the trash for 14 days.*\nc: removed' \
	'which is printed for each'
exit_is 0 'one comes back' afw trash restore b
is "$(<"$W-b/new")" unsaved 'with all that it had'
exit_is 0 'without others' afw merge z --rest rm -y
like "$err" "group 'other' has no other session" 'it only merges'
like "$(git log --format=%s main)" z 'all the same'

# with a question
attempts ask d e f
tmux_start 100 20 bash -c 'afw merge d --rest rm; echo "ended: $?"; read -r'
tmux_wait_for 'Stop all of them and move them to the trash? [y/N]'
like "$(tmux_screen)" $'e: created.*\nf: created' 'the question names them'
like "$(git log --format=%s main)" d 'when the merge is done'
tmux_keys n Enter
tmux_wait_for 'ended: 1'
like "$(tmux_screen)" 'merged, but not confirmed' 'no is an answer'
is "$(names)" 'a b d e f lone z' 'and all stay'
tmux_stop
run afw rm --stop f
tmux_start 100 20 bash -c 'afw merge d --rest rm; echo "ended: $?"; read -r'
tmux_wait_for 'Stop it and move it to the trash? [y/N]'
tmux_keys y Enter
tmux_wait_for 'ended: 0'
is "$(names)" 'a b d lone z' 'yes is one, too'
done_testing
