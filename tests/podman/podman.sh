# podman.sh - podman as an ordinary user has it. Sourced after lib.sh:
#
#	podman_begins	skips all where it cannot be had. As root the script is
#			run again as the user afwtest (share/setup podman makes
#			him); then afw_env, with an image of this machine's
#			programs in a storage of the test's own

# With the agent PODMAN_AGENT, where it is set.
podman_as_user()
{
	local dir rc script
	id afwtest >/dev/null 2>&1 ||
		skip_all 'there is no user afwtest (share/setup podman)'
	script=$(cd "$(dirname "$0")" && pwd)/${0##*/}
	dir=$(mktemp -d /tmp/afwp.XXXXXX) && chmod 755 "$dir"
	mkdir -p "$dir/build/tests" "$dir/agents"
	cp "$BUILD"/afw "$BUILD"/afw-* "$dir/build/"
	cp -r "$BUILD/tests/tools" "$dir/build/tests/"
	cp -r "$ROOT/tests" "$ROOT/share" "$dir/"
	if [ -n "${PODMAN_AGENT-}" ]; then
		cp -r "${AF_TEST_AGENTS:-$HOME/.cache/afw-agents}/$PODMAN_AGENT" \
			"$dir/agents/" 2>/dev/null ||
			{ rm -rf "$dir"; skip_all "$PODMAN_AGENT is not installed"; }
	fi
	chmod -R go+rX "$dir"
	cd / || exit 2
	runuser -u afwtest -- env -u XDG_RUNTIME_DIR -u BUILD \
		HOME="$(getent passwd afwtest | cut -d: -f6)" \
		AF_TEST_AGENTS="$dir/agents" bash "$dir/${script#"$ROOT"/}"
	rc=$?
	rm -rf "$dir"
	exit "$rc"
}

# podman_needed: the first of both; afw_env comes between.
podman_needed()
{
	local tool
	for tool in podman newuidmap runc; do
		command -v "$tool" >/dev/null || skip_all "no $tool here"
	done
	[ "$(id -u)" != 0 ] || podman_as_user
	AF_TEST_IN=$HOME/.cache
	mkdir -p "$AF_TEST_IN"
}

podman_prepared()
{
	trap 'podman_clears; _exit' EXIT
	mkdir -p "$XDG_CONFIG_HOME/containers" "$XDG_CONFIG_HOME/afw"
	# runc: crun refuses hybrid cgroups.
	cat >"$XDG_CONFIG_HOME/containers/containers.conf" <<-END
	[engine]
	runtime="runc"
	cgroup_manager="cgroupfs"
	events_logger="file"
	END
	printf '[storage]\ndriver="overlay"\n' \
		>"$XDG_CONFIG_HOME/containers/storage.conf"
	podman info >"$T/info" 2>&1 ||
		skip_all "podman info: $(tail -1 "$T/info")"
	podman_image || skip_all 'no image can be made'
}

podman_begins()
{
	podman_needed
	afw_env
	podman_prepared
	podman_config ''
}

# podman_config LINES: afw's configuration.
podman_config()
{
	printf '%s\n' 'image = localhost/afw-test' 'network = none' \
		'sandbox = podman' 'allow_degraded = yes' "$1" \
		>"$XDG_CONFIG_HOME/afw/afw.ini"
}

# podman_root: the files of an image, in $T/image.
podman_root()
{
	local file lib root=$T/image
	mkdir -p "$root"/{usr/bin,usr/lib,usr/lib64,etc,tmp,run,proc,sys,dev} \
		"$root"/{home/agent,workspace,var/tmp}
	chmod 1777 "$root/tmp"
	ln -s usr/bin usr/lib usr/lib64 "$root/"
	for file in ${PODMAN_PROGRAMS-} ${PODMAN_LIBRARIES-} bash sh cat ls sleep env id touch mkdir rm mv cp ln chmod \
		timeout head git "$BUILD/tests/tools/breakout"; do
		file=$(command -v "$file") || return
		# An agent comes by itself, without its libraries.
		[ "$file" = "${PODMAN_LIBRARIES-}" ] || cp -L "$file" "$root/usr/bin/"
		for lib in $(ldd "$file" 2>/dev/null | grep -o '/[^ )]*'); do
			mkdir -p "$root/${lib%/*}"
			cp -nL "$lib" "$root/$lib"
		done
	done
}

podman_image()
{
	podman_root || return
	tar -C "$T/image" -c . | podman import -q - localhost/afw-test >"$T/import" 2>&1
}

# container NAME: what podman calls it.
container()
{
	local dir
	dir=$(session_dir "$1")
	echo "afw-${dir##*/}"
}

podman_clears()
{
	podman rm -fa -t 0 >/dev/null 2>&1
	podman unshare rm -rf "$XDG_DATA_HOME/containers" "$T/image" 2>/dev/null
	# The process that holds its namespace; other tests have their own.
	find "$XDG_RUNTIME_DIR" -name pause.pid -exec cat {} + 2>/dev/null |
		xargs -r kill 2>/dev/null
	true
}
