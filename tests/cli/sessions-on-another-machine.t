#!/bin/bash
# afw -H and `host`: another machine's sessions by the user's own ssh, with a
# real sshd. The other machine is this one with another home, data and PATH.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/box.sh"

make_repo "$T/repo"
git clone -q --bare "$T/repo" "$T/box/bare"
git clone -q "$T/box/bare" "$T/box/repo"
cd "$T/repo" || exit 2
url=ssh://box$T/box/repo

echo local >only-here
git add only-here
git commit -q -m 'not pushed'
commit=$(git rev-parse HEAD)
exit_is 0 'new makes a session there' \
	env SECRET=not-in-argv afw -H "$url" new one -e SECRET -- \
	sh -c 'echo "<$SECRET>"; pwd; cat'
like "$out" "$T/box/" 'and says where'
waits_for 'afw -H "$url" logs one | grep -q "<not-in-argv>"' \
	'a variable of here reached it'
printf 'a\0b' >"$T/a picture.png"
echo text >"$T/notes"
exit_is 8 'files of here go with a message' afw -H "$url" send one --raw \
	-m 'look at these' --attach "$T/a picture.png" --attach "$T/notes"
waits_for 'afw -H "$url" logs one | grep -q "home/attached/a_picture.png"' \
	'which names them there'
there=$(find "$T/box/home" -path '*/home/attached/a_picture.png')
ok_cmd 'they are the same' cmp "$T/a picture.png" "$there"
is "$(cat "${there%/*}/notes")" text 'all of them'
refused 2 'attach .*/gone' 'one that is not here' \
	afw -H "$url" send one -m a --attach "$T/gone"
refused 2 'with --file' 'standard input is for the files' \
	afw -H "$url" send one -F "$T/notes" --attach "$T/notes"
refused 2 'needs the message on the command line' 'also without the option' \
	afw -H "$url" send one - --attach "$T/notes"
is "$(git -C "$T"/box/.af_worktrees/repo-one rev-parse HEAD)" "$commit" \
	'it starts from the commit here, which was not there'
run afw ls
unlike "$out" one 'nothing of it is here'
run afw -H "$url" ls --json
is "$(json 0.name)" one 'ls'
is "$(json 0.base_commit)$(json 0.branch)" "$(json 0.base_commit)af/one" \
	'it has a branch of its own'
is "$(git -C "$T/box/repo" rev-parse refs/remotes/here/main)" "$commit" \
	'the branch of here is a remote branch there'
is "$(git -C "$T/box/repo" for-each-ref refs/heads --format='%(refname)' | tr '\n' ' ')" \
	'refs/heads/af/one refs/heads/main ' 'and no branch of its own'
echo "it's \"\$(echo no shell)\`" >"$T/text"
exit_is 8 'send, from a file of here' afw -H "$url" send one -F "$T/text"
waits_for 'afw -H "$url" logs one | grep -qFf "$T/text"' \
	'it arrives as it is'
exit_is 0 'an empty word' afw -H "$url" exec one -- printf '[%s]' '' '* \n'
is "$out" '[][* \n]' 'and one of all kinds are as they were'
exit_is 7 'an exit code is that of there' afw -H "$url" exec one -- sh -c 'exit 7'
run afw -H "$url" exec one -- sh -c 'echo more >>README; git commit -qam two'
run afw -H "$url" diff --stat one
like "$out" 'README' 'diff'
waits_for 'afw -H "$url" status --json one >"$T/s"; json activity "$T/s" | grep -q idle'
refused 1 "made from the branch main of another machine" \
	'a merge over there has no such branch' \
	ssh box "cd $T/box/repo && afw merge one"
refused 3 "no session 'two'" 'errors come from there' \
	afw -H "$url" status two
afw -H "$url" new hinted --no-start -a demo >"$T/out" 2>"$T/err"
like "$(cat "$T/err")" "\`afw -H $url start hinted\` starts it" 'hints name the machine'
hint=$(sed -n 's/^hint: `\(.*\)` starts it/\1/p' "$T/err")
ok_cmd 'and can be followed' sh -c "$hint"
run afw -H "$url" exec hinted -- env
unlike "$out" AFW_FROM 'no session gets that name'
run afw -H "$url" status --json two
like "$err" '"hint":.*' 'as JSON'
afw -H "$url" rm --stop hinted >"$T/log" 2>&1

# -- by the configuration ---------------------------------------------------

mkdir -p "$T/config/afw"
echo "host = $url" >"$T/config/afw/afw.ini"
run afw status --json one
is "$(json name)" one 'host in afw.ini does as -H'
run afw config host
like "$out" 'ssh://box' 'configuring is of here'
run afw -H local ls
unlike "$out" one 'local is this machine'

# -- a terminal, and what breaks --------------------------------------------

tmux_start 100 30 afw attach one
tmux_wait_for "it's"
tmux_type 'typed at the box'
tmux_keys Enter
tmux_wait_for 'typed at the box'
pkill -f -x -- "$(command -v ssh | sed "s,^$T/bin,/usr/bin,") -F $T/box/ssh .*-t .*"
waits_for tmux_dead 'the connection is killed'
tmux_stop
is "$(afw status one --json >"$T/s"; json phase "$T/s")" running \
	'the session keeps running'
tmux_start 100 30 afw attach one
tmux_wait_for 'typed at the box' 'and is found again'
tmux_stop
tmux_start 100 30 afw
tmux_wait_for 'one' 'the dashboard is that of there'
tmux_keys q
tmux_stop
exit_is 0 'a merge by hand' git fetch -q "$url" af/one
git merge -q FETCH_HEAD
git push -q "$url" main:refs/remotes/here/main
exit_is 0 'rm --merged' afw rm --stop --merged --yes
is "$(git -C "$T/box/repo" for-each-ref refs/heads/af)" '' \
	'removes it with its branch: the machine there knows of the merge'

# -- the branch of here, there ----------------------------------------------

echo more >untracked
exit_is 0 'new from a dirty worktree' afw new dirty -- cat
like "$err" 'uncommitted changes stay here.* --with-changes' 'says what it lacks'
echo changed >>README
git rm -q only-here
exit_is 0 'new --with-changes' afw new taken --with-changes -- cat
unlike "$err" 'stay here' 'lacks nothing'
is "$(git -C "$T/box/.af_worktrees/repo-taken" status --porcelain)" \
	"$(git status --porcelain | sed 's/^D / D/')" 'the same changes are there'
is "$(cat "$T/box/.af_worktrees/repo-taken/README" \
	"$T/box/.af_worktrees/repo-taken/untracked")" "$(cat README untracked)" \
	'with their contents'
refused 4 'changes of another commit than' 'changes of another commit' \
	afw new not --with-changes -b HEAD~ -- cat
git reset -q --hard
rm untracked
exit_is 0 'a clean worktree' afw new clean --with-changes -- cat
like "$err" 'nothing is changed here' 'is said'
git commit -q --amend -m amended
exit_is 0 'new from an amended branch' afw new amended -- cat
unlike "$err" 'uncommitted' 'a clean worktree has none'
is "$(git -C "$T/box/repo" rev-parse here/main)" "$(git rev-parse HEAD)" \
	'what was pushed from here is replaced'
theirs=$(git commit-tree -m theirs -p main 'main^{tree}')
git push -q "$url" "$theirs:refs/remotes/here/main"
git commit -q --amend -m again
refused 4 "new 'again': refs/remotes/here/main there has commits that main here lacks" \
	'commits that came from elsewhere' afw new again -- cat
is "$(git -C "$T/box/repo" rev-parse here/main)" "$theirs" 'stay'
hint=$(sed -n 's/^hint: `\(.*\)` brings.*/\1/p' <<<"$err")
sh -c "$hint -q" && is "$(git rev-parse FETCH_HEAD)" "$theirs" 'and can be fetched'
run afw ls --json
unlike "$out" 'again' 'and nothing is made'
git push -qf "$url" main:refs/remotes/here/main
git -C "$T/box/repo" remote add here "$T/none"
refused 4 'has a remote named here' 'a remote of that name there' afw new clash -- cat
like "$err" 'git remote rename here' 'with the command that helps'
git -C "$T/box/repo" remote rename here other 2>"$T/null"
git push -qf "$url" main:refs/remotes/here/main
git checkout -q -b 'odd/$(id)"'\''-é'
exit_is 0 'a branch with odd characters' afw new odd -- cat
run afw status --json odd
is "$(json base)" 'here/odd/$(id)"'\''-é' 'is the base'
git checkout -q --detach
exit_is 0 'a commit that no branch names' afw new detached -- cat
run afw status --json detached
is "$(json base)" "$(git rev-parse HEAD)" 'is the base'
git checkout -q main
afw rm --stop -D dirty taken clean amended odd detached >"$T/log" 2>&1
echo "host = $url/%2e" >"$T/config/afw/afw.ini"
exit_is 0 'a mistake in host' afw ls
like "$err" 'afw.ini:1: host' 'is reported; the sessions are those of here'
refused 1 'afw.ini:1: host' 'new makes no session here' afw new two -- cat
rm "$T/config/afw/afw.ini"

# -- an afw that a login by ssh alone does not find ---------------------------

sed "s|PATH=$BUILD:|PATH=|" "$T/box/sshd" >"$T/box/sshd-plain"
sed -i "s|^Host away|Host plain\n\tProxyCommand env AF_TEST_ID=$T $sshd -i -f \
$T/box/sshd-plain\n\tIdentityFile $T/box/key\n\tStrictHostKeyChecking no\n\
	UserKnownHostsFile $T/box/known\n\tUser $(id -un)\nHost away|" "$T/box/ssh"
mkdir "$T/box/home/afw" # a clone of afw, in the home
exit_is 127 'an afw that is not there' afw -H "ssh://plain$T/box/repo" ls
like "$err" 'afw: start afw on the other machine: .*~/.local/bin' 'is reported'
like "$err" 'hint: install it there' 'with a hint'
mkdir -p "$T/box/home/.local/bin"
ln -s "$BUILD/afw" "$T/box/home/.local/bin/afw"
exit_is 0 'one in ~/.local/bin' afw -H "ssh://plain$T/box/repo" ls
rm "$T/box/home/.local/bin/afw"
printf '#!/bin/sh\necho "words: $*"\n' >"$T/box/home/.local/bin/afw"
chmod +x "$T/box/home/.local/bin/afw"

# -- what that machine prints is shown as an attached session's is -----------

cat >"$T/box/home/.local/bin/afw" <<'END'
#!/bin/sh
printf 'a\033]52;c;aGk=\007b\2332Jc\033[5id\033[ce\033[1mf\342\233\204\n'
printf 'E\033[5iF\235x\n' >&2
exit 3
END
onpty=$BUILD/tests/tools/onpty
# shows COMMAND FROM: its code, and what came to the terminal, FROM on.
shows()
{
	code=0
	"$onpty" sh -c "$1" </dev/null >"$T/screen" 2>&1 || code=$?
	got=$(od -An -c <"$T/screen" | tr -d ' \n' | grep -o "$2.*")
}
plain="afw -H ssh://plain$T/box/repo ls"
shows "$plain" a
is "$code" 3 'a command there, on a terminal: its code'
like "$got" '^aGk=033\\ab3572772752Jcd.*e033\[1mf342233204' \
	'no C1 control, no printer, no question; colours and characters pass'
like "$got" 'EF357277275x' 'the same of its standard error'
like "$got" '033\[0m.*033\[23;0t033\[\?1007r$' 'the terminal is as it was'
shows "$plain >'$T/file'" E
like "$got" '^EF357277275x' 'standard error alone on the terminal'
is "$(head -n 1 "$T/file" | od -An -c | tr -d ' \n')" \
	'a033]52;c;aGk=\ab2332Jc033[5id033[ce033[1mf342233204\n' \
	'a file gets every byte'
mkdir -p "$T/config/afw"
echo 'clipboard = never' >"$T/config/afw/afw.ini"
shows "$plain" a
like "$got" '^ab3572772752J' 'clipboard = never'
rm "$T/config/afw/afw.ini"

printf '#!/bin/sh\necho "words: $*"\n' >"$T/box/home/.local/bin/afw"
line=$(sed -n '/^#define ARRIVE/,/afw"$/p' "$ROOT/src/commands/launch/host_ssh.c" |
	grep -o '".*"' | sed 's/^"//; s/"$//; s/\\"/"/g' | tr -d '\n')
for shell in dash csh fish zsh; do
	command -v $shell >/dev/null || { skip 1 "no $shell here"; continue; }
	is "$(cd "$T/box/home" && HOME=$T/box/home PATH=/usr/bin:/bin \
		$shell -c "$line 62 2f 61")" 'words: on-host 2f 61' \
		"a login shell $shell finds it"
done

# -- bad input --------------------------------------------------------------

refused 2 "host 'box'.*ssh://" 'no address' afw -H box ls
refused 2 'its host is not valid' 'an option as a host' afw -H ssh://-oProxyCommand=x/ ls
refused 2 'its port is not valid' 'a port' afw -H ssh://box:0/x ls
refused 2 'needs a value' 'none' afw -H
refused 1 'go to /nowhere' 'a directory that is not there' \
	afw -H ssh://box/nowhere ls
refused 1 "new 'x': there is no commit 'nowhere' here" 'a base that is not there' \
	afw -H "$url" new x -b nowhere -- cat
exit_is 1 'a repository that is not there' afw -H ssh://box/nowhere new x -- cat
like "$err" "afw: new 'x': git could not push" 'and says so'
like "$err" 'hint: .*clone it' 'with the hint'
exit_is 1 'no machine there' afw -H ssh://away/x new x -- cat
unlike "$err" 'clone' 'has not that hint'
exit_is 255 'a machine that is not there' afw -H ssh://away ls
refused 2 'not what afw sends' 'garbage' afw on-host zz zz
refused 2 'cannot be combined with --env' 'a file and variables' \
	afw -H "$url" new x -e A=b -F "$T/text" -- cat
long=$(printf '%070000d' 0)
refused 2 'too long' 'a command of 70 KB' afw -H "$url" send one -m "$long"
box_end
done_testing
