#!/bin/bash
# With commit.gpgsign all commits of afw are signed as git would sign them, or
# nothing is changed; programs that an agent could have configured are not run.
. "$(dirname "$0")/../lib.sh"
afw_env
unset SSH_AUTH_SOCK SSH_ASKPASS DISPLAY GPG_TTY GNUPGHOME
make_repo "$T/repo" README
cd "$T/repo" || exit 2
keygen() { ssh-keygen -q -t ed25519 -N "$2" -C "$1" -f "$T/$1"; }
keygen key '' && keygen other '' && keygen locked secret || exit 2
{ printf 'test@example.org '; cat "$T/key.pub"; } >"$T/allowed"
{ printf 'test@example.org '; cat "$T/other.pub"; } >>"$T/allowed"
git config --global gpg.ssh.allowedSignersFile "$T/allowed"
signed() { git -c gpg.ssh.program=ssh-keygen -c gpg.program=gpg log -1 --format=%G?%GK%p "${1:-af/x}" | sed "s/$key/ KEY /; s/$other/ OTHER /"; }
fingerprint() { ssh-keygen -lf "$T/$1.pub" | cut -d ' ' -f 2 | sed 's/[+/]/./g'; }
key=$(fingerprint key) other=$(fingerprint other)
change() { n=$((n + 1)); echo "$n" >"$T/.af_worktrees/repo-$1/file$n"; }
state() { git rev-parse main af/x; git -C "$T/.af_worktrees/repo-x" status --porcelain; }
# fails RE NAME CMD...: git's own words come first.
fails()
{
	local re=$1 name=$2
	shift 2
	run "$@"
	like "$code $out$err" "^1 .*$re" "$name"
}
exit_is 0 'a session' afw new x --no-start -- cat
was=$(git rev-parse --short main)

# --- ssh ------------------------------------------------------------------------
git config --global gpg.format ssh
git config --global user.signingKey "$T/key"
change x
exit_is 0 'commit without commit.gpgsign' afw commit x -m one
is "$(signed)" "N$was" 'is not signed'
git config --global commit.gpgsign true
change x
exit_is 0 'commit' afw commit x -m two --json
like "$(signed)" '^G KEY ' 'is signed'
is "$(json commit)" "$(git rev-parse af/x)" 'and the answer names it'
ok_cmd 'git verifies it' git verify-commit af/x 2>/dev/null
is "$(git log -1 --format='%an|%s|%B' af/x)" 'Test|two|two' 'it has author and message'
is "$(git fsck --strict 2>&1 | grep -v dangling)" '' 'the repository is whole'
change x
exit_is 0 'commit --no-gpg-sign' afw commit x -m three --no-gpg-sign
like "$(signed)" '^N' 'is not signed'
git commit -q --no-gpg-sign --allow-empty -m meanwhile
exit_is 0 'a dry run' afw merge -n x
exit_is 0 'a merge commit' afw merge x
like "$(signed main)" '^G KEY .* ' 'is signed, with two parents'
change x
cp "$T/other.pub" "$T/literal"
eval "$(ssh-agent -s)" >/dev/null; trap 'kill "$SSH_AGENT_PID"; _exit' EXIT
ssh-add -q "$T/other" "$T/key"
git config --global user.signingKey "key::$(cat "$T/literal")"
exit_is 0 'a literal key' afw commit x -m four
like "$(signed)" '^G OTHER ' 'is found in ssh-agent'
git config --global --unset user.signingKey
git config --global gpg.ssh.defaultKeyCommand "cat '$T/literal'"
change x
exit_is 0 'gpg.ssh.defaultKeyCommand' afw commit x -m five
like "$(signed)" '^G OTHER ' 'names the key'
git config --global --unset gpg.ssh.defaultKeyCommand
git config --global user.signingKey '~/key'; cp "$T/key" "$T/key.pub" "$HOME"
change x
exit_is 0 'a path below ~' afw commit x -m 'to squash'
like "$(signed)" '^G KEY ' 'is expanded'
change x
exit_is 0 '-S with a key' afw commit x -S"$T/other" -m 'to squash'
like "$(signed)" '^G OTHER ' 'overrides user.signingKey'
exit_is 0 'a squash' afw merge --squash x -m squashed
like "$(signed main)" '^G KEY [0-9a-f]*$' 'is signed'

exit_is 0 'a second session' afw new y --no-start -- cat
change y; afw commit y -m 'one of two' >/dev/null
echo new >"$T/.af_worktrees/repo-y/new"
GIT_AUTHOR_NAME='Ä. O''Hara' GIT_AUTHOR_DATE='2005-04-07T22:13:13 -0330' afw commit y -m 'two of two' >/dev/null
git commit -q --allow-empty -m meanwhile
exit_is 0 'a rebase' afw merge --rebase y
is "$(git log -2 --format='%G? %s %ae' main | paste -sd '|')" \
	'G two of two test@example.org|G one of two test@example.org' 'signs each commit again'
is "$(git log -2 --format='%an %ai %B' main)" "$(git log -2 --format='%an %ai %B' af/y)" \
	'with its author, date and message'
git config --global commit.gpgsign false
change y; afw commit y -S -m 'to rebase' >/dev/null
like "$(signed af/y)" '^G KEY ' '-S signs without commit.gpgsign'
git commit -q --allow-empty -m meanwhile
exit_is 0 'a rebase without commit.gpgsign' afw merge --rebase y
like "$(signed main)" '^N' 'signs nothing, as git'
change y; afw commit y -m 'to rebase' >/dev/null
exit_is 0 'a rebase with -S' afw merge --rebase --gpg-sign="$T/other" y
like "$(signed main)" '^G OTHER ' 'is signed with that key'
git config --global commit.gpgsign true

# --- a failure changes nothing --------------------------------------------------
change x; before=$(state)
git config --global user.signingKey "$T/locked"
fails "commit 'x': git has failed.*incorrect passphrase" \
	'a key with a passphrase, without a terminal' afw commit x -m no
is "$(state)" "$before" 'changes nothing'
nok_cmd 'no lock is left' sh -c 'ls .git/worktrees/*/index.lock 2>/dev/null'
is "$(ls "$T" | grep '^afw-')" '' 'no file is left'
git config --global user.signingKey "$T/nowhere"
fails 'git has failed.*nowhere' 'a key that is not there' afw commit x -m no
git config --global --unset user.signingKey
fails 'git has failed.*user.signing[Kk]ey' 'no key' afw commit x -m no
git config --global user.signingKey "$T/key"
git config --global gpg.ssh.program "$T/no-program"
fails 'git has failed' 'a program that is not there' afw commit x -m no
git config --global gpg.format pgp
fails 'git has failed.*gpg.format' 'an unknown format' afw commit x -m no
is "$(state)" "$before" 'nothing is changed'
git config --global gpg.format ssh; git config --global --unset gpg.ssh.program
exit_is 0 'a commit to merge' afw commit x -m six
git commit -q --allow-empty -m meanwhile; before=$(state)
refused 1 "merge 'x': sign: .*nowhere" 'a merge with a missing key' \
	afw merge x -S"$T/nowhere"
refused 1 "merge 'x': sign: .*nowhere" 'a rebase, too' \
	afw merge --rebase x -S"$T/nowhere"
is "$(state)" "$before" 'changes nothing'

# --- on a terminal ----------------------------------------------------------------
change x
tmux_run 80 24 afw commit x -S"$T/locked" -m typed
tmux_wait_for 'passphrase'
tmux_type secret; tmux_keys Enter
tmux_wait_for '  file'
tmux_stop
like "$(git cat-file -p af/x)" $'gpgsig -----BEGIN SSH SIGNATURE.*\ntyped' \
	'the passphrase is asked for on the terminal'
change x; before=$(state)
tmux_run 80 24 afw commit x -S"$T/locked" -m no
tmux_wait_for 'passphrase'
tmux_keys C-c
waits_for tmux_dead 'Ctrl-C ends it'
tmux_stop
waits_for '[ "$(state)" = "$before" ] && [ ! -e .git/worktrees/repo-x/index.lock ]' \
	'Ctrl-C changes nothing'

# --- what an agent may have configured --------------------------------------------
printf '#!/bin/sh\ntouch "%s"\nexit 1\n' "$T/ran" >"$T/evil"; chmod +x "$T/evil"
rm "$T/.af_worktrees/repo-x"/file$n; git commit -q --no-gpg-sign --allow-empty -m meanwhile; before=$(state)
for name in gpg.program gpg.ssh.program gpg.x509.program gpg.openpgp.program \
	gpg.ssh.defaultKeyCommand; do
	git config "$name" "$T/evil"
	refused 1 "${name,,} in the repository.s .git/config is not run.*hint: .git config --global" \
		"a merge with $name in .git/config" afw merge x
	git config --unset "$name"
done
is "$(state)" "$before" 'is not made'
git config gpg.program "$T/evil"
change x
exit_is 0 'a commit that is not signed' afw commit x --no-gpg-sign -m seven
git config --unset gpg.program; git config gpg.ssh.program "$T/evil"
nok_cmd 'they are not run' test -e "$T/ran"
change x
fails 'git has failed' 'a commit runs what git would' afw commit x -m no
ok_cmd 'as its agent could' rm "$T/ran"
git config --unset gpg.ssh.program
git config user.signingKey "$T/other"
change x
exit_is 0 'a key in .git/config' afw commit x -m eight
like "$(signed)" '^G OTHER ' 'is the one'
if "$BUILD/afw-supervisor" confine | tail -1 | grep -q yes; then
	exit_is 0 'a session in a sandbox' afw new s --sandbox landlock -- cat
	afw exec s -- sh -c 'git config gpg.ssh.program "$1"; git config user.signingKey no
		echo s >s' sh "$T/evil" >/dev/null 2>&1
	exit_is 0 'commit there' afw commit s -m 'in a sandbox'
	like "$(signed af/s)" '^G OTHER ' "uses the repository's key: the agent cannot write it"
	nok_cmd "nothing of the sandbox's configuration is run" test -e "$T/ran"
	old=$(git rev-parse af/s); echo t >"$T/.af_worktrees/repo-s/s"
	refused 1 'sign: .*nowhere' 'a key that is not there' afw commit s -S"$T/nowhere" -m no
	afw exec s -- git status --short >"$T/inside" 2>/dev/null
	is "$(git rev-parse af/s)|$(git -C "$(session_dir s)/git" rev-parse af/s)|$(<"$T/inside")" \
		"$old|$old| M s" 'changes nothing'
else
	skip 6 'no landlock here'
fi
git config --unset user.signingKey

# --- x509 ---------------------------------------------------------------------------
cat >"$T/gpgsm" <<'END'
#!/bin/sh
echo "$@" >"$OUT"; sed -n 1p >>"$OUT"
echo '[GNUPG:] SIG_CREATED S' >&2
printf -- '-----BEGIN SIGNED MESSAGE-----\nx\n-----END SIGNED MESSAGE-----\n'
END
chmod +x "$T/gpgsm"; export OUT=$T/gpgsm.out
git config --global gpg.format x509; git config --global gpg.x509.program "$T/gpgsm"
change x
exit_is 0 'commit with x509' afw commit x -S0x1234 -m x509
like "$(<"$OUT")" '-bsau 0x1234.*tree' 'asks gpg.x509.program'
like "$(git cat-file -p af/x)" 'gpgsig -----BEGIN SIGNED' 'for the signature'
git config --global gpg.format ssh

# --- gpg ----------------------------------------------------------------------------
export GNUPGHOME=$T/gnupg; mkdir -m 700 "$GNUPGHOME"
if gpg --batch --quiet --passphrase '' --quick-generate-key 'Test <test@example.org>' \
	ed25519 sign never >"$T/gpg" 2>&1; then
	git config --global --unset user.signingKey; git config --global --unset gpg.format
	change x
	exit_is 0 'commit with gpg' afw commit x -m gpg
	like "$(signed)" '^[GU]' "is signed with the committer's key"
	git config --global user.signingKey nobody@example.org
	change x; before=$(state)
	fails 'git has failed.*gpg' 'a key that is not there' afw commit x -m no
	git config --global user.signingKey test@example.org
	printf '#!/bin/sh\necho run >>"%s"\nexec gpg "$@"\n' "$T/wrapped" >"$T/wrapper"
	chmod +x "$T/wrapper"
	git config --global gpg.program "$T/wrapper"
	is "$(state)" "$before" 'changes nothing'
	exit_is 0 'gpg.program' afw commit x -m wrapped
	is "$(<"$T/wrapped")|$(signed | cut -c 1)" "run|$(signed | cut -c 1)" 'is run'
	like "$(signed)" '^[GU]' 'and signs'
	gpgconf --kill all
else
	skip 8 "gpg makes no key here: $(tail -1 "$T/gpg")"
fi
done_testing
