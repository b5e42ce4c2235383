#!/bin/bash
# With umask 0002 a user's files are writable for the user's own group. afw
# accepts such files if nobody else is in that group, and no others.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
conf=$XDG_CONFIG_HOME/afw/afw.ini
tpl=$DATA/templates/mine/template.ini
W=$T/.af_worktrees
mkdir -p "${conf%/*}" "${tpl%/*}" "$W"
echo 'branch_prefix = my/' >"$conf"
echo 'detach_key = C-a' >"$tpl"

# open_up MODE: of the file and the directories that afw looks at.
open_up()
{
	chmod "$1" "$conf" "$tpl"
	chmod "$1" "$W" && chmod ug+x "$W"
}

# all_refused WHO HOW: what WHO says of who may write; HOW runs a command.
all_refused()
{
	local who=$1
	shift
	refused 1 "afw.ini: $who may write to it.*chmod go-w $conf" \
		"$*: the configuration is refused" "${as[@]}" afw config
	chmod 600 "$conf"
	refused 1 "template.ini: $who may write to it" \
		'and a template' "${as[@]}" afw templates mine
	refused 1 "$W .*$who may write to it.*chmod go-w $W" \
		'and the directory of worktrees' "${as[@]}" afw new one -- cat
	is "$(ls -A "$W")$(git branch --list 'my/*')" '' 'nothing is left'
	open_up "$(stat -c %a "$tpl")"
}

as=(env)
chgrp "$(id -g)" "$conf" "$tpl" "$W"
open_up 666
all_refused everyone 'mode 666'

open_up 664
if [ "$(id -u)" = 0 ]; then
	chgrp 12345 "$conf" "$tpl" "$W"
	all_refused 'its group' 'a group without a name'
	chgrp "$(getent group daemon | cut -d: -f3)" "$conf" "$tpl" "$W"
	all_refused 'its group' 'a group with another user'
	chgrp 0 "$conf" "$tpl" "$W"
else
	skip 8 'only root can give a file away'
fi

# Other users in the group, and a group of another name.
ns=(unshare -m)
[ "$(id -u)" = 0 ] || ns=(unshare -Urm)
for group in root:x:0:root,bob users:x:0: root:x:0:root; do
	echo "$group" >"$T/group"
	as=("${ns[@]}" sh -c 'mount --bind "$0" /etc/group && exec "$@"' "$T/group")
	if ! "${as[@]}" true 2>/dev/null; then
		skip 4 'no mount namespace can be made here'
	elif [ "$group" != root:x:0:root ]; then
		all_refused 'its group' "$group"
	else
		exit_is 0 'only the owner is listed as a member' \
			"${as[@]}" afw config
	fi
done

{ getent passwd root; echo 'eve:x:4242:0::/:/bin/sh'; } >"$T/passwd"
as=("${ns[@]}" sh -c 'mount --bind "$0" /etc/passwd && exec "$@"' "$T/passwd")
if "${as[@]}" true 2>/dev/null; then
	all_refused 'its group' 'the primary group of another user'
else
	skip 4 'no mount namespace can be made here'
fi

as=(env)
acl='import os, struct, sys
for path in sys.argv[1:]:
	os.setxattr(path, "system.posix_acl_access", struct.pack("<I", 2) + b"".join(
		struct.pack("<HHI", tag, bits, who) for tag, bits, who in (
			(1, 6, 2**32 - 1), (2, 6, 12345), (4, 4, 2**32 - 1),
			(16, 6, 2**32 - 1), (32, 4, 2**32 - 1))))'
if python3 -c "$acl" "$conf" "$tpl" "$W" 2>/dev/null; then
	chmod u+x "$W"
	all_refused 'another user of its ACL' 'an ACL'
	chmod 600 "$conf" "$tpl"
	refused 1 "$W .*another user of its ACL may write to it" \
		'by a dry run, too' afw new -n one -- cat
	python3 -c 'import os, sys
for path in sys.argv[1:]: os.removexattr(path, "system.posix_acl_access")' "$conf" "$tpl" "$W"
	open_up 664
else
	skip 5 'this file system has no ACLs'
fi

me=$(id -un)
if [ "$(getent group "$(id -g)" | cut -d: -f1,4 | tr -d :)" = "$me" ]; then
	exit_is 0 'configuration of a private group' afw config
	exit_is 0 'a template of a private group' afw templates mine
	exit_is 0 'worktrees of a private group' afw new one -- cat
	is "$(stat -c %a "$W")" 774 'whose directory stays as it is'
	exit_is 0 'config set' afw config set branch_prefix mine/
	is "$(stat -c %a "$conf")" 664 'keeps the mode'
	exit_is 0 'rm' afw rm --stop -D one
else
	skip 7 "$me has no private group"
fi
done_testing
