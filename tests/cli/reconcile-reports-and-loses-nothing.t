#!/bin/bash
# reconcile: says what is not as recorded, repairs what is safe, no more.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
W=$T/.af_worktrees
# finds KINDS NAME: what it finds, each once.
finds()
{
	run afw reconcile --json
	is "$(grep -o '"kind":"[a-z_]*"' <<<"$out" | cut -d'"' -f4 | sort -u |
		tr '\n' ' ')" "$1" "$2" || diag "$out"
}
# of KIND KEY: a member of the first finding of that kind.
of()
{
	local i=0
	while [ -n "$(json "$i.kind")" ]; do
		[ "$(json "$i.kind")" != "$1" ] || { json "$i.$2"; return; }
		i=$((i + 1))
	done
}

exit_is 0 'nothing there' afw reconcile
is "$out" 'everything is as it is recorded' 'is in order'
for name in lost fine gone; do afw new "$name" -- cat >"$T/null"; done
exit_is 0 'stop' afw stop gone
finds '' 'running and stopped sessions are in order'

# a supervisor killed, its harness left
cat >"$T/stubborn" <<'END'
trap '' HUP TERM
while :; do sleep 1000; done
END
afw new left -- bash "$T/stubborn" >"$T/null"
for name in lost left; do
	pid=$(afw status $name --json | "$BUILD/tests/tools/jsonget" supervisor_pid)
	kill -KILL "$pid"
	wait_for 5 "! kill -0 $pid 2>'$T/null'"
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
	"$RUN/0123456789abcdef0123456789abcdef.sock"

finds 'branch_without_session git_entry lost_session process_left session_without_worktree stale_runtime_file worktree_without_session ' \
	'everything is found'
is "$code" 0 'and no failure'
is "$(of worktree_without_session path)" "$W/repo-mine" 'the strange directory'
is "$(of session_without_worktree name)" gone 'the session without one'
is "$(of process_left pid)" "$harness" 'the process that was left'
is "$(of process_left hint)" 'afw stop left' 'and what ends it'
like "$out" 'af/merged in .*another branch has all' 'the merged branch'
like "$out" 'af/work in .*no other branch has' 'the one with work'
unlike "$out" 'af/fine' 'not those of sessions'
exit_is 0 'for people' afw reconcile
like "$out" 'lost: its supervisor is gone' 'in words'
like "$out" 'can be repaired: afw reconcile --apply' 'with what to do'
is "$(git worktree list --porcelain | grep -c '^worktree')" 7 \
	'nothing was changed'

exit_is 0 '--apply' afw reconcile --apply
like "$out" 'repaired' 'says what it did'
finds 'branch_without_session git_entry process_left session_without_worktree worktree_without_session ' \
	'the rest stays'
like "$out" 'repo-detached, which is gone' 'the entry with commits too'
unlike "$out" repo-bygit 'the other one is cleared'
is "$(cat "$W/repo-mine/file")" work 'no directory was touched'
ok_cmd 'no branch' git rev-parse -q --verify af/merged
ok_cmd 'no process was ended' kill -0 "$harness"
is "$(afw status fine --json | "$BUILD/tests/tools/jsonget" phase)" running \
	'what runs runs'
exit_is 0 'and answers' afw capture fine
grep -q '"phase":"error"' "$(session_dir lost)/state.json"
ok $? 'lost is written down'
exit_is 0 'resume --all knows it still' afw resume --all
like "$out" 'lost: started' 'and brings it back'
exit_is 0 'stop' afw stop left lost fine
finds 'branch_without_session git_entry session_without_worktree worktree_without_session ' \
	'the process is gone'

# a probe that fails does not stop the others
mv "$T/repo/.git/HEAD" "$T/HEAD"
cd "$T" || exit
exit_is 1 'a repository that git cannot open' afw reconcile
like "$out" 'look at git failed' 'is told'
like "$out" 'repo-mine' 'the others are done'
mv "$T/HEAD" "$T/repo/.git/HEAD"
mv "$T/repo" "$T/elsewhere"
exit_is 0 'a repository that is gone' afw reconcile
like "$out" 'repository .*/repo of [0-9] sessions is gone' 'is told'
mv "$T/elsewhere" "$T/repo"

# what a killed supervisor with backend tmux leaves in the runtime directory
id=0123456789abcdef0123456789abcdef
perl -MIO::Socket::UNIX -e 'for (@ARGV) {
	IO::Socket::UNIX->new(Local => $_, Listen => 1) or die $! }' \
	"$RUN/$id.tmux" "$RUN/$id.pane"
exit_is 0 'sockets of tmux that nobody serves' afw reconcile
like "$out" "$id.tmux is there" 'are told'
cd "$T/repo" || exit
tmux_start 100 30 afw
ok_cmd 'the dashboard tells of them as well' \
	tmux_wait_for 'left over: afw reconcile'
tmux_keys q
exit_is 0 'repaired' afw reconcile --apply
nok_cmd 'they are gone' test -e "$RUN/$id.tmux" -o -e "$RUN/$id.pane"
done_testing
