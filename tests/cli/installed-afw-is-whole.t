#!/bin/bash
# Files that `make install` has put elsewhere work without the source.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
prefix="$T/in stalled"

# As `sudo make install` leaves a file of root's there, which a user's make
# may not write.
ln -sfn /nonexistent/file "$BUILD/completion.bash"
# The build is there: nothing is compiled again. Without git, also not after a commit.
# With PREFIX=~/.local the data directory is below the prefix, too.
mkdir -p "$prefix/share/afw/templates/ralph" "$prefix/share/afw/sessions"
echo '# my own' >"$prefix/share/afw/templates/ralph/template.ini"
echo precious >"$prefix/share/afw/sessions/file"
env -u MAKEFLAGS -u MAKELEVEL GIT_DIR="$T/none" make -s -C "$ROOT" install \
	BUILD="$BUILD" PREFIX="$prefix" >"$T/install" 2>&1
ok $? 'make install' || diag "$(tail "$T/install")"
is "$(<"$prefix/share/afw/templates/ralph/template.ini")" '# my own' \
	"leaves the user's templates as they are"
cd "$T/repo" || exit 2
PATH="$prefix/bin:/usr/bin:/bin"
unset AF_SHARE_DIR
exit_is 0 'the demo agent starts from there' \
	afw new one -a demo -m '[[write made]]'
exit_is 0 'and works' afw wait --for completed --timeout 90s one
ok_cmd 'in its worktree' test -s "$T/.af_worktrees/repo-one/made"
# Only root may read where its /proc/PID/exe points.
mapfile -d '' argv <"/proc/$(json supervisor_pid "$(session_dir one)/state.json")/cmdline"
is "$(readlink -f "${argv[0]}")" \
	"$prefix/libexec/afw/afw-supervisor" 'its supervisor is the installed one'
if [[ $("$BUILD/afw-supervisor" confine) == *yes ]]; then
	exit_is 0 'a sandbox' afw new walled --sandbox landlock -- cat
	exit_is 0 'and a command in it' afw exec walled -- true
	exit_is 0 'rm' afw rm -s walled
fi
# The dashboard is in libexec/afw/, the commands that its keys run in bin/.
tmux_start 80 24 afw
wait_for 'tmux_screen | grep -q "> one .*done"'
tmux_keys d
waits_for 'tmux_screen | grep -q "^diff --git a/made"' \
	'the key d shows what was made'
tmux_keys q
wait_for 'tmux_screen | grep -q "> one .*done"'
tmux_keys Enter
waits_for 'tmux_screen >"$T/s"; grep -q "works in" "$T/s" &&
	! grep -q "> one .*done" "$T/s"' \
	'Enter attaches'
tmux_keys 'C-\'
waits_for 'tmux_screen | grep -q "> one .*done"' \
	'and the detach key detaches'
tmux_keys x
wait_for 'tmux_screen | grep -q "y/n"'
tmux_keys y
waits_for 'tmux_screen | grep -q "> one .*stopped"' \
	'the key x stops it'
tmux_keys q
tmux_stop
exit_is 0 'stop' afw stop one
like "$out" 'was already stopped' 'it was stopped so'
ok_cmd 'the manual is there' test -s "$prefix/share/man/man1/afw.1"
is "$(cd "$prefix/share" && ls -d bash-completion/*/afw zsh/*/_afw \
	fish/*/afw.fish | wc -l)" 3 'and what completes its command lines'
exit_is 0 'the roles are there' afw templates
like "$out" 'verifier' 'from the installation'
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$ROOT" uninstall \
	BUILD="$BUILD" PREFIX="$prefix" >"$T/install" 2>&1
is "$(cd "$prefix" && find . -type f | sort | tr '\n' ' ')" \
	'./share/afw/sessions/file ./share/afw/templates/ralph/template.ini ' \
	'make uninstall leaves no file but those of the user'
is "$(find "$prefix" -name afw)" "$prefix/share/afw" 'and no directory'
done_testing
