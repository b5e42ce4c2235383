#!/bin/bash
# Only the user can write to the directory of worktrees, and a worktree has no
# more permissions than its repository.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
W=$T/.af_worktrees

mode()
{
	stat -c %a "$1"
}

# made_before MODE [OWNER]
made_before()
{
	mkdir -m "$1" "$W"
	[ $# -lt 2 ] || chown "$2" "$W"
}

if [ "$(id -u)" = 0 ]; then
	made_before 755 12345
	refused 1 "$W belongs to another user .uid 12345." \
		"another user's directory is not used" afw new one -- cat
	is "$(ls -A "$W")" '' 'nothing is left in it'
	rmdir "$W"
else
	skip 2 'only root can make it'
fi
for m in 777 757 1777; do
	made_before $m
	refused 1 "$W.*everyone may write.*chmod go-w $W" \
		"nor one with mode $m" afw new one -- cat
	is "$(mode "$W") $(ls -A "$W")" "$m " 'which stays as it is'
	rmdir "$W"
done
is "$(git branch --list 'af/*')$(ls .git/worktrees 2>&1 >/dev/null | wc -l)" 1 \
	'no branch and no entry are left'

chmod 750 .
echo secret >.env
exit_is 0 'new makes it' afw new one -- cat
is "$(mode "$W")" 700 'for the user alone'
is "$(mode "$W/repo-one")" 750 'the worktree is as its repository'
chmod 755 "$W"
chmod 700 .
exit_is 0 'a directory that others may read is used' afw new two -- cat
is "$(mode "$W")" 755 'and stays so'
is "$(mode "$W/repo-two")" 700 'the worktree is as its repository still'
(umask 077 && chmod 755 . && afw new three -- cat >/dev/null 2>&1)
is "$(mode "$W/repo-three")" 700 'and as the umask says'
afw rm --stop one two three >/dev/null 2>&1
done_testing
