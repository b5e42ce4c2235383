#!/bin/bash
# subdir: the agent, check and exec start there; setup, services and hooks do not.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p packages/web
echo x >packages/web/file
git add . && git commit -qm packages
printf '#!/bin/sh\npwd >"%s"\n' "$T/hook" >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
trees=$T/.af_worktrees

# file NAME: waits for the file and prints it
file()
{
	_file=$T/$1
	wait_for '[ -s "$_file" ]'
	cat "$_file"
}
prints='pwd >"$0.new"; echo "$PWD" >>"$0.new"; mv "$0.new" "$0"; exec cat'

exit_is 0 'new' afw new one -o subdir=packages/web/ \
	-o "setup=sh -c 'pwd >$T/setup'" \
	-- bash -c "$prints" "$T/agent"
there=$trees/repo-one/packages/web
is "$(file agent)" "$there
$there" 'the agent starts there'
is "$(file setup)" "$trees/repo-one" 'setup starts in the worktree'
run afw exec one -- sh -c 'pwd; echo "$PWD"'
is "$out" "$there
$there" 'exec starts there'
exit_is 0 'exec -n' afw exec one -n shell -- sh -c "pwd >$T/shell"
is "$(file shell)" "$there" 'and exec -n'
echo y >"$there/file"
exit_is 0 'commit' afw commit one -m work
is "$(file hook)" "$trees/repo-one" "git's hooks start in the worktree"
is "$(afw status one --json | grep -o '"subdir":"[^"]*"')" \
	'"subdir":"packages/web"' 'status names it'
exit_is 0 'stop' afw stop one

exit_is 0 'new with a check' afw new two -a demo -m '[[lines 1]]' \
	-o subdir=packages \
	-o "check=sh -c 'pwd >$T/check'"
is "$(file check)" "$trees/repo-two/packages" 'check starts there'
afw stop two >"$T/null"

for none in packages/api api/web; do
	refused 1 "new 'three': open the subdir $none of .*: No such file" \
		'one that is not there is refused' \
		afw new three -o "subdir=$none" -- cat
done
nok_cmd 'and nothing is left of the session' test -e "$trees/repo-three"
for bad in ../x /tmp packages/../../x; do
	refused 2 "subdir" "$bad is refused" afw new three -o "subdir=$bad" -- cat
done
refused 2 'subdir' 'it is for a new session only' \
	afw start one -o subdir=packages

# A link in place of the directory leads nowhere.
rm -r "$there"
ln -s /etc "$there"
refused 1 'open the subdir packages/web of .*: Not a directory' \
	'exec follows no link' afw exec one -- pwd
rm "$there"
git -C "$trees/repo-one" checkout -q .

needs_landlock
exit_is 0 'new in landlock' afw new boxed --sandbox landlock \
	-o subdir=packages/web -- bash -c "$prints" agent
boxed=$trees/repo-boxed/packages/web
_file=$boxed/agent
wait_for '[ -s "$_file" ]'
is "$(<"$boxed/agent")" "$boxed
$boxed" 'the agent starts there'
run afw exec boxed -- sh -c 'pwd; echo "$PWD"'
is "$out" "$boxed
$boxed" 'exec starts there'
mv "$boxed" "$boxed.old"
ln -s "$HOME" "$boxed"
touch "$HOME/secret"
run afw exec boxed -- cat secret
isnt "$code" 0 'a link in its place shows nothing of the home'
unlike "$out" . 'at all'
afw stop boxed >"$T/null"
done_testing
