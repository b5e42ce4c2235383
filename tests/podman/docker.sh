# docker.sh - a real docker daemon, for engine = docker. Sourced after lib.sh
# and podman.sh:
#
#	docker_begins	skips all if it cannot be had. As root it starts a
#			daemon of the test's own and runs the script again as
#			the user afwtest; then afw_env, with an image of this
#			machine's programs

docker_dir=${AF_TEST_DOCKER:-$HOME/.cache/afw-docker}

# docker_daemon DIR: starts it, with all of its files in DIR.
docker_daemon()
{
	local dir=$1 end=$((SECONDS + 60))
	PATH=$docker_dir/usr/bin:$docker_dir/usr/sbin:/usr/sbin:/sbin:$PATH \
		dockerd --data-root "$dir/data" --exec-root "$dir/exec" \
		--pidfile "$dir/pid" --group afwtest --host "unix://$dir/socket" \
		--bridge none --log-level error >"$dir/log" 2>&1 </dev/null &
	docker_pid=$!
	while ! DOCKER_HOST=unix://$dir/socket docker info >/dev/null 2>&1; do
		[ -e "/proc/$docker_pid" ] && [ $SECONDS -lt $end ] || return 1
		read -r -t 0.1 <> <(:)
	done
	return 0
}

docker_ends()
{
	kill "$docker_pid" 2>/dev/null
	wait "$docker_pid" 2>/dev/null
	find "$1" -depth -type d -name merged -exec umount -q {} + 2>/dev/null
	rm -rf --one-file-system "$1"
}

docker_begins()
{
	local dir
	if [ "$(id -u)" = 0 ]; then
		PATH=$docker_dir/usr/bin:$docker_dir/usr/sbin:$PATH
		command -v dockerd >/dev/null ||
			skip_all 'no dockerd (share/setup podman)'
		id afwtest >/dev/null 2>&1 ||
			skip_all 'there is no user afwtest (share/setup podman)'
		# Its data must not be on another overlay.
		dir=$(mktemp -d /var/tmp/afwd.XXXXXX) && chmod 755 "$dir"
		# shellcheck disable=SC2064 # not the dir of who exits
		trap "docker_ends '$dir'" EXIT
		mkdir "$dir/bin" && cp -L "$(command -v docker)" "$dir/bin/"
		docker_daemon "$dir" || {
			log=$(tail -n 1 "$dir/log")
			docker_ends "$dir"
			skip_all "dockerd does not start: $log"
		}
		export DOCKER_HOST=unix://$dir/socket PATH=$dir/bin:$PATH
		podman_as_user
	fi
	[ -n "${DOCKER_HOST-}" ] || skip_all 'root starts the daemon'
	AF_TEST_IN=$HOME/.cache
	mkdir -p "$AF_TEST_IN"
	afw_env
	mkdir -p "$XDG_CONFIG_HOME/afw"
	podman_config 'engine = docker'
	podman_root
	tar -C "$T/image" -c . | docker import - localhost/afw-test >"$T/import" 2>&1 ||
		skip_all "no image can be made: $(tail -n 1 "$T/import")"
}
