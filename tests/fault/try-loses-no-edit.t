#!/bin/bash
# SIGKILL, or an error, at every call of afw try and afw try --end that changes a
# file: each file is as before, as the session has it, or as it was edited; the
# next run finishes, the main worktree is as before, and the session has what was
# edited.
#
# Beside other tests all of them take long: `make check-all` tries every third.
# AF_TEST_EVERY=2 tries more.
[ "${AF_TEST_EVERY-}" != 1 ] || export AF_TEST_EVERY=3
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
afw_env
kill_world README both gone dir/in sub/deep/gone

cat >"$T/work" <<'END'
afw new one --no-start -- cat || exit
state . >"$T/main"
cd "$W/repo-one" || exit
echo one >>README
echo one >>both
git rm -q gone sub/deep/gone
git rm -qr dir
echo 'a file' >dir
git add -A && git commit -qm one
mkdir -p new/deep && echo new >new/deep/file
echo more >>both
state . >"$T/session"
END
# What a user does, and again if it was killed or has failed.
cat >"$T/cycle" <<'END'
[ ! -e .git/afw-try ] || afw try --end || exit
is_edited && exit
afw try one || exit
echo edited >>both
rm new/deep/file
mkdir -p made && echo made >made/file
touch "$T/edited"
afw try --end
END
# state DIR: what is there.
state()
{
	(
		cd "$1" || exit
		git symbolic-ref HEAD
		git rev-parse HEAD
		git ls-files -s
		find . -name .git -prune -o -printf '%p %y %m %l\n' -type f \
			-exec sha1sum {} + | sort
	) 2>&1
}
is_edited()
{
	[ "$(cat "$W/repo-one/made/file" 2>/dev/null)" = made ]
}
is_done()
{
	[ "$(state .)" = "$(<"$T/main")" ] && [ ! -e .git/afw-try ] && (
		cd "$W/repo-one" || exit
		[ "$(git status --porcelain)" = ' M both
?? made/' ] && [ "$(tail -n 1 both)$(cat made/file)" = editedmade ]
	)
}
export -f state is_edited is_done
# What was edited is in one of the two, and what the session has is there.
kept()
{
	local s=$W/repo-one
	[ ! -e "$T/edited" ] || is_edited ||
		[ "$(cat made/file 2>&1)" = made ] || echo 'what was edited'
	[ "$(git -C "$s" log -1 --format=%s)" = one ] || echo 'its commit'
	[ "$(sed -n 3p "$s/both" 2>/dev/null)" = more ] ||
		grep -rqx more .git/worktrees/repo-one/afw-merge* || echo 'its work'
	[ "$(git log -1 --format=%s main)" = first ] || echo 'main'
}
back='rm -f "$T/edited"; cd "$W/repo-one" && rm -rf made new &&
	git checkout -q both && echo more >>both &&
	mkdir -p new/deep && echo new >new/deep/file &&
	[ "$(state . | sed /edited/d)" = "$(<"$T/session")" ]'
for fault in '' '-e EIO' '-e ENOSPC'; do
	[ -z "$fault" ] || sampled || continue
	FAULT=$fault
	kill_each afw-worktree 'bash "$T/../cycle"' is_done "$back" \
		'bash "$T/../work"'
done
done_testing
