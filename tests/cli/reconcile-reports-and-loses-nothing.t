#!/bin/bash
# reconcile prints what differs from the records, repairs what is safe, and
# nothing else.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
W=$T/.af_worktrees
# finds KINDS NAME: what it finds, each once. Supervisors whose files are gone are
# found wherever those were: another test may have some.
finds()
{
	run afw reconcile --json
	is "$(grep -o '{"kind":[^{]*' <<<"$out" | awk -v own="\"path\":\"$T/" \
		-F'"' '$4 != "supervisor_left" || index($0, own) { print $4 }' |
		sort -u | tr '\n' ' ')" "$1" "$2" || diag "$out"
}
# of KIND KEY: a member of the first finding of that kind.
of()
{
	local i=0
	while json_has "$i.kind"; do
		[ "$(json "$i.kind")" != "$1" ] || { json "$i.$2"; return; }
		i=$((i + 1))
	done
}

exit_is 0 'nothing there' afw reconcile
finds '' 'is in order'
lock=.git/refs/heads/af/left.lock
mkdir .git/refs/heads/af
touch -d '1 hour ago' $lock
touch .git/refs/heads/af/now.lock
refused 1 "left.lock' for writing"$'\n'"hint: .*remove the stale lock: .rm '$T/repo/$lock'" \
	'a branch that git has locked' afw new left --no-start -- cat
finds 'git_lock ' 'a lock of a killed git is found'
like "$(of git_lock text)" "git's lock $T/repo/$lock is older" 'and named, not the one in use'
run afw reconcile --apply
like "$out" "$lock is older than ten minutes
 *if no git is running there.*\`rm $T/repo/$lock\`" 'and left to the user'
rm -r .git/refs/heads/af
for name in lost fine gone binned; do afw new "$name" -- cat >"$T/null"; done
exit_is 0 'stop' afw stop gone binned
git -C "$W/repo-binned" commit -q --allow-empty -m 'not merged'
exit_is 0 'one goes to the trash, its branch stays' \
	afw rm --trash binned
finds '' 'running and stopped sessions are in order'

# a supervisor killed, and with it who would end its harness
cat >"$T/stubborn" <<'END'
trap '' HUP TERM
echo up
while :; do sleep 1000; done
END
afw new left -- bash "$T/stubborn" >"$T/null"
wait_for 'afw capture left | grep -q up'
for name in lost left; do
	pid=$(state_of $name supervisor_pid)
	harness=$(state_of $name pid)
	kill -KILL "$pid" "$(cut -d' ' -f4 "/proc/$harness/stat")"
	wait_for "has_ended $pid"
	# What its terminal's end ends is no process that was left.
	[ $name = left ] || wait_for "has_ended $harness"
done
harness=$(pgrep -o -f "$T/stubborn")
rm -rf "$W/repo-gone"
mkdir "$W/repo-mine"
echo work >"$W/repo-mine/file"
git branch af/merged
git branch af/work
git worktree add -q "$T/x" af/work
git -C "$T/x" commit -q --allow-empty -m work
git worktree remove "$T/x"
git worktree add -q "$W/repo-bygit" -b other
rm -rf "$W/repo-bygit"
git worktree add -q --detach "$W/repo-detached"
git -C "$W/repo-detached" commit -q --allow-empty -m 'only here'
rm -rf "$W/repo-detached"
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => shift, Listen => 1)' \
	"$RUN/fedcba9876543210fedcba9876543210.tmux"

# half_made NAME INODE: as a run leaves it that is killed while it makes one.
half_made()
{
	mkdir ".git/worktrees/repo-$1"
	printf '{"afw":"x","ref":"refs/heads/af/%s","commit":"%s","worktree":"%s","has_tree":true,"has_ref":true,"ino":"%s"}\n' \
		"$1" "$(git rev-parse main)" "$W/repo-$1" "$2" >".git/worktrees/repo-$1/locked"
}
mkdir "$W/repo-half" .git/worktrees/.afw-0123456789abcdef
echo half >"$W/repo-half/file"
git branch af/half
half_made half "$(stat -c %i "$W/repo-half")"
half_made mine "$(stat -c %i "$W/repo-fine")" # a forgery

finds 'branch_without_session git_entry lost_session new_unfinished process_left removal_unfinished session_without_worktree stale_runtime_file worktree_without_session ' \
	'everything is found'
is "$code" 0 'and no failure'
like "$out" "\"worktree_without_session\",\"path\":\"$W/repo-mine\"" \
	'the strange directory'
is "$(of session_without_worktree name)" gone 'the session without one'
is "$(of process_left pid)" "$harness" 'the process that was left'
is "$(of process_left hint)" '`afw stop left` ends it' 'and what ends it'
like "$out" 'af/merged in .*another branch has all' 'the merged branch'
like "$out" 'af/work in .*no other branch has' 'the one with work'
unlike "$out" 'af/(fine|gone)' 'not those of sessions'
unlike "$out" 'af/binned' 'and no branch of a session in the trash'
unlike "$out" 'entry for the worktree [^ ]*/repo-gone,' "nor a session's entry"
exit_is 0 'for people' afw reconcile
like "$out" 'lost: its supervisor has ended' 'in words'
like "$out" 'can be repaired: .afw reconcile --apply' 'with what to do'
is "$(git worktree list --porcelain | grep -c '^worktree')" 8 \
	'nothing was changed'

exit_is 0 '--apply' afw reconcile --apply
like "$out" 'repaired' 'says what it did'
finds 'branch_without_session git_entry new_unfinished process_left session_without_worktree worktree_without_session ' \
	'the rest stays'
like "$out" 'repo-detached, which is gone' 'the entry with commits too'
like "$out" 'repo-bygit, which is gone' 'and the other one'
like "$out" 'git worktree repair PATH.; if it is gone.*git worktree prune' \
	'with the way out'
nok_cmd 'a half-made worktree is rolled back' test -e "$W/repo-half" \
	-o -e .git/worktrees/repo-half -o -e .git/worktrees/.afw-0123456789abcdef
nok_cmd 'with its branch' git rev-parse -q --verify af/half
ok_cmd "but not what only says that it is one" test -e .git/worktrees/repo-mine
ok_cmd "nor a session's" test -e "$W/repo-fine/README"
ok_cmd "nor the entry of a session's whose directory is gone" \
	test -e .git/worktrees/repo-gone
is "$(<"$W/repo-mine/file")" work 'no directory was touched'
ok_cmd 'no branch' git rev-parse -q --verify af/merged
ok_cmd 'no process was ended' kill -0 "$harness"
is "$(state_of fine phase)" running \
	'running sessions keep running'
exit_is 0 'and answers' afw capture fine
grep -q '"phase":"error"' "$(session_dir lost)/state.json"
ok $? 'lost is written down'
exit_is 0 'resume --all knows it still' afw resume --all
like "$out" 'lost: started' 'and brings it back'
exit_is 0 'stop' afw stop left lost fine
finds 'branch_without_session git_entry new_unfinished session_without_worktree worktree_without_session ' \
	'the process is gone'

# what a deletion that was cut off has left, and what is only called like it
away=$W/.purged-fedcba9876543210fedcba9876543210
mkdir "$away" "$W/.purged-mine"
echo work | tee "$away/file" >"$W/.purged-mine/file"
finds 'branch_without_session git_entry new_unfinished removal_unfinished session_without_worktree worktree_without_session ' \
	'an interrupted deletion is found'
afw reconcile --apply >"$T/null"
nok_cmd '--apply deletes the rest' test -e "$away"
ok_cmd 'a file of the user with such a name stays' test -e "$W/.purged-mine/file"

# a probe that fails does not stop the others
mv "$T/repo/.git/HEAD" "$T/HEAD"
cd "$T" || exit
exit_is 1 'a repository that git cannot open' afw reconcile
like "$out" 'checking git failed' 'is reported'
like "$out" 'repo-mine' 'the others are done'
mv "$T/HEAD" "$T/repo/.git/HEAD"
mv "$T/repo" "$T/elsewhere"
exit_is 0 'a repository that is gone' afw reconcile
like "$out" 'repository of [0-9] sessions is not at .*/repo.*reconcile --apply' 'is reported'
cd "$T/elsewhere" && git worktree repair 2>/dev/null
refused 1 "not in a git repository.*hint: .*git worktree repair.*afw reconcile --apply" \
	'a command that needs it' afw diff fine
exit_is 0 'reconcile in its new place' afw reconcile --apply
like "$out" "fine: its repository was moved from $T/repo to $T/elsewhere \(repaired" 'finds it'
exit_is 0 'after which it is known' afw diff fine
# with all its worktrees
cd "$T" && mkdir in && mv elsewhere in/repo && mv .af_worktrees in/ && cd in/repo || exit
git worktree repair ../.af_worktrees/* 2>/dev/null
exit_is 0 'its parent was moved' afw reconcile --apply
exit_is 0 'that is known, too' afw diff fine
cd "$T" && mv in/repo in/.af_worktrees . && cd repo && git worktree repair ../.af_worktrees/* 2>/dev/null
exit_is 0 'it is back' afw reconcile --apply
cd "$T" || exit

# what a killed supervisor with backend tmux leaves in the runtime directory
id=fedcba9876543210fedcba9876543210
perl -MIO::Socket::UNIX -e 'for (@ARGV) {
	IO::Socket::UNIX->new(Local => $_, Listen => 1) or die $! }' \
	"$RUN/$id.tmux" "$RUN/$id.pane"
exit_is 0 'sockets of tmux without a server' afw reconcile
like "$out" "$id.tmux exists" 'are reported'
cd "$T/repo" || exit
tmux_start 100 30 afw
ok_cmd 'the dashboard shows them as well' \
	tmux_wait_for 'left over: afw reconcile'
tmux_keys q
exit_is 0 'repaired' afw reconcile --apply
nok_cmd 'they are gone' test -e "$RUN/$id.tmux" -o -e "$RUN/$id.pane"

# a directory that cannot be read does not stop the others either
mv "$W" "$T/aside"
: >"$W"
exit_is 1 'a file where the worktrees should be' afw reconcile
like "$out" 'checking directories of worktrees failed: .*\.af_worktrees' 'is told'
like "$out" 'af/work in .*no other branch has' 'git was looked at all the same'
rm "$W"
mv "$T/aside" "$W"
mkdir "$T/a b"
make_repo "$T/a b/repo"
cd "$T/a b/repo" || exit 2
exit_is 0 'a session below a name with a blank' afw new blank -- cat
git worktree add -q --detach "$T/a b/.af_worktrees/repo-own"
run afw reconcile
hint=$(grep -o '`git -C [^`]*a b[^`]*worktree remove [^`]*' <<<"$out")
exit_is 0 'the hint quotes it' sh -c "${hint#?}"
nok_cmd 'and removes the worktree' test -e "$T/a b/.af_worktrees/repo-own"
done_testing
