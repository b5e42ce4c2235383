#!/bin/bash
# copy: a large directory is copied as it is, by several threads; a file system
# with reflinks copies no bytes; and a person who waits is told for what.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
printf '%s\n' /flat /deep >.gitignore && git add . && git commit -qm ignore
tree=$T/.af_worktrees/repo

# -- many files --------------------------------------------------------------------
# shellcheck disable=SC2016 # perl's
perl -e 'mkdir "flat"; for (1 .. 3000) { open F, ">", "flat/f$_"; print F $_ x 50 }
	mkdir "deep";
	mkdir "flat/d$_" for 1 .. 400;
	for $d (1 .. 60) {
		mkdir "deep/$d"; mkdir "deep/$d/in"; mkdir "deep/$d/none";
		for (1 .. 20) { open F, ">", "deep/$d/in/$_"; print F "$d $_" }
		symlink "../in/1", "deep/$d/none/link";
	}'
mkfifo deep/1/fifo
chmod 755 deep/2/in/3 && chmod 555 deep/3/in deep/3
find flat deep -exec touch -h -d '2020-01-02 03:04:05.5' {} +
# listing: each file with its mode and time, each link with its target.
listing()
{
	find flat deep -type l -printf '%p %l\n' -o ! -name fifo \
		-printf '%p %y %m %T@\n' | sort
}
sums() { find flat deep -type f -exec sha256sum {} + | sort; }
exit_is 0 'new, which needs few descriptors' \
	sh -c 'ulimit -n 100; exec afw new many --no-start -o "copy=flat deep" -- cat'
like "$err" 'sockets, pipes and devices were not copied' 'a pipe is left out'
is "$(cd "$tree-many" && listing | sha256sum)" \
	"$(listing | sha256sum)" 'all files are there, with modes, times and links'
is "$(cd "$tree-many" && sums | sha256sum)" "$(sums | sha256sum)" 'and the same bytes'
mkdir -p deep/9 && chmod 0 deep/9/in/5
[ "$(id -u)" = 0 ] || refused 1 'copy deep: copy 5: Permission denied' \
	'a file that cannot be read' afw new bad --no-start -o 'copy=flat deep' -- cat
[ "$(id -u)" = 0 ] || ok_cmd 'leaves nothing' [ ! -e "$tree-bad" ]
rm -f deep/9/in/5
mkdir -p "$(perl -e 'print "deep/x", "/x" x 140')"
refused 5 'copy deep: .*nested too deep' 'one that is too deep' \
	afw new bad --no-start -o 'copy=flat deep' -- cat
ok_cmd 'leaves nothing, either' [ ! -e "$tree-bad" ]
chmod 755 deep/3 deep/3/in "$tree-many/deep/3" "$tree-many/deep/3/in"
rm -r deep flat/d*

# -- what took how long ------------------------------------------------------------
tmux_start 100 24 afw new slow --no-start -o copy=flat -o 'setup=sleep 1.2' -- cat
tmux_wait_for 'slow: setup sleep' 'a terminal shows the step that takes long'
tmux_wait_for 'slow: took ' 'and then how long all took'
like "$(tmux_screen)" 'setup [0-9]+\.[0-9] s' 'and that step'
unlike "$(tmux_screen)" 'slow: setup' 'the line of the progress is gone'
tmux_stop
exit_is 0 'in a pipe' afw new slow2 --no-start -o 'setup=sleep 1.1' -- cat
unlike "$err" 'took' 'nothing is said of it'

# -- reflinks ------------------------------------------------------------------------
# In a mount namespace of its own, whose end unmounts it.
shares='set -e
truncate -s 400M "$T/disk" && mkfs.xfs -q "$T/disk" && mkdir "$T/mnt"
mount -o loop "$T/disk" "$T/mnt" || exit 99
cd "$T/mnt" && git init -q repo && cd repo && echo /big >.gitignore
git add . && git commit -qm one
head -c 40M /dev/urandom >big && sync
before=$(stat -f -c %f .)
afw new shared --no-start -o copy=big -- cat >&2
sync
echo "$(((before - $(stat -f -c %f .)) * $(stat -f -c %S .) / 1048576))"
cmp big ../.af_worktrees/repo-shared/big
echo other >../.af_worktrees/repo-shared/big
stat -c %s big'
if [ "$(id -u)" = 0 ] && command -v mkfs.xfs >"$T/null" && [ -w /dev/loop-control ]; then
	export T
	run unshare -m bash -c "$shares"
	if [ "$code" = 99 ]; then
		skip 3 'no loop device can be mounted'
	else
		is "$code" 0 'a worktree on XFS' || diag "$err"
		ok_cmd 'takes less than a tenth of the bytes that it copies' \
			[ "$(head -1 <<<"$out")" -lt 4 ]
		is "$(tail -1 <<<"$out")" 41943040 'and its files are its own'
	fi
else
	skip 3 'needs root, mkfs.xfs and loop devices'
fi
done_testing
