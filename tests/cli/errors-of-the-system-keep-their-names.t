#!/bin/bash
# Errors of the system (no descriptors, no permission) are reported as such,
# also through git's library.
. "$(dirname "$0")/../lib.sh"
afw_env
without_sanitizers 'they need descriptors of their own'
make_repo "$T/repo" a b c
printf '{"op":"create","path":"%s/repo","name":"one"}\n' "$T" >"$T/rq"

other=0 failed=0
for n in {6..14}; do
	# A file that must come from the object store.
	rm -f "$T/repo/a"
	run bash -c "ulimit -n $n; exec afw-worktree <'$T/rq'"
	if [ "$code" != 0 ]; then
		failed=$((failed + 1))
		[[ $out == *'Too many open files'* ]] || diag "$n: $out$err"
		[[ $out == *'Too many open files'* ]] || other=$((other + 1))
	fi
	rm -rf "$T/.af_worktrees"
	git -C "$T/repo" worktree prune
	git -C "$T/repo" branch -q -D af/one 2>/dev/null
done
ok_cmd 'with few descriptors nothing can be made' test "$failed" -gt 3
is "$other" 0 'and that is why'

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	# Another user may not be able to read the directory of the programs.
	cp "$BUILD/afw-worktree" "$T"
	chmod 755 "$T"
	chown -R 12345 "$T/repo"
	chmod 0 "$T"/repo/.git/objects/??/*
	run setpriv --reuid 12345 --clear-groups env HOME="$T/none" \
		bash -c "cd '$T' && ./afw-worktree <'$T/rq'"
	like "$code $out" '^1 .*Permission denied' 'no permission to read'
else
	skip 1 'only root can take it from itself'
fi

# No write is taken for one that went well: a commit that is not on the disk.
fault=$BUILD/tests/tools/fault_at
if "$fault" -x true -r "$T" -- true 2>/dev/null; then
	chmod -R u+rwX "$T/repo"
	chown -R "$(id -u)" "$T/repo"
	cd "$T/repo" || exit 2
	exit_is 0 'a session' afw new three --no-start -- cat
	tree=$T/.af_worktrees/repo-three tried=0 other=0
	echo new >"$tree/new"
	git -C "$tree" add new && git -C "$tree" commit -qm new
	for n in {1..40}; do
		run "$fault" -x afw-worktree -e ENOSPC -s -c write -n "$n" \
			-o "$T/report" -r "$T/repo/.git" -- \
			afw merge three --squash -m new
		grep -q failed "$T/report" || break
		tried=$((tried + 1))
		[[ $code != 0 && $err == *'No space left'* ]] && continue
		other=$((other + 1))
		diag "write $n: $code $err"
	done
	ok_cmd "writes that fail were tried ($tried)" test "$tried" -gt 5
	is "$other" 0 'each is reported'
	is "$code $(git show main:new)" '0 new' 'without one it is merged'
else
	skip 4 'ptrace is not allowed'
fi

# A repository on a full disk, and on one that is read-only: no lock is there,
# so no hint says that one is to be removed.
mkdir "$T/disk"
cat >"$T/on-disk" <<'END'
mount -t tmpfs -o size=2m tmpfs "$1" || exit 77
cd "$1" && mkdir repo && cd repo && git init -q -b main . &&
	echo a >a && git add a && git commit -qm a || exit 1
afw new one --no-start -- cat && afw new two --no-start -- cat || exit 1
afw checkpoint one
echo b >"$1/.af_worktrees/repo-one/b"
tree=$1/.af_worktrees/repo-two
echo c >"$tree/c" && git -C "$tree" add c && git -C "$tree" commit -qm c
both() {
	afw commit one -m b 2>&1 && echo committed
	afw merge two --squash -m c 2>&1 && echo merged
}
undo() {
	afw undo -y one 1 2>&1 && echo undone
	[ "$(cat "$1/.af_worktrees/repo-one/b")" = b ] || echo 'b is lost'
}
cat /dev/zero >"$1/fill" 2>/dev/null
echo "full: $(both; undo "$1")"
rm "$1/fill"
mount -o remount,ro "$1"
echo "read-only: $(both; undo "$1")"
mount -o remount,rw "$1"
touch .git/refs/heads/af/one.lock
echo "locked: $(afw commit one -m b 2>&1)"
rm .git/refs/heads/af/one.lock
both
END
run unshare -m bash "$T/on-disk" "$T/disk"
if [ "$code" != 77 ] && [[ $err != *unshare* ]]; then
	full=${out#*full: } full=${full%%read-only:*}
	only=${out#*read-only: } only=${only%%locked:*}
	like "$full" 'commit.*No space left.*merge.*No space left.*undo.*No space left' 'a full disk'
	like "$only" 'commit.*Read-only file.*merge.*Read-only file.*undo.*Read-only file' 'a read-only one'
	unlike "$full$only" 'another git|rm ' 'neither names a lock'
	unlike "$full$only" 'undone|lost' 'and nothing is undone'
	like "${out#*locked: }" 'cannot lock ref.*af/one.lock.*File exists' \
		'a lock that exists is named'
	like "$out" 'committed.*merged' 'and then everything continues'
else
	skip 5 'cannot mount'
fi
done_testing
