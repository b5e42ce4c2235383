#!/bin/bash
# Sandbox podman: a session with several repositories has them next to each other
# in its container, and commits in each.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_begins
make_repo "$T/web"
make_repo "$T/api" README local
cd "$T/web" || exit 2
podman_config ''
exit_is 0 'a session' afw new x --with ../api -- sleep 600
tree=$T/.af_worktrees/web-x
is "$(afw exec x -- sh -c 'pwd; ls ..; cat ../api/README')" $'/workspace/web\napi\nweb\nthis is README' \
	'has its worktrees next to each other'
exit_is 0 'it commits' afw exec x -- sh -ec \
	'cd ../api; echo in >>README; git commit -qam Inside; git log --format=%s'
is "$out" $'Inside\nfirst' 'in the other one'
run afw exec x -- touch ../api/.git
isnt "$code" 0 "which has a .git of afw's"
run afw exec x -- touch /run/afw/objects-api/x
isnt "$code" 0 'and the objects of its repository, read-only'
run afw diff x
like "$out" 'b/api/README' 'diff imports it'
mkdir -p ../api/.git/hooks
printf '#!/bin/sh\n[ "$PWD" = /workspace/api ] && echo by-hook >hooked && git add hooked\n' \
	>../api/.git/hooks/pre-commit
chmod +x ../api/.git/hooks/pre-commit
echo out >"$tree/api/new"
exit_is 0 'commit' afw commit x -m Outside
is "$(git -C ../api log --format=%s af/x | paste -sd,)|$(git -C ../api show af/x:hooked)" \
	'Outside,Inside,first|by-hook' "runs in the other one, with its repository's hooks"
exit_is 0 'merge' afw merge x
is "$(git -C ../api log -1 --format=%s)" Outside 'merges it'
exit_is 0 'rm' afw rm -s x
done_testing
