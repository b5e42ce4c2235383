#!/bin/bash
# A template's home/ is copied to the session's own home; if the session has
# none, that is reported; forbidden files are reported before anything is made.
. "$(dirname "$0")/../lib.sh"
# Not in /tmp, which is another one inside.
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
home=$DATA/templates/role/home
mkdir -p "$home/.config/tool" "$home/bin"
echo 'of the template' >"$home/.config/tool/rc"
printf '#!/bin/sh\ncat ~/.config/tool/rc >"$1"\n' >"$home/bin/say"
chmod +x "$home/bin/say"

like "$(afw templates role)" "# $home/.config/tool/rc
# $home/bin/say" 'its files are listed'

# -- where there is a home --------------------------------------------------

if has=$("$BUILD/afw-supervisor" confine | tr '\n' ' ') &&
	[[ $has =~ ^([0-9]+)\ yes\ $ ]] && [ "${BASH_REMATCH[1]}" -ge 6 ]; then
	exit_is 0 'in landlock' afw new in -t role --sandbox landlock -- \
		sh -c '"$HOME/bin/say" said; exec sleep 600'
	is "$err" '' 'nothing is missing'
	worktree=$(json 0.worktree <(afw ls --json))
	waits_for '[ -s "$worktree/said" ]' 'the agent has it'
	is "$(<"$worktree/said")" 'of the template' 'as it is'
	mine=$(session_dir in)/home
	is "$(stat -c %a "$mine/bin/say" "$mine/bin" "$mine/.config/tool/rc" | tr '\n' ' ')" \
		'700 700 600 ' 'programs stay executable, and no other session has it'
	exit_is 0 'stop' afw stop in
	echo 'of the agent' >"$mine/.config/tool/rc"
	rm "$worktree/said"
	exit_is 0 'a later start' afw start in
	waits_for '[ -s "$worktree/said" ]' 'runs'
	is "$(<"$worktree/said")" 'of the agent' "leaves what became of it"
	exit_is 0 'rm' afw rm -s in
	mkdir -p .af/templates
	cp -r "$DATA/templates/role" .af/templates/theirs
	echo 'of the repository' >.af/templates/theirs/home/.config/tool/rc
	afw trust --yes >"$T/.null"
	exit_is 0 'a home of a template of the repository' afw new in -t theirs --no-start \
		--sandbox landlock -- true
	is "$(cat "$(session_dir in)/home/.config/tool/rc")" 'of the repository' \
		'is there too'
	exit_is 0 'rm' afw rm in
	rm -r .af
else
	skip 13 'no landlock here'
fi

# -- where there is none ----------------------------------------------------

exit_is 0 'without a sandbox' afw new out -t role -- sleep 600
like "$err" 'out: sandbox none has no home of its own: .*role is not used' \
	'it is not used, which is reported'
like "$(afw status out)" 'note +sandbox none .*home/' 'by status, too'
nok_cmd "the user's home is as it was" test -e "$HOME/bin/say"

# -- what may not be in it --------------------------------------------------

ln -s /etc/passwd "$home/.config/link"
refused 1 'read .*/role/home/.config/link: it is a symbolic link' 'a link' \
	afw new bad -t role -- cat
rm "$home/.config/link"
mkfifo "$home/pipe"
refused 1 'home/pipe: it is a FIFO' 'a FIFO, without a wait' \
	timeout 10 afw new bad -t role -- cat
rm "$home/pipe"
if [ "$(id -u)" = 0 ] && mknod "$home/null" c 1 3 2>"$T/.null"; then
	refused 1 'home/null: it is a device' 'a device' \
		afw new bad -t role -- cat
	rm "$home/null"
else
	skip 1 'no device can be made here'
fi
mkdir "$home/many"
touch "$home/many/"{1..1000}
refused 5 'read .*/role/home: more than 1000 files' 'too many files' \
	afw new bad -t role -- cat
rm -r "$home/many"
truncate -s 17M "$home/big"
refused 5 'read .*/role/home: more than 16 MiB' 'too large ones' \
	afw new bad -t role -- cat
exit_is 3 'nothing was made' afw status bad
run git branch --list 'af/bad'
is "$out" '' 'no branch either'
done_testing
