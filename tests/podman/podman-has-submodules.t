#!/bin/bash
# Sandbox podman: the submodules of a session can be used in its container, and
# their commits are merged; the user's own are out of reach.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_begins
git config --global protocol.file.allow always
for i in deep lib; do make_repo "$T/$i" file; done
(cd "$T/lib" && git submodule --quiet add "$T/deep" deep && git commit -qm sub)
make_repo "$T/repo" README
cd "$T/repo" || exit 2
git submodule --quiet add "$T/lib" libs/lib
git commit -qm submodule
git submodule --quiet update --init --recursive
podman_config ''
before=$(find .git/modules -type f -exec sha1sum {} + | sort)
exit_is 0 'new' afw new x -- cat
W=$T/.af_worktrees/repo-x
inside() { LC_ALL=C afw exec x -- bash -c "$1" 2>&1; }
is "$(inside 'git status --porcelain; git -C libs/lib/deep rev-parse --show-toplevel')" \
	/workspace/libs/lib/deep 'its submodules are there, two deep'
is "$(inside 'git fsck && git -C libs/lib/deep fsck && git -C libs/lib/deep log -1 --format=%s')" \
	first 'and whole'
is "$(inside 'git -C libs/lib/deep config user.email')" "$(git config user.email)" \
	'commits there have the name of the user'
like "$(inside "ls $PWD/.git/modules/libs/lib/; touch $PWD/.git/modules/libs/lib/objects/x")" \
	$'objects\n.*(Read-only|denied)' "of the user's there are the objects alone, to be read"
is "$(inside "ls $PWD/.git/modules/libs/lib/")" $'modules\nobjects' 'and those of the next'
is "$(inside 'cd libs/lib/deep && echo more >>file && git commit -qam deep &&
	cd .. && git commit -qam lib && git rev-parse HEAD')" \
	"$(cat "$(session_dir x)/git/modules/libs/lib/HEAD")" 'it commits there'
is "$(find .git/modules -type f -exec sha1sum {} + | sort)" "$before" \
	"nothing of the user's is changed"
waits_for '[ "$(state_of x uncommitted)" = 1 ]' 'the commit is counted'
waits_for '[ "$(state_of x activity)" = idle ]' 'the agent is idle'
exit_is 0 'commit' afw commit x -m bump
like "$out" 'libs/lib' 'commits it'
exit_is 0 'merge' afw merge x
ok_cmd 'the main worktree can check it out' git submodule --quiet update --recursive
is "$(tail -n 1 libs/lib/deep/file; git status --porcelain)" more 'down to the deepest'
exit_is 0 'rm' afw rm --stop x
done_testing
