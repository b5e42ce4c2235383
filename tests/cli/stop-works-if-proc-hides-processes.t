#!/bin/bash
# A /proc mounted with hidepid= hides guards, which no user may trace: stop
# still asks the agent to end, and top counts it. Run as an ordinary user.
. "$(dirname "$0")/../lib.sh"
afw_env
[ "$(id -u)" = 0 ] || skip_all 'only root can mount /proc'
unshare -m true 2>/dev/null || skip_all 'no mount namespace here'
without_sanitizers 'they look at /proc'
USER_ID=12345

# Where that user can reach them, wherever this source is.
mkdir "$T/build"
cp "$BUILD"/afw "$BUILD"/afw-{supervisor,guard,worktree} "$T/build/"
cp -r "$ROOT/share" "$T/share"
make_repo "$T/repo"
chown -R $USER_ID "$T"
chmod 755 "$T"

cat >"$T/agent" <<'END'
#!/bin/sh
trap 'echo ended >"$1"; exit 0' TERM
echo ready
# dash sees a signal that comes just before wait only after it.
while :; do sleep 1 & wait $!; done
END
cat >"$T/life" <<'END'
cd "$1/repo"
PATH=$1/build:/usr/bin:/bin
AF_SHARE_DIR=$1/share
export PATH AF_SHARE_DIR
echo "sees 1: $([ -r /proc/1/stat ] && echo yes || echo no)"
afw new one -- sh "$1/agent" "$1/ended" || exit 1
for i in $(seq 600); do
	afw capture one | grep -q ready && break
	read -r -t 0.1 <> <(:)
done
afw top --json | tr -d ' ' | grep -o '"processes":[0-9]*' | head -n 1
afw stop one --timeout 240s
PATH=$1/build afw doctor # without podman, which would leave a process
echo "top: $(afw ls --json | tr -d ' ' | grep -o '"phase":"[a-z]*"')"
END
for hide in 1 2; do
	rm -f "$T/ended"
	run unshare -m sh -c "mount -t proc -o hidepid=$hide proc /proc && exec \
		setpriv --reuid $USER_ID --regid $USER_ID --clear-groups \
		bash '$T/life' '$T'"
	like "$out" 'sees 1: no' "hidepid=$hide: it is hidden"
	ok_cmd 'stop lets the agent end' test -s "$T/ended" ||
		diag "$out$err"
	like "$out" '"phase":"stopped"' 'and it is stopped'
	like "$out" '"processes":[1-9]' 'top counts its processes'
	like "$out" 'warn +/proc +it hides processes' 'doctor warns'
	run unshare -m sh -c "setpriv --reuid $USER_ID --regid $USER_ID \
		--clear-groups sh -c 'cd $T/repo && PATH=$T/build:\$PATH afw rm one'"
	is "$code" 0 'rm'
done
done_testing
