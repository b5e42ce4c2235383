#!/bin/bash
# afw land runs the check of a candidate in a container, if the session has one.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_begins
make_repo "$T/repo" README
cd "$T/repo" || exit 2
podman_config $'check_timeout = 60s\ncheck = sh check.sh'
cat >check.sh <<'CHECK'
echo "$PWD $HOME $(git rev-parse HEAD)" *
ls /tmp /dev/shm
touch /usr/x ../x 2>/dev/null && echo outside
test ! -e bad && test ! -e endless || { test ! -e endless || sleep 1000; exit 3; }
CHECK
git add -A && git commit -qm check
for n in good bad endless; do
	exit_is 0 "session $n" afw new $n --no-start -- bash
	(cd "$T/.af_worktrees/repo-$n" && echo $n >$n && git add -A && git commit -qm "work of $n")
done
exit_is 0 'a good one' afw land -y good
like "$out" 'good: merged into main \(fast-forward\), check passed' 'lands'
exit_is 4 'a bad one' afw land -y --no-resolve bad
like "$err" "/workspace /home/agent [0-9a-f]{40} README bad check.sh good" 'is checked in a container, at the commit that was to come'
unlike "$err" 'outside|afw\.' 'from which nothing of here is seen'
like "$out" 'bad: left out: the check of the result exited with code 3' 'and is left out'
sed -i 's/60s/3s/' "$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 4 'one whose check does not end' afw land -y --no-resolve endless
like "$out" 'endless: left out: the check of the result was not done in time' 'is ended'
is "$(podman ps -a --format '{{.Names}}' | wc -l)" 0 'no container is left'
is "$(git worktree list | grep -c _land)" 0 'and no worktree'
done_testing
