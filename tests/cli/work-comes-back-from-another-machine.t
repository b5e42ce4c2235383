#!/bin/bash
# afw -H fetch and merge: the branch of a session on another machine comes here,
# is merged here, and the machine there knows it.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/box.sh"

make_repo "$T/repo"
git clone -q --bare "$T/repo" "$T/box/bare"
git clone -q "$T/box/bare" "$T/box/repo"
cd "$T/repo" || exit 2
url=ssh://box$T/box/repo
export AFW_HOST=$url

# works NAME FILE: a session there that has committed FILE, and is idle.
works()
{
	afw new "$1" -- cat >"$T/log" 2>&1 || cat "$T/log"
	afw exec "$1" -- sh -c "echo $1 >$2; git add $2; git commit -qm '$1'"
	waits_for "afw status --json $1 >'$T/s'; json activity '$T/s' | grep -q idle"
}

# -- fetch ------------------------------------------------------------------

works one file
exit_is 0 'fetch' afw fetch one
like "$out" 'af/one is at [0-9a-f]{10}, a new branch here' 'brings the branch'
is "$(git log -1 --format=%s af/one)" one 'with its commit'
afw exec one -- sh -c 'git commit -q --allow-empty -m two; echo x >new'
waits_for "afw status --json one >'$T/s'; json uncommitted '$T/s' | grep -qx 1"
exit_is 0 'fetch again' afw fetch --json one
is "$(json branch):$(json made)" 'af/one:false' 'fast-forwards it'
is "$(git log -1 --format=%s af/one)" two 'to the newest commit'
like "$err" 'uncommitted changes stay there.* --uncommitted' 'says what stays'
exit_is 0 'fetch --uncommitted' afw fetch --uncommitted one
like "$out" 'refs/afw/work/af/one is at [0-9a-f]{10}: with its uncommitted' 'says where'
is "$(git log -3 --format=%s afw/work/af/one | tr '\n' ,)$(git show afw/work/af/one:new)" \
	'uncommitted changes,two,one,x' 'is a commit of all work, on its branch'
is "$(git log -1 --format=%s af/one)" two 'the branch has none of it'
exit_is 0 'again, as JSON' afw fetch -u --json one
is "$(json work)" "$(git rev-parse afw/work/af/one)" 'names the commit'
run afw reconcile
unlike "$out" 'af/one' 'it has a session, of which reconcile knows'
git update-ref refs/heads/af/one "$(git commit-tree -m mine -p af/one 'main^{tree}')"
refused 4 'af/one here has commits that the one there lacks' \
	'commits that are only here' afw fetch one
is "$(git log -1 --format=%s af/one)" mine 'stay'
git branch -qD af/one
git checkout -qb af/one
git update-ref -d "$(git for-each-ref --format='%(refname)' 'refs/afw/fetched/*/af/one')"
refused 4 'a branch af/one here, which did not come from there' \
	'a branch of here with the same name' afw fetch one
git checkout -q main
git branch -qD af/one
refused 3 "no session 'none'" 'no session' afw fetch none
refused 2 'fetch: ' 'fetch on this machine' afw -H local fetch one

# -- merge ------------------------------------------------------------------

run afw merge one
is "$code" 4 'uncommitted work there is refused'
like "$err" 'has uncommitted changes' 'as for a session of here'
is "$(git log -1 --format=%s main)$(git branch --list 'af/*')" first 'nothing is changed'
afw exec one -- rm new
exit_is 0 'merge --dry-run' afw merge --dry-run one
like "$out" 'it would be merged into here/main' 'says what it would do'
is "$(git log -1 --format=%s main)" first 'and changes nothing here'
echo mine >file
run afw merge one
is "$code" 4 'a file in the way here is refused'
is "$(cat file; git log -1 --format=%s main; git branch --list 'af/*')" \
	"$(printf 'mine\nfirst')" 'and nothing is changed'
rm file
exit_is 0 'merge' afw merge one
like "$out$err" 'af/one into main: 2 commits' 'says what is merged'
like "$out$err" "afw -H $url rm --stop one" 'and how it is removed'
is "$(cat file)" one 'the files are here'
is "$(git for-each-ref refs/heads/af refs/afw/fetched)" '' 'no branch of it stays here'
is "$(git -C "$T/box/repo" rev-parse here/main)" "$(git rev-parse main)" \
	'the machine there knows the result'
waits_for 'afw ls --json >"$T/l"; json 0.merged "$T/l" | grep -q true'
exit_is 0 'the same merge again' afw merge one
like "$out" 'main has all of it already' 'changes nothing'
hint=$(sed -n 's/^hint: `\(afw -H.*\)` removes.*/\1/p' <<<"$err")
is "$hint" '' 'and has no hint'
exit_is 0 'rm' afw rm --stop one
is "$(git -C "$T/box/repo" for-each-ref refs/heads/af)" '' \
	'removes it with its branch'

works a both
works b both
exit_is 0 'two sessions: the first' afw merge --squash a
is "$(git log -1 --format=%s main)" a 'is merged as one commit'
run afw merge b
is "$code" 4 'the second conflicts'
like "$out" 'both' 'and says where'
is "$(git log -1 --format=%s main)" a 'and is not merged'
exit_is 0 'another branch' git branch other HEAD~
exit_is 0 'merge --into' afw merge --into other b
is "$(git log -1 --format=%s other)" b 'is merged into that'
# -- conflicts ----------------------------------------------------------------

afw exec b -- sh -c 'echo more >both; echo x >new'
exit_is 0 'conflicts of one' afw conflicts b
like "$out" $'^there:b conflicts with the branch main\n  both: both' \
	'with the branch of here, uncommitted work included'
AFW_HOST=local afw new local --no-start -a demo >"$T/log" 2>&1
echo local >"$T/.af_worktrees/repo-local/new"
exit_is 0 'conflicts with one of here' afw conflicts b --into other
like "$out" $'^there:b conflicts with local\n.*  new: both added it' 'is found'
exit_is 0 'as JSON' afw conflicts --json b
is "$(json pairs.0.a):$(json into)" there:b:main 'an object'
AFW_HOST=local afw rm -D local >"$T/log" 2>&1
exit_is 0 'conflicts of all there' afw conflicts
like "$out" 'b conflicts with the branch here/main' 'with the branch as it is here now'
exit_is 0 'compare' afw compare a b
like "$out" 'no: 1 conflict' 'likewise'
exit_is 0 'diff' afw diff b
like "$out" '\+more' 'is that of there'
afw exec b -- sh -c 'git checkout -q both; rm new'
theirs=$(git commit-tree -m theirs -p main 'main^{tree}')
git push -q "$url" "$theirs:refs/remotes/here/main"
git commit -q --allow-empty -m ours
run afw merge b
is "$code" 4 'commits that came from elsewhere are refused'
like "$err" 'refs/remotes/here/main there has commits' 'and it says so'
is "$(git -C "$T/box/repo" rev-parse here/main)" "$theirs" 'and they stay'
git push -qf "$url" main:refs/remotes/here/main
refused 2 'in no group' 'merge --rest, without a group' afw merge --rest rm --yes b
afw group b --add g >"$T/null"
for name in c2 d2; do
	afw new $name -g g --no-start -a demo >"$T/log" 2>&1
done
refused 2 'no terminal to ask' 'merge --rest, without a terminal' afw merge --rest rm b
tmux_start 100 30 afw merge --rest rm c2
tmux_wait_for 'move them to the trash'
tmux_keys n Enter
waits_for tmux_dead 'merge --rest asks'
tmux_stop
is "$(afw ls -q -g g | sort | tr '\n' ' ')" 'b c2 d2 ' 'no: all stay'
exit_is 0 'merge --rest rm' afw merge --rest rm --yes c2
like "$out" 'main has all of it already' 'merges one'
is "$(afw ls -q -g g | tr '\n' ' ')" 'c2 ' 'removes the others of its group there'
like "$(afw trash ls)" 'b .*d2|d2.*b' 'to the trash there'

# -- one connection ----------------------------------------------------------

hang_up
exit_is 0 'one command' afw ls
ls "$XDG_RUNTIME_DIR"/afw/ssh-* >"$T/sockets"
is "$(wc -l <"$T/sockets")" 1 'leaves a connection'
exit_is 0 'which later ones use' ssh -oControlPath="$(cat "$T/sockets")" -O check box
hang_up
printf 'Host *\n\tControlMaster auto\n\tControlPath %s\n' "$T/own-%C" >>"$T/box/ssh"
exit_is 0 'with one of the configuration' afw ls
is "$(ls "$XDG_RUNTIME_DIR"/afw/)" "$(ls "$XDG_RUNTIME_DIR"/afw/ | grep -v ssh-)" \
	'afw makes none'
ssh -o ControlPersist=60 box true
afw wait a --for waiting >"$T/out" 2>"$T/err" &
waiter=$!
waits_for 'ps -eo args | grep "^afw on-host" | grep -q "wait.*a"'
ssh -O exit box 2>"$T/null"
wait "$waiter"
is "$?" 255 'that one, lost in the middle: 255'
like "$(cat "$T/err")" 'the connection to ssh://box was lost' 'and afw says it'
sed -i '/^Host \*/,$d' "$T/box/ssh"
printf '#!/bin/sh\necho "$@" >>"%s"\nexec ssh "$@"\n' "$T/own" >"$T/bin/own"
chmod +x "$T/bin/own"
exit_is 0 'GIT_SSH_COMMAND' env GIT_SSH_COMMAND="'$T/bin/own' -oAddressFamily=any" afw ls
like "$(cat "$T/own")" '^-oAddressFamily=any .*ssh://box' 'is used as git does'
git config core.sshCommand "'$T/bin/own'"
rm "$T/own"
exit_is 0 'core.sshCommand' afw ls
like "$(cat "$T/own")" 'ssh://box' 'likewise'
git config --unset core.sshCommand
eval "$(ssh-agent)" >"$T/null"
cp "$T/box/ssh" "$T/box/ssh-plain"
sed -i 's/^Host box/&\n\tForwardAgent yes/' "$T/box/ssh"
afw new agent -- sh -c 'echo "<$SSH_AUTH_SOCK>"; cat' >"$T/log" 2>&1
waits_for 'afw logs agent | grep -q "<>"' 'a forwarded key agent is not in a session'
exit_is 0 'a command' afw exec agent -- sh -c 'echo "<$SSH_AUTH_SOCK>"'
like "$out" '^</' 'has it: it is forwarded'
kill "$SSH_AGENT_PID"
unset SSH_AUTH_SOCK SSH_AGENT_PID
cp "$T/box/ssh-plain" "$T/box/ssh"
hang_up

# afw wait, cut in the middle
afw wait agent --for waiting >"$T/out" 2>"$T/err" &
waiter=$!
waits_for '[ -S "$(echo "$XDG_RUNTIME_DIR"/afw/ssh-*)" ]'
waits_for 'ps -eo args | grep "^afw on-host" | grep -q "wait.*agent"'
hang_up
wait "$waiter"
is "$?" 255 'a connection that is lost in the middle: 255'
like "$(cat "$T/err")" 'the connection to ssh://box was lost' 'and afw says it'
pid=$(afw status --json agent >"$T/s"; json supervisor_pid "$T/s")
kill -STOP "$pid"
afw send agent -m hello >"$T/out" 2>"$T/err" &
sender=$!
waits_for 'ps -eo args | grep "^afw on-host" | grep -q "send.*agent"'
hang_up
wait "$sender"
is "$?" 8 'send: 8'
like "$(cat "$T/err")" 'unknown whether the message arrived' 'and it says why'
kill -CONT "$pid"
exit_is 255 'an exit code 255 of there' afw exec agent -- sh -c 'exit 255'
unlike "$err" 'lost' 'is not taken for that'

# -- a cut connection, at each step -----------------------------------------

works c third
before=$(git rev-parse main)
real=$T/bin/ssh
mkdir "$T/cut"
cat >"$T/cut/ssh" <<END
#!/bin/sh
case \$* in *" -G "* | "-G "*) exec $real "\$@" ;; esac
n=\$(cat "$T/count"); n=\$((n + 1)); echo "\$n" >"$T/count"
[ "\$n" -lt "\$CUT" ] || exit 255
exec $real "\$@"
END
chmod +x "$T/cut/ssh"
for CUT in 1 2 3 4; do
	echo 0 >"$T/count"
	run env PATH="$T/cut:$PATH" CUT=$CUT afw merge c
	isnt "$code" 0 "a connection that is cut at step $CUT fails"
	is "$(git rev-parse main; git branch --list 'af/*')" "$before" \
		'and nothing is changed'
done
echo 0 >"$T/count"
run env PATH="$T/cut:$PATH" CUT=5 afw merge c
is "$code" 1 'a connection that is cut after the merge fails'
like "$err" 'merged into main here, but the machine there does not know' 'and says what is left'
is "$(cat third)" c 'it is merged here'
exit_is 0 'the same command' afw merge c
is "$(git -C "$T/box/repo" rev-parse here/main)" "$(git rev-parse main)" 'completes it'

# -- a hostile machine --------------------------------------------------------

hang_up
mkdir -p "$T/box/home/.local/bin"
sed "s|PATH=$BUILD:|PATH=|" "$T/box/sshd" >"$T/box/sshd-plain"
sed -i "s|-f $T/box/sshd\$|-f $T/box/sshd-plain|" "$T/box/ssh"
# says JSON: the afw there answers with it.
says()
{
	printf '#!/bin/sh\ncat <<"END"\n%s\nEND\n' "$1" >"$T/box/home/.local/bin/afw"
	chmod +x "$T/box/home/.local/bin/afw"
}
printf '#!/bin/sh\ncase $3 in 6c73) exit 2 ;; esac\necho "afw 0.1.0 (abc)"\n' \
	>"$T/box/home/.local/bin/afw"
chmod +x "$T/box/home/.local/bin/afw"
exit_is 2 'a usage error of an older afw' afw ls
like "$err" 'another version: afw 0.1.0 \(abc\); this is afw' 'is explained'
refs=$(git for-each-ref)
session='"id":"0123456789abcdef0123456789abcdef","name":"x","base_commit":"x","phase":"stopped","activity":"idle"'
says "{$session,\"base\":\"here/main\",\"branch\":\"*\"}"
refused 1 'is not the name of a branch' 'a pattern as a branch' afw fetch x
says "{$session,\"base\":\"here/main\",\"branch\":\"a:refs/heads/b\"}"
refused 1 'is not the name of a branch' 'two references as a branch' afw fetch x
says "{$session,\"base\":\"here/main\",\"branch\":\"main\"}"
run afw fetch x
isnt "$code" 0 'the checked out branch'
git checkout -q --detach
refused 4 'did not come from there' 'a branch that was pushed there' afw fetch x
git checkout -q main
git branch secret HEAD
refs=$(git for-each-ref)
says "{$session,\"base\":\"here/secret\",\"branch\":\"af/c\"}"
refused 1 'made from secret, which this repository has not pushed' \
	'a branch that was never pushed there' afw merge x
says 'no JSON'
refused 1 'does not answer as this one' 'no JSON' afw fetch x
is "$(git for-each-ref)" "$refs" 'nothing is changed by all that'
box_end
done_testing
