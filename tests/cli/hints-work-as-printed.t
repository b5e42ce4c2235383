#!/bin/bash
# A hint is a command that helps: each is run by a shell as it was printed, in
# the same directory. The user replaces words in capitals. At the end,
# tests/hints.pl compares with the source: a hint that is not run here is
# excused by name, or the test fails.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
export DEMO_SPEED=20 EDITOR=true GIT_EDITOR="sed -i '1i work'"
W=$T/.af_worktrees
ini=$XDG_CONFIG_HOME/afw/afw.ini
mkdir -p "${ini%/*}"
printf 'harness = demo\nrecord = yes\n' >"$ini"
: >"$T/followed"
: >"$T/excused"

# prints CMD...: what it prints names commands; texts has each line that does,
# commands has each command.
prints()
{
	local line command all
	run "$@"
	texts=() commands=()
	all=$out$'\n'$err
	[[ $all != *hint:\ * ]] || all=$(grep '^hint: ' <<<"$all")
	while IFS= read -r line; do
		while IFS= read -r command; do
			texts+=("$line") commands+=("${command//\`/}")
		done < <(grep -oE '`(afw|git|podman|cat|chmod|kill|rm|umount)( [^`]*)?`' \
			<<<"$line")
	done <<<"$all"
	[ "${#commands[@]}" -gt 0 ] || {
		fail "names a command: $*"
		diag "$out" "$err"
	}
}

# take N [SED]: the command to run next; what SED changes the user would.
take()
{
	local printed=${commands[$1 - 1]-}
	[ -n "$printed" ] || fail "there is a command $1"
	command=$(sed -E "${2-}" <<<"$printed")
	printf '%s\t%s\n' "${texts[$1 - 1]}" "$printed" >>"$T/followed"
}

# works [N [SED [CODE]]]: the Nth command, by a shell, exits with 0, or CODE.
works()
{
	take "${1-1}" "${2-}"
	exit_is "${3-0}" "$command" sh -c "$command"
}

# shows N TEXT [SED]: on a terminal it shows TEXT, and keeps running. On the
# first line attach shows its own text for 4 s.
shows()
{
	take "$1" "${3-}"
	tmux_start 100 24 sh -c "$command; echo; echo ended: \$?; read -r _"
	tmux_wait_for "$2" "$command"
}

# follows N TEXT CMD...: it prints TEXT once CMD has run, and keeps running.
follows()
{
	take "$1"
	sh -c "exec $command" >"$T/going" 2>&1 &
	waits_for "${*:3}; grep -qF -- '$2' '$T/going'" "$command"
	kill "$!" && wait "$!" 2>/dev/null
}

# excused REASON TEXT...: hints that have TEXT are not followed here.
excused()
{
	local reason=$1 text
	for text in "${@:2}"; do
		printf '%s\t%s\n' "$text" "$reason" >>"$T/excused"
	done
	[[ ! $reason =~ ([a-z0-9-]+\.t)$ ]] ||
		ls "$ROOT"/tests/*/"${BASH_REMATCH[1]}" >"$T/null" ||
		fail "there is a test ${BASH_REMATCH[1]}"
}

idle() { wait_for "[[ \$(state_of $1 activity) =~ idle|completed ]]"; }
# commits NAME FILE TEXT: in its worktree.
commits()
{
	echo "$3" >"$W/repo-$1/$2"
	git -C "$W/repo-$1" add "$2" && git -C "$W/repo-$1" commit -qm "$3"
}

# -- before there is a session ---------------------------------------------------

mkdir "$T/none"
cd "$T/none" || exit 2
prints afw new x
works
prints afw new x
works
exit_is 0 'then new works' afw new x --no-start
exit_is 0 'and is undone' afw rm x
git checkout -q --orphan other
prints afw new x
works
make_repo "$T/repo"
cd "$T/repo" || exit 2
prints afw status
works 1 's/NAME/x/'
exit_is 0 'rm' afw rm --stop x
prints afw ls
works 1 's/NAME/a/'
idle a

# -- mistakes on the command line ------------------------------------------------

prints afw --help
works
works 2 's/COMMAND/ls/'
prints afw xyzzy
works
prints afw --xyzzy
works
prints afw statu
works
prints afw ls --xyzzy
works
prints afw exec a true
works
prints afw exec
works 1 's/NAME/a/; s/COMMAND/true/'
prints afw compare nosuch
works
prints afw group
works 1 's/NAME/a/; s/GROUP/all/'
prints afw group --add x
works 1 's/NAME/a/; s/GROUP/x/'
prints afw flag
works 1 's/NAME/a/'
prints afw flag xyzzy
works
exit_is 0 'archived' afw flag archive a
prints afw ls
works
exit_is 0 'and shown' afw flag show a
prints afw send --group nobody -- hello
works
prints afw send --all hello
works 1 's/TEXT/[[lines 1]]/'
prints afw send --group all hello
works 1 's/GROUP/all/; s/TEXT/[[lines 1]]/'
prints afw send a run --raw it
works 1 's/NAME/a/; s/TEXT/[[lines 1]]/'
prints afw adapters xyzzy
works
prints afw send hello
works 1 's/NAME/a/; s/hello/[[lines 1]]/'
prints afw send a
works 1 's/TEXT/[[lines 1]]/'
prints afw send a ' '
works 1 's/NAME/a/; s/TEXT/[[lines 1]]/'
prints afw config xyzzy abc
works
prints afw config xyzzy
works
prints afw config set harness.x.y 1
shows 1 'ended: 0'
tmux_stop
printf '[template.quick]\nstop_timeout = 1s\n' >>"$ini"
prints afw templates edit quick
shows 1 'ended: 0'
tmux_stop
sed -i '/template.quick/,$d' "$ini"
prints afw templates edit planner
works
prints afw templates new mine
works
prints afw templates new mine
works
prints afw new x -t nosuch
works
prints afw trash restore nobody
works
prints afw ls -w
follows 1 'message' "afw send a '[[lines 1]]'"
prints afw attach a
works
follows 2 'lines' true
prints afw new x -a nosuch
works
works 2 's/NAME/x/; s/COMMAND/sh -c "echo; echo hello; cat"/'
prints afw new x
shows 1 'hello'
tmux_stop
works 2
prints afw new x -b nosuch
works
prints afw new x --branch nosuch
works
prints afw new x --branch main
works

# -- sessions that are not running -----------------------------------------------

prints afw new q9 -a demo do it
works 1 's/NAME/q9/; s/TEXT/do it/'
git -C "$W/repo-q9" commit -q --allow-empty -m work
prints afw rm --stop q9
works
prints afw new b --no-start -- sh -c 'echo "I am b"; cat'
works
prints afw suspend b
works
works 2
exit_is 0 'stop' afw stop b
prints afw send b hello
works 1 's/TEXT/hello/' 8
exit_is 0 'stop' afw stop b
prints afw suspend b
works
exit_is 0 'stop' afw stop b
prints afw retry b
works
kill -9 "$(state_of b supervisor_pid)"
prints afw wait b
works
exit_is 1 'a turn that fails' afw send --wait a '[[fail]]'
prints afw wait a
shows 1 'could not be reached'
exit_is 0 'another' afw send --wait a '[[lines 1]]'
prints afw start b -m hello
works 1 's/TEXT/hello/' 8
prints afw start b -o stop_timeout=1s
works
prints afw new y -o max_sessions=9
works 1 's/VALUE/9/'
exit_is 0 'as before' afw config unset max_sessions
prints afw new b
works
exit_is 0 'stop' afw stop b
prints afw new b
works 2
exit_is 0 'a new one' afw new b --no-start
prints afw capture b
works
prints afw send b --cancel 99
works

# -- questions and drafts ----------------------------------------------------------

# asks: a asks, and afw has read what.
asks()
{
	run afw send a '[[ask]]'
	wait_for 'afw status a --json | grep -q "\"question\":\"Shall"'
}

prints afw send a --cancel 99
works
prints afw send a --approve
works
asks
prints afw send a hello
shows 3 '[y/n]'
tmux_stop
works 2
idle a
asks
prints afw send a hello
works
idle a
run afw send a --keys h i
wait_for 'afw capture a | grep -q "^> hi"'
wait_for 'afw send a hello 2>&1 | grep -q "clear the draft"'
prints afw send a hello
shows 1 '> hi'
tmux_stop
prints afw send a --wait --when-idle hello
shows 1 '> hi'
tmux_stop
run afw send a --cancel all
run afw send a --keys C-u
exit_is 0 'a password' afw new p -- sh -c 'stty -echo; printf "\nPassword: "; cat'
wait_for 'afw capture p | grep -q Password'
prints afw send p secret
shows 1 'Password:'
tmux_stop
exit_is 0 'rm' afw rm --stop p
prints afw send --wait a '[[ask]]'
shows 3 '[y/n]'
tmux_stop
prints afw merge a
shows 3 '[y/n]'
tmux_stop
run afw send a --approve
idle a

# -- commit, merge, pr -------------------------------------------------------------

run afw send a "[[until $T/go]]"
wait_for '[ "$(state_of a activity)" = working ]'
prints afw merge a
touch "$T/go"
works
echo work >"$W/repo-a/work"
prints afw merge a
shows 1 'ended: 0'
tmux_stop
exit_is 0 'and it is committed' afw merge a
exit_is 0 'another' afw new c
idle c
commits c README 'by c'
echo 'by the user' >README
prints afw merge c
works 1 's,FILES,README,'
git -c core.editor=true commit -qm 'by the user' --allow-empty
echo 'by the user, too' >README
git commit -qam 'by the user, too'
prints afw merge c
works
wait_for 'git -C "$W/repo-c" log -1 --format=%s | grep -q ^Merge'
idle c
git -C "$W/repo-c" reset -q --hard HEAD~1
git config merge.ff only
commits a more 'by a'
prints afw merge a
works
git config --unset merge.ff
prints afw merge a --into nosuch
works
prints afw pr a
works 1 "s,URL,$T/remote.git,"
git init -q --bare "$T/remote.git"
printf 'harness = demo\nrecord = yes\npr_command = echo https://example.org/1\n' >"$ini"
prints afw pr --state a
works
echo new >"$W/repo-a/new"
prints afw pr a
shows 1 'ended: 0'
tmux_stop
git -C "$W/repo-c" switch -q -c elsewhere
prints afw commit c -m x
works
git -C "$W/repo-c" switch -q elsewhere
git branch -q -D af/c
prints afw commit c -m x
works
git -C "$W/repo-c" switch -q --detach
git branch -q -D af/c
prints afw commit c -m x
works
git -C "$W/repo-c" merge main >"$T/null" 2>&1
prints afw commit c -m x
works
git -C "$W/repo-c" merge --abort
git config --global --unset user.email
git config --global --unset user.name
prints afw merge c
works 1 's/NAME/Test/'
works 2 's/ADDRESS/test@example.org/'
echo x >"$W/repo-c/x"
exit_is 0 'and it commits' afw commit c -m x
touch .git/index.lock
prints afw merge a
works
prints afw merge a
works
is "$(afw ls -q | grep -x a)" '' 'the session is removed in one step'
exit_is 0 'one to land' afw new landing
idle landing
commits landing landed 'by landing'
prints afw land -y landing --into nowhere
works
prints afw land -y landing
shows 1 'y/N'
tmux_stop
works 2
exit_is 0 'and it is removed' afw rm --stop landing

# -- a session in the main worktree ---------------------------------------------------

git stash -q -u
exit_is 0 'one to try' afw new tried --no-start
echo tried >"$W/repo-tried/README"
prints afw try --end
works 1 's/NAME/tried/'
prints afw try tried
works
prints afw try tried
works
exit_is 0 'try' afw try tried
prints afw rm tried
works
exit_is 0 'try' afw try tried
prints afw ls
works
exit_is 0 'try' afw try tried
prints afw doctor
take "$(grep -n 'main worktree' <(printf '%s\n' "${texts[@]}") | cut -d: -f1)"
exit_is 0 "$command" sh -c "$command"
exit_is 0 'try' afw try tried
echo both | tee -a README >>"$W/repo-tried/README"
echo edited >>README
prints afw try --end
works
works 2
git stash drop -q
exit_is 0 'try' afw try tried
echo committed >>README
git commit -q -a -m committed
prints afw try --end
works
works 2
exit_is 0 'try' afw try tried
git branch -f main "$(git commit-tree -p main -m more 'main^{tree}')"
prints afw try --end
works
echo dirty >>README
prints afw try tried
works
git stash drop -q
exit_is 0 'one here' afw new there --here --no-start
prints afw try tried
works
exit_is 0 'rm' afw rm -D tried

# -- sessions that are removed -------------------------------------------------------

exit_is 0 'a again' afw new a
run afw send a "[[until $T/never]]"
wait_for '[ "$(state_of a activity)" = working ]'
prints afw rm a
works
exit_is 0 'x' afw new x --no-start
echo 1 >"$W/repo-x/1"
prints afw rm x
works
prints afw rm x
works
prints afw rm x
exit_is 0 'another x' afw new x --no-start
prints afw trash restore x
works
exit_is 0 'and the first is restored' afw trash restore x
exit_is 0 'y' afw new y --no-start
prints afw rename x y
works 1 's/OTHER/z/'
exit_is 0 'and the name is free' afw rename x y
exit_is 0 'rm' afw rm -t y
exit_is 0 'rename' afw rename z y
exit_is 0 'rm of the other' afw rm -t y
prints afw trash restore y
works
exit_is 0 'purge' afw trash purge --yes
exit_is 0 'x' afw new x --no-start
git worktree lock "$W/repo-x"
prints afw rm x
works
mv "$W/repo-x" "$T/moved"
prints afw start x
works 1 "s,PATH,$T/moved,"
git worktree repair "$T/moved" >"$T/null" 2>&1
mv "$T/moved" "$W/repo-x"
git worktree repair "$W/repo-x" >"$T/null" 2>&1
exit_is 0 'it starts' afw start x
exit_is 0 'stop' afw stop x
mv "$W/repo-x" "$T/moved"
prints afw start x
works 2
prints afw trash restore x
mv "$T/moved" "$W/repo-x"
works 1 "s,PATH,$W/repo-x,"
exit_is 0 'and it starts' afw start x

# -- broken ones, and what was left --------------------------------------------------

exit_is 0 'stop' afw stop x
mv "$W/repo-x" "$T/moved"
prints afw rm x
mv "$T/moved" "$W/repo-x"
works 1
mv "$W/repo-x" "$T/moved"
prints afw rm x
works 1
works 2 "s,PATH,$T/moved,"
git worktree repair "$T/moved"
mv "$T/moved" "$W/repo-x" && git worktree repair "$W/repo-x" >"$T/null" 2>&1
exit_is 0 'x is whole' afw diff x
exit_is 0 'w' afw new w --no-start
sed -i -E 's/"worktree":"[^"]*",//' "$(session_dir w)/spec.json"
prints afw exec w -- true
prints afw start w
works
git worktree add -q "$T/else/repo-v"
rm -rf "$T/else"
prints afw new v --no-start
works
exit_is 0 'and then new works' afw new v --no-start
echo broken >"$(session_dir v)/spec.json"
prints afw rm "$(basename "$(grep -l broken "$DATA"/sessions/*/spec.json | xargs dirname)")"
works
prints afw reconcile
works
works 2
rm -rf "$W/repo-c"
prints afw reconcile
works 1 "s,PATH,$W/repo-c," 1
works 2
git branch af/left
prints afw reconcile
works
exit_is 0 'l' afw new l
kill -9 "$(state_of l supervisor_pid)"
wait_for '[ "$(state_of l phase)" = error ]'
# Its agent ends with its terminal; what does not is left.
prints afw reconcile
grep -q 'afw reconcile --apply' <<<"${commands[-1]}"
ok $? 'that it can be repaired comes last'
works 1
exit_is 0 'stop' afw stop l
exit_is 0 'start' afw start l
kill -9 "$(state_of l supervisor_pid)"
wait_for '[ "$(state_of l phase)" = error ]'
prints afw reconcile
works "${#commands[@]}"
exit_is 0 'rm' afw rm l
git branch gone-one
git worktree add -q "$W/out" gone-one
mv "$W/out" "$T/out"
prints afw reconcile
works 1 "s,PATH,$T/out,"
git worktree remove "$T/out"
git worktree add -q "$W/out" gone-one
rm -r "$W/out"
prints afw reconcile
works 2
git worktree add -q "$T/out" gone-one
rm -rf "$T/out"
exit_is 0 'm' afw new m
idle m
commits m m m
prints afw merge m --into gone-one
works
prints afw merge m --into gone-one
works
exit_is 0 'm' afw new m
idle m
# -- the configuration ------------------------------------------------------------

printf '%s\n' 'harness = demo' 'record = yes' 'check = false' '[harness.empty]' >"$ini"
prints afw config check
works
prints afw new z -o setup=false
works
exit_is 0 'a session with a check' afw new k
idle k
run afw send k '[[lines 1]]'
wait_for '[ "$(state_of k check)" = failed ]'
prints afw since --line
works
prints afw merge k --require-check
works
prints afw merge k --rest rm -y
works
prints afw wait k --checked
works
printf '%s\n' 'harness = demo' 'record = yes' 'pr_command = echo https://x.org/1' \
	'[harness.empty]' >"$ini"
prints afw new x -a empty
works 1 's/COMMAND/cat/'
prints afw new y -a generic
works 1 's/COMMAND/cat/; s/NAME/y/'
exit_is 0 'rm' afw rm --stop x y k
cp "$ini" "$T/good"
echo '[x' >>"$ini"
prints afw ls
works 1 '' 1
cp "$T/good" "$ini"
chmod o+w "$ini"
prints afw config
works
exit_is 0 'and it is read' afw config
printf '%s\n' 'harness = demo' '[service.db]' 'command = sh -c "echo well; exec cat"' \
	'ready = log:well' >"$ini"
exit_is 0 'a session with a service' afw new s
prints afw logs s --service nosuch
cp "$T/good" "$ini"
exit_is 0 'rm' afw rm --stop s

# -- what a repository brings ----------------------------------------------------------

prints afw trust
works
exit_is 0 'no longer' afw trust --remove
mkdir -p .af/templates/theirs
echo 'harness = demo' >.af/templates/theirs/template.ini
echo 'copy = .env' >.af/afw.ini
prints afw trust
works
exit_is 0 'no longer' afw trust --remove
# agrees N: the Nth command asks, and is answered.
agrees()
{
	shows "$1" '[y/N]'
	tmux_keys y Enter
	tmux_wait_for 'ended: 0'
	tmux_stop
}
# trusts CMD...: what it prints makes the repository trusted.
trusts()
{
	exit_is 0 'no longer trusted' afw trust --remove
	"$@"
	agrees 1
}
trusts prints afw new x
trusts prints afw start b
trusts prints afw doctor
trusts prints afw new x -t theirs
trusts prints afw config set --repo check true
printf '%s\n' 'harness = demo' 'record = yes' 'env_file = .env' >"$ini"
echo A=1 >.env
mv .af "$T/af"
trusts prints afw new x
exit_is 0 'x' afw new x --untrusted
exit_is 0 'stop' afw stop b
trusts prints afw start b
mv "$T/af" .af
cp "$T/good" "$ini"
exit_is 0 'trust' afw trust --yes
shows_edited()
{
	tmux_start 100 24 sh -c "afw templates edit theirs; read -r _"
	tmux_wait_for 'hint: '
	prints tmux_screen
	tmux_stop
}
shows_edited
rm -r .af
works 1 '' 9

# -- terminals, agents, recordings -----------------------------------------------------

prints afw-dashboard now
works
prints afw dashboard
works
tmux_start 100 24 sh -c "TERM=nosuch afw dashboard; read -r _"
tmux_wait_for 'hint: '
prints tmux_screen
tmux_stop
works
exit_is 0 'a recording of a terminal' afw logs --cast "$T/a.cast" b
prints afw adapters test "$T/a.cast"
works 1 "s,FILE,$T/b.cast,; s/NAME/m/"
mkdir "$T/bin"
for program in sh bash git env sed cat sleep stty tr awk; do
	ln -s "$(command -v "$program")" "$T/bin/$program"
done
prints afw adapters new y
shows 1 'Step 1 of 5' 's/NAME/y/; s/COMMAND/cat/'
tmux_stop
waits_for '! compgen -G "$T/afw-*"' 'its scratch directory is deleted'
prints "$BUILD/tests/tools/onpty" afw adapters new codex -- cat </dev/null
works
prints env PATH="$BUILD:$T/bin" afw adapters
works 1 's/NAME/q/'
works 2 's/NAME/r/; s/COMMAND/cat/'
exit_is 0 'rm' afw rm --stop q r
prints env PATH="$BUILD:$T/bin" afw doctor
works
works 2 's/NAME/q/'
works 3 's/NAME/r/; s/COMMAND/cat/'
exit_is 0 'rm' afw rm --stop q r x

printf '%s\n' 'harness = demo' 'record = yes' '[harness.q]' \
	"command = sh -c 'echo; echo Do you trust it?; cat'" \
	'waiting = ^Do you .*[?]$' >"$ini"
exit_is 0 'no longer trusted' afw trust --remove
prints afw new q -a q
shows 1 'Do you trust it?'
tmux_stop
agrees 2
prints afw send q --approve
shows 1 'Do you trust it?'
tmux_stop
works 2 's/KEY/y/'
exit_is 0 'rm' afw rm --stop q
exit_is 0 'stop' afw stop b
for ((i = 0; i < 65; i++)); do
	afw send b --when-idle "$i" >"$T/null" 2>&1
done
prints afw send b --when-idle more
works
works 2 "s/NAME/b/; s/ID/$(afw send b --list | awk 'NR == 2 { print $2 }')/"

# -- services ------------------------------------------------------------------------

cp "$T/good" "$ini"
printf '%s\n' 'harness = demo' '[service.db]' 'command = cat' 'ready = log:never' \
	'ready_timeout = 100ms' >"$ini"
prints afw new d
works
sed -i 's/^ready_timeout = .*/ready_timeout = 5s/' "$ini"
printf '%s\n' '[service.db]' "command = sh -c 'cat $T/db; exit 1'" \
	'ready = log:well' >>"$ini"
echo ill >"$T/db"
prints afw new d
works
echo well >"$T/db"
exit_is 0 'a session with a service' afw new d -- cat
prints afw logs d --service nosuch
works
exit_is 0 'stop' afw stop d
echo ill >"$T/db"
prints afw start d
works
prints afw status d
works

# -- the last: what was deleted ----------------------------------------------------------

mv "$T/repo" "$T/away"
cd "$T" || exit 2
prints afw rm b
mv "$W/repo-b" "$T/away-b"
works 3
mv "$T/away" "$T/repo"
cd "$T/repo" || exit 2
cp "$T/good" "$ini"
# Of a command afw knows no turns, so it stores no checkpoints.
exit_is 0 'a running session' afw new last -- cat
prints afw checkpoints last
works
prints afw undo last x
works
prints afw undo last
works
rm -r "$DATA/sessions" "$DATA"/sessions.board
prints afw ls
works

# -- what is not followed here --------------------------------------------------------

excused 'text of a script or of an example, a sentence' \
	'# bash completion' '#compdef' '# fish completion' 'for `afw new -p NAME` and -t NAME' \
	'only names of variables are allowed' \
	'it hides processes: `afw top`' '`afw new` or `afw land` %s interrupted' \
	'`afw new` or `afw land` that was interrupted' 'between them, an empty value' \
	'the default values of all options'
excused 'the error names what was typed' \
	'give it to `afw start`'
excused 'followed by a-mistyped-command-gets-a-hint-that-works.t' \
	'it is bare: go to a repository with commits' 'name a branch with --into'
excused 'checked by one-section-adds-a-harness.t' 'afw send --raw NAME TEXT'
excused 'followed by adapters-new-learns-an-agent.t' 'Written. `afw new NAME'
excused 'followed by new-reports-what-the-agent-asks-first.t' \
	'has what it printed, `afw retry'
excused 'followed by new-needs-a-directory-of-its-own.t' \
	'`afw config set worktree_location'
excused 'followed by an-index-that-afw-cannot-read-is-refused.t' \
	'no-sparse-index' '--no-split-index' '--force-write-index'
excused 'followed by merge-heeds-gits-configuration.t' 'config core.bare false'
excused 'followed by reconcile-reports-and-loses-nothing.t' \
	'`afw stop %s` first' 'a killed one has left it'
excused 'followed by submodules-are-part-of-the-work.t' \
	'HEAD:refs/heads/%s` saves' 'git -C %s push origin HEAD' \
	'submodule update` checks out'
excused 'followed by undo-takes-back-a-turn.t' 'name an older checkpoint' \
	'--files restores its directory'
excused 'followed by undo-tells-the-agent.t' '`afw undo --redo %s%s` reverses' \
	'`afw undo --interrupt %s` interrupts'
excused 'followed by sparse-worktrees-stay-sparse.t' 'worktree add --detach'
excused 'followed by new-chooses-the-directories.t' 'git ls-tree -d'
excused 'followed by merge-of-a-sparse-repository.t' 'merge-tree --write-tree'
excused 'followed by each-session-has-its-ports.t' '`afw ls -o name,port` lists'
excused 'followed by every-kind-of-repository-will-do.t' 'safe.directory'
excused 'followed by restore-says-what-it-could-not-write.t' \
	'worktree repair` repairs it'
excused 'followed by gemini-resumes-its-conversation.t' 'afw start --fresh'
excused 'followed by budgets-hold-messages.t' '`afw start --over-budget %s` allows' \
	'`afw start --over-budget %s` lets it begin'
excused 'followed by merge-names-the-hooks-not-run.t' 'git -C %s merge %s` runs them'
excused 'followed by a-logout-loses-no-socket.t' '`kill %d` ends it, '
excused 'checked by commits-are-imported-from-a-sandbox.t' 'afw exec NAME -- git log'
excused 'followed by commits-are-imported-from-a-sandbox.t' \
	'commits what was changed meanwhile'
excused 'checked by landlock-says-what-it-lacks.t' 'allow_degraded = yes'
excused 'followed by commit-commits-uncommitted-work.t' 'if you trust what is there'
excused 'followed by sessions-on-another-machine.t' '`git fetch %s %s` brings them' \
	'`git remote rename here NAME` there'
excused 'followed by work-comes-back-from-another-machine.t' \
	'`afw -H URL merge NAME` there' '`afw%s%s rm%s %s` removes'
excused 'needs a connection that is lost' 'look there before you send it again'
excused 'needs podman' 'afw image build' 'podman tag' 'podman pull IMAGE' 'podman info' '`%s rm --force %s` removes it' \
	'worktree repair %s` repairs it'
excused 'followed by review-goes-as-one-message.t' '`afw review %s --send`' \
	'`afw review %s --json` lists' '`afw review %s` opens'
excused 'followed by sessions-without-a-worktree.t' '`afw rm %s` leaves it' \
	'`git switch BRANCH` there'
excused 'followed by a-session-works-in-several-repositories.t' \
	'`afw wait %s` waits for it; make this' \
	'`afw trust %s` shows and trusts it' 'and does not land: `afw merge' \
	'`afw merge %s` merges it in all'
excused 'needs a mount' 'umount'
excused 'needs another git or libgit2, or git-lfs' 'relativeWorktrees' \
	'refs migrate' '--get-regexp ^extensions' 'git fetch --unshallow' 'lfs pull'
excused 'needs a kill, an error of the disk, or another process at that moment' \
	'afw status %s` says what is left' 'before you send it again' \
	'its branch is still there' 'its supervisor still runs' 'afw pr --new' \
	'the index could not be' 'not all of it could be removed' \
	'finishes it' "rm '%s'" 'if %s is the worktree' 'when `git gc` has ended'
excused 'followed by host-for-each-session.t' '`afw -H %s new %s ' \
	'`afw host down --yes %s` discards'
excused 'followed by hosts-in-one-list.t' '`afw fetch HOST:NAME` makes'
excused 'followed by hooks-of-a-session-s-life.t' '`afw logs --service before_rm' \
	'`afw rm --force %s` removes'
excused 'followed by try-shows-a-session-in-the-main-worktree.t' \
	'`afw ls` names the main worktrees'
excused 'followed by spares-are-made-ahead.t' 'worktree remove --force %s`' \
	'`afw config set spare_free N`'
excused 'followed by host-engine.t' '`afw host down --yes %s` deletes' '`afw host up %s`' \
	'`afw host down --yes %s` gives' '`afw host proxy'
excused 'needs a real agent' 'In ../%s, please merge' 'answers it at every later start' \
	'`afw status -v` shows what it reads'
excused 'followed by send-always-adds-a-rule.t' 'changes [approve.'
excused 'followed by commits-are-signed-as-by-git.t' 'config --global %.*s PROGRAM'
excused 'followed by tests/fresh/package' 'another version of afw still' \
	'moves it to afw'
excused 'for agents' 'others start `afw mcp`' 'the user can remove some'
excused 'more than one command has to be chosen' 'git sparse-checkout set' \
	'in that worktree, run' 'git submodule update' \
	'[harness.%s]' 'is a [section] indented?'

run perl "$ROOT/tests/hints.pl" "$T/followed" "$T/excused"
is "$out$err" '' 'every hint is followed or excused'
done_testing
