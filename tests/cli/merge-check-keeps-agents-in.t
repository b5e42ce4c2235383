#!/bin/bash
# What an agent has committed runs only in its sandbox when afw merge --check
# checks it.
. "$(dirname "$0")/../lib.sh"
afw_env
needs_landlock
make_repo "$T/repo" README d/file
cd "$T/repo" || exit 2
mkdir -p "$T/config/afw" "$T/outside"

# session NAME 'shell commands': made in a sandbox, with one commit by git.
session()
{
	run afw new "$1" --sandbox landlock --no-start -- cat
	[ "$code" = 0 ] || diag "new $1: $err"
	(cd "$T/.af_worktrees/repo-$1" && eval "$2" && git add -A && git commit -qm "work of $1")
}
check() { printf 'check = %s\n' "$1" >"$T/config/afw/afw.ini"; }
tip() { git rev-parse "${1:-main}"; }

# shellcheck disable=SC2016 # for the check
session one 'cat >run.sh' <<'CHECK'
cd "$(dirname "$0")" || exit 1
echo x >../../outside/written
echo x >../../repo/README
echo x >../../repo/.git/config
cat ../../repo/README 2>/dev/null | grep line # its own /tmp has none
[ "$HOME" = "${HOME#*/.new-}" ] && echo "HOME is $HOME"
[ -z "$(git status --short)" ] || git status --short
echo "HEAD $(git rev-parse HEAD)"
git commit -q --allow-empty -m mine || echo no commit
git checkout -q -b mine
rm -rf d && ln -s ../../outside d
echo >file
exit 1
CHECK
check 'sh run.sh'
config=$(cat .git/config)
exit_is 9 'a check that tries all sorts of things' afw merge --check one
is "$(grep '^HEAD\|^HOME\|^ M\|line' <<<"$err")" "HEAD $(tip af/one)" \
	'sees the commit that is checked, and none of the user'"'"'s files'
is "$(cat .git/config)" "$config" 'nor writes git'
is "$(ls "$T/outside"; git status --short; git branch --list mine; git log --oneline main | wc -l)" '1' \
	'nothing of that is left'

# --- its own configuration -------------------------------------------------------
session two 'mkdir .af && printf "check = true\nsetup = touch %s/outside/setup\n" "$T" >.af/afw.ini'
check 'false'
exit_is 9 'a branch with an .af/afw.ini of its own' afw merge --check two
nok_cmd 'is not asked what its check or setup is' test -e "$T/outside/setup"
check 'true'
exit_is 0 'it is checked as the user says' afw merge --check two
git rm -qr --cached .af && rm -rf .af && git commit -qm 'no .af'

# --- hooks, filters, submodules ----------------------------------------------------
git config core.hooksPath .githooks
git config filter.evil.smudge "touch $T/outside/filter; cat"
git config core.fsmonitor .githooks/fsmonitor
# shellcheck disable=SC2016 # for session
session three 'mkdir -p .githooks; for h in post-checkout pre-commit post-merge reference-transaction post-index-change fsmonitor; do
	printf "#!/bin/sh\ntouch %s/outside/$h" "$T" >.githooks/$h; chmod +x .githooks/$h; done; git config core.hooksPath /dev/null; git config core.fsmonitor false'
git config core.hooksPath .githooks
git config core.fsmonitor .githooks/fsmonitor
exit_is 0 'a branch with hooks' afw merge --check three
is "$(ls "$T/outside")" '' 'none is run'
git config core.hooksPath /dev/null
git config core.fsmonitor false
session four 'echo "* filter=evil" >.gitattributes; git -c filter.evil.smudge= add -A'
exit_is 9 'a branch with a filter' afw merge --check four
like "$err" 'has the filter evil, which afw does not run' 'is refused'
is "$(ls "$T/outside")" '' 'and the filter is not run'
session five 'git -c protocol.file.allow=always submodule --quiet add "$T/repo" sub'
exit_is 9 'a branch with a submodule' afw merge --check five
like "$err" 'sub is a submodule that it changes' 'is refused'
is "$(git worktree list | wc -l) $(ls -d "$T"/.af_worktrees/*_land 2>/dev/null)" "$((1 + 5)) " 'no worktree is left'
done_testing
