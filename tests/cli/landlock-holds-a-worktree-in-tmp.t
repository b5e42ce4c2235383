#!/bin/bash
# A worktree below /tmp, which is another one inside: what the agent does there
# leads no command of afw's elsewhere.
. "$(dirname "$0")/../lib.sh"
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN"
afw_env
needs_landlock
TMP=$(mktemp -d /tmp/afw.XXXXXX) || exit 2
trap 'rm -rf "$TMP"; _exit' EXIT
mkdir "$HOME/keys"
echo key >"$HOME/keys/key"
make_repo "$TMP/repo"
cp "$BUILD/tests/tools/breakout" "$TMP/repo/"
git -C "$TMP/repo" add -A && git -C "$TMP/repo" commit -q -m tools
cd "$TMP/repo" || exit 2
tree=$TMP/.af_worktrees/repo-x

# What its worktree's path leads to in the other directory is the user's.
exit_is 0 'a session' afw new x --sandbox landlock -- bash -c \
	"until [ -e go ]; do read -rt 0.05; done
	mkdir -p /tmp/other/.af_worktrees
	ln -s '$HOME/keys' /tmp/other/.af_worktrees/repo-x
	touch ready
	exec ./breakout swap '$TMP' /tmp/other '$tree/done'"
exit_is 0 'its worktree is there' afw exec x -- \
	bash -c 'echo new >file && git add file && git commit -qm file && pwd'
is "$out" "$tree" 'and has its path'
is "$(cat "$tree/file")" new 'and is the one outside'
exit_is 1 'nothing else of /tmp is' afw exec x -- test -e "$TMP/repo/README"
exit_is 1 'its .git stays' afw exec x -- bash -c 'mv .git .git2 || rm .git'
touch "$tree/go"
waits_for "[ -e '$tree/ready' ]" 'the agent exchanges the directories'
for ((tries = 0, got = 0; tries < 200 && got == 0; tries++)); do
	run afw exec x -- cat "$HOME/keys/key"
	[ "$out" != key ] || got=1
done
is "$got" 0 "a command beside it does not read the key (try $tries)"
touch "$tree/done"
done_testing
