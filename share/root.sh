# shellcheck shell=bash
# root.sh - minimal Debian systems to change the root to. Source it with root set to
# their place, and who to the name in messages (check-fresh). Each release's is made
# once, by debootstrap, and kept in ~/.cache/afw-fresh; delete that to make it again.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/afw-fresh
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C.UTF-8

say()
{
	echo "${who:-check-fresh}: $*"
}

skip()
{
	say "skipped: $*" >&2
	exit 77
}

# The first Debian mirror that apt has here, and apt's proxy.
find_mirror()
{
	mirror=${MIRROR:-$(apt-get indextargets --format "\$(REPO_URI)" \
		'Created-By: Packages' 2>/dev/null | grep -m 1 '/debian/*$')} ||
		mirror=http://deb.debian.org/debian
	[ -n "${http_proxy-}" ] ||
		eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
	[ -z "${http_proxy-}" ] || export http_proxy
}

# make_base SUITE: returns 1 if it cannot be had.
make_base()
{
	local base=$cache/$1.tar
	[ ! -s "$base" ] || return 0
	find_mirror
	say "making a minimal $1 from $mirror"
	rm -rf "$root"
	timeout -k 10 1200 debootstrap --variant=minbase \
		--include=git,make,sudo \
		"$1" "$root" "$mirror" >"$cache/log" 2>&1 </dev/null || {
		say "debootstrap failed: $(tail -n 1 "$cache/log")" >&2
		return 1
	}
	rm -f "$root"/var/cache/apt/archives/*.deb
	# This machine's own ways to the mirror.
	{
		apt-config dump | grep -E '^Acquire::(https?::|Check-)' || :
		echo "Acquire::http::Proxy \"${http_proxy-}\";"
	} >"$root/etc/apt/apt.conf.d/90check-fresh"
	printf '127.0.0.1 localhost\n::1 localhost\n' >"$root/etc/hosts"
	tar -C "$root" -cf "$base.new" .
	mv "$base.new" "$base"
	rm -rf "$root"
}

# unpack_root SUITE: makes $root a new one, with the kernel's file systems.
unpack_root()
{
	mkdir "$root"
	tar -C "$root" -xf "$cache/$1.tar"
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	mount -t proc proc "$root/proc" &&
		mount -t sysfs -o ro sysfs "$root/sys" &&
		mount -t tmpfs -o mode=1777 shm "$root/dev/shm" &&
		mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 \
			devpts "$root/dev/pts" ||
		skip 'file systems cannot be mounted here'
}

# drop_root: in namespaces of their own only: kills all in them but this script.
drop_root()
{
	[ $$ != 1 ] || kill -KILL -1 2>/dev/null || :
	umount "$root/proc" "$root/sys" "$root/dev/shm" "$root/dev/pts" 2>/dev/null || :
	rm -rf --one-file-system "$root"
}

# enter COMMAND...: with $root as its root, in a mount namespace of its own: the
# kernel lets nobody make a namespace of users in a chroot(2).
enter()
{
	unshare --mount /bin/bash -euc 'mount --rbind "$0" "$0"
		cd "$0"
		mkdir -p .before
		pivot_root . .before
		umount -l /.before
		exec "$@"' "$root" "$@"
}

# as USER COMMAND: in the new machine, as after a login.
as()
{
	enter /usr/bin/env -i TERM=xterm PATH="$PATH" runuser -l "$1" -c "$2" </dev/null
}

# in_namespaces SECONDS COMMAND...: mounts and processes end with it.
in_namespaces()
{
	local child code=0 limit=$1
	shift
	[ "$(id -u)" = 0 ] || skip 'this needs root'
	share/setup fresh || skip 'debootstrap cannot be installed'
	unshare --mount --pid --fork true 2>/dev/null ||
		skip 'namespaces cannot be made here'
	mkdir -p "$cache"
	exec 9>"$cache/lock"
	flock -n 9 || { say "another one is running" >&2; exit 1; }
	[ -z "$(git status --porcelain)" ] ||
		say 'what is not committed here is not tried'
	rm -rf --one-file-system "$root"
	trap 'rm -rf --one-file-system "$root" || rm -rf --one-file-system "$root"' EXIT
	trap 'kill -KILL "$child"; exit 130' HUP INT TERM
	# Each dies with its parent, and everything in the namespaces with unshare.
	setpriv --pdeathsig KILL timeout --foreground -s KILL "$limit" \
		setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child \
		"$@" &
	child=$!
	wait "$child" || code=$?
	[ $code != 137 ] || say "not done in $limit s: killed" >&2
	exit $code
}
