#!/bin/bash
# new refuses a directory in which other users could replace a worktree, and one
# in which the user could not remove it; worktree_location names a better one.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

# follows_hint NAME: does what the hint says, and new works.
follows_hint()
{
	local command
	command=$(sed -n 's/^hint: `\(.*\)`.*/\1/p' <<<"$err")
	is "${command%% ~*}" 'afw config set worktree_location' 'names a command'
	eval "$command" || fail 'which works'
	exit_is 0 'and then new works' afw new "$1" -- cat
	is "$(state_of "$1" worktree)" "$HOME/worktrees/.af_worktrees/repo-$1" \
		'in that place'
	exit_is 0 'rm' afw rm --stop "$1"
	afw config unset worktree_location
}

# A file system without modes shows 0777 whatever was asked for.
if [ -n "${SANITIZE-}" ]; then
	skip 8 'not with the sanitizers: they want to be loaded first'
else
	cat >"$T/modeless.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int fstat(int fd, struct stat *st)
{
	int (*next)(int, struct stat *) =
	    (int (*)(int, struct stat *))dlsym(RTLD_NEXT, "fstat");
	char link[64], path[4096];
	int rc = next(fd, st);
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	if (rc == 0 && n > 0) {
		path[n] = '\0';
		if (strstr(path, "/.af_worktrees") && !strstr(path, "/home/"))
			st->st_mode |= 0777;
	}
	return rc;
}
END
	cc -shared -fPIC -o "$T/modeless.so" "$T/modeless.c"
	export LD_PRELOAD=$T/modeless.so
	for i in 1 2; do
		refused 1 "file system of $T/.af_worktrees stores no permissions" \
			'a file system without modes' afw new one -- cat
		nok_cmd 'it leaves nothing' test -e "$T/.af_worktrees"
	done
	follows_hint one
	unset LD_PRELOAD
fi

if [ "$(id -u)" != 0 ]; then
	skip 10 'not root: no other user'
else
	mkdir "$T/.af_worktrees"
	chown 12345 "$T/.af_worktrees"
	refused 1 "$T/.af_worktrees belongs to another user" \
		"another user's directory" afw new two -- cat
	chmod 700 "$T/.af_worktrees"
	refused 1 "open directory $T/.af_worktrees: Permission denied.*worktree_location" \
		'or one that only they can enter' \
		setpriv --bounding-set=-all --inh-caps=-all afw new two -- cat
	follows_hint two
	rmdir "$T/.af_worktrees"
	git clone -q "$T/repo" "$T/theirs"
	chown -R 12345 "$T/theirs"
	cd "$T/theirs" || exit 2
	export SUDO_UID=12345 SUDO_USER=them
	refused 1 "new 'x': $T/theirs belongs to them, who could not remove" \
		'sudo afw new' afw new x -- cat
	like "$err" 'hint: run it without sudo' 'with a hint'
	is "$(find "$T/theirs" -user 0)$(ls -d "$T"/.af_w* 2>/dev/null)" '' \
		'it leaves nothing of root there'
	mkdir -p "$T/home/.local/share/afw/sessions"
	chown 12345 "$T/home/.local/share/afw/sessions"
	refused 1 'list sessions in .*belong to another user .uid 12345' \
		"another user's sessions" env -u XDG_DATA_HOME afw ls
	like "$err" 'hint: run afw as that user, or set HOME' 'with a hint'
fi
done_testing
