# spares.sh - what the tests of faults need of spares. Source it after kill.sh.

# A spare that can be taken, and nobody makes one.
spare_is_ready()
{
	local i
	# The process that makes it has the lowest priority.
	for i in {1..800}; do
		! ls -d .git/worktrees/-spare-*/afw-spare >/dev/null 2>&1 ||
			[ -n "$(own_makers)" ] || return 0
		read -r -t 0.05 <> <(:) || :
	done
	echo 'afw: no spare' >&2
	return 1
}
# Those of this environment alone.
own_makers()
{
	local pid
	for pid in $(pgrep -f "^$BUILD/.*afw-worktree"); do
		! grep -qz "^XDG_DATA_HOME=$XDG_DATA_HOME\$" "/proc/$pid/environ" ||
			echo "$pid"
	done
}
is_whole()
{
	[ "$(afw status one --json 2>/dev/null |
		"$BUILD/tests/tools/jsonget" phase)" = running ] &&
		[ -z "$(git -C "$W/repo-one" status --porcelain 2>&1)" ] &&
		[ "$(cat "$W/repo-one/a")" = "$(cat a)" ] && git fsck >"$T/fsck" 2>&1
}
export -f spare_is_ready own_makers is_whole
SPARES_SETUP='mkdir -p "$XDG_CONFIG_HOME/afw" && cat "$T/../ini" >"$XDG_CONFIG_HOME/afw/afw.ini" &&
	afw new zero --no-start -- cat && spare_is_ready'
printf '%s\n' 'spares = 1' 'spare_free = 0' >"$T/ini"
# A lock of git's that was not removed is the user's to remove.
SPARES_AGAIN='find "$R/repo/.git" -name "*.lock" -delete; afw reconcile --apply
	for i in {1..200}; do
		afw rm --stop one
		[ $? = 4 ] || break
		read -r -t 0.05 <> <(:) || :
	done
	git branch -q -D af/one 2>/dev/null
	afw new one -- cat && spare_is_ready'
