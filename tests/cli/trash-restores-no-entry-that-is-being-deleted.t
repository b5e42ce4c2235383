#!/bin/bash
# trash restore: an entry that rm is about to delete, because its work is saved
# elsewhere, does not prevent another session of that name.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

# The process that deletes waits in its second look for the file "go".
mkdir "$T/bin"
cp "$BUILD"/afw "$BUILD"/afw-supervisor "$T/bin"
cat >"$T/bin/afw-worktree" <<END
#!/bin/bash
IFS= read -r request
if [[ \$request == *'"op":"sweep"'* && \$request != *'"only_look":true'* ]]; then
	echo "\$PPID \$\$" >"$T/deleting"
	until [ -e "$T/go" ]; do read -r -t 0.03 <> <(:); done
fi
{ printf '%s\n' "\$request"; exec cat; } | exec "$BUILD/afw-worktree"
END
chmod +x "$T/bin/afw-worktree"
export PATH="$T/bin:$PATH"
in_trash() { afw trash ls -q | wc -l; }
is_deleting() { [ -s "$T/deleting" ]; }

# removed FILE ARGS: a session "one" with an unsaved FILE, removed by rm ARGS.
removed()
{
	local file=$1
	shift
	afw new one --no-start -- cat >"$T/null" &&
		echo x >"$T/.af_worktrees/repo-one/$file" &&
		afw rm "$@" one >"$T/null"
}

exit_is 0 'new' afw new one --no-start -- cat
exit_is 0 'rm' afw rm one
waits_for is_deleting 'it is being deleted'
run afw trash
like "$out" 'one +repo +[0-9]+s +now ' 'the list says so'
removed mine --trash
is "$(in_trash)" 2 'two of that name are in the trash'
exit_is 0 'the entry that stays is restored' afw trash restore one
is "$(<"$T/.af_worktrees/repo-one/mine")" x 'with its work'
stays=$(session_dir one)
exit_is 0 'rename' afw rename one two
refused 3 "restore 'one': .*is being deleted" 'the other is refused' \
	afw trash restore one
exit_is 0 'rename again' afw rename two one
exit_is 0 'rm' afw rm --trash one
refused 4 'may be any of several' 'purge takes neither' afw trash purge -y one

# As soon as rm returns, and if the deletion was killed.
# shellcheck disable=SC2046
kill -KILL $(cat "$T/deleting")
waits_for '! pgrep -f "$T/bin/afw-worktree"' 'it is not deleted'
exit_is 0 'then, too, the entry that stays is restored' \
	afw trash restore one
is "$(session_dir one)" "$stays" 'which is the same'
exit_is 0 'rm' afw rm --trash one
exit_is 0 'purge' afw trash purge -y "$(basename "$stays")"
exit_is 0 'alone, the other is restored' afw trash restore one
nok_cmd 'and is not to be deleted' test -e "$(session_dir one)/deleting"
rm "$T/deleting"
exit_is 0 'rm' afw rm one
waits_for is_deleting 'it is being deleted'

# A file that appears after rm has looked.
echo x >"$T/.af_worktrees/.trash/$(basename "$DATA"/trash/*)/late"
touch "$T/go"
waits_for '! ls "$DATA"/trash/*/deleting' \
	'it is found before anything is deleted'
removed second --trash
refused 4 'may be any of several' 'an entry that stays is a candidate' \
	afw trash restore one
exit_is 0 'purge' afw trash purge -y

exit_is 0 'new' afw new one --no-start -- cat
exit_is 0 'rm' afw rm one
waits_for '[ "$(in_trash)" = 0 ]' 'it is deleted'
refused 3 "no session 'one' in the trash" 'after that it is unknown' \
	afw trash restore one
done_testing
