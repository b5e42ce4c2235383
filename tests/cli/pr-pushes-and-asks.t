#!/bin/bash
# afw pr pushes the branch, the user's command makes the pull request, and its
# address is stored.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
git init -q --bare "$T/remote.git"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw" "$T/bin"
ini=$XDG_CONFIG_HOME/afw/afw.ini
cat >"$T/bin/gh" <<END
#!/bin/sh
pwd >"$T/asked"; printf '%s\n' "\$@" >>"$T/asked"
[ ! -e "$T/fails" ] || { echo 'Warning: x' >&2; echo 'pull request create failed' >&2; exit 1; }
echo 'Creating pull request'
echo 'https://example.org/repo/pull/7'
END
chmod +x "$T/bin/gh"
export PATH="$T/bin:$PATH"
remote_tip() { git --git-dir "$T/remote.git" rev-parse -q --verify "refs/heads/${1:-af/x}"; }

exit_is 0 'a session' afw new x --no-start -- cat
refused 1 'it has no pull request' 'none yet' afw pr --state x
tree=$T/.af_worktrees/repo-x
echo x >"$tree/x"
refused 4 '1 file is not committed' 'uncommitted work' afw pr x
run afw commit x -m '--web is {base}'
refused 1 "has no remote 'origin'" 'without a remote' afw pr x
like "$err" 'hint: .*remote in afw.ini' 'it says what to do'
git remote add origin "$T/remote.git"
touch "$T/fails"
refused 1 'gh failed \(exit code 1\): pull request create failed' 'a command that fails' afw pr x
is "$(state_of x pr)" null 'is not kept'
rm "$T/fails"
exit_is 0 'a request' afw pr x
is "$out" $'af/x: pushed to origin\nCreating pull request\nhttps://example.org/repo/pull/7' \
	'prints what the command says'
is "$(remote_tip)" "$(git rev-parse af/x)" 'the branch is there'
is "$(tr '\n' '|' <"$T/asked")" \
	"$T/repo|pr|create|--head|af/x|--base|main|--title|web is {base}|--fill|" \
	'asked in the main worktree, with what it is about'
is "$(state_of x pr)" https://example.org/repo/pull/7 'its address is kept'
like "$(afw status x)" 'pr +https://example.org/repo/pull/7' 'and shown'
run afw ls --json
is "$(json 0.pr)" https://example.org/repo/pull/7 'by ls too'
echo "pr_state_command = $T/bin/state {url}" >"$ini"
printf '#!/bin/sh\necho checking; printf "OPEN\\033[31m %%s\\n" "$1"\n' >"$T/bin/state"; chmod +x "$T/bin/state"
exit_is 0 'its state' afw pr --state x
is "$out" 'OPEN https://example.org/repo/pull/7 https://example.org/repo/pull/7' \
	'is what the command says of its address, harmless'
printf '#!/bin/sh\necho no such login >&2; exit 4\n' >"$T/bin/state"
refused 1 'state failed \(exit code 4\): no such login' 'a command that fails' afw pr -s x
like "$err" 'hint: pr_state_command' 'is named'
rm "$ini" "$T/asked"
echo y >>"$tree/x"; run afw commit x -m more
exit_is 0 'once more' afw pr x --json
is "$(json pr)|$(json base)" 'https://example.org/repo/pull/7|main' 'is the same'
is "$(remote_tip)|$(ls "$T/asked" 2>&1 | grep -c '^/')" "$(git rev-parse af/x)|0" 'and only pushed'
exit_is 0 'another one' afw pr x --new --title 'its title' --base next
like "$(tr '\n' '|' <"$T/asked")" '--base.next.--title.its title.' 'is asked for'

# Killed when it is made, and not recorded yet.
made=$T/made
cat >"$T/bin/gh" <<END
#!/bin/sh
echo "\$*" >>"$T/asked"
case \$2 in
list) cat "$made" 2>/dev/null || : ;;
create) echo https://example.org/repo/pull/9 >"$made"
	[ ! -e "$T/kills" ] || kill -KILL \$PPID
	cat "$made" ;;
esac
END
creates() { grep -c '^pr create' "$T/asked"; }
exit_is 0 'another session' afw new k --no-start -- cat
echo k >"$T/.af_worktrees/repo-k/k"; run afw commit k -m k
touch "$T/kills"
echo >"$T/asked"
run afw pr k
is "$code $(creates) $(state_of k pr)" '137 1 null' 'afw pr is killed'
rm "$T/kills"
exit_is 0 'again' afw pr k
is "$(creates) $(state_of k pr)" '1 https://example.org/repo/pull/9' \
	'it finds the pull request that was made'
like "$(<"$T/asked")" 'pr list --head af/k --base main ' 'by asking for it'
like "$out" 'https://example.org/repo/pull/9' 'and says so'
touch "$T/kills"
run afw pr k --new
rm "$T/kills"
echo 'pr_find_command = no-such-program' >"$ini"
refused 1 'may have made a pull request: .*no-such-program' \
	'it cannot be looked for' afw pr k
like "$err" 'hint: .*afw pr --new k' 'the hint says what to do'
rm "$ini" "$made"
exit_is 0 'a run that was killed too early' afw pr k --new
is "$(creates)" 3 'is made again'

# The user's own hook counts there, and refuses.
printf '#!/bin/sh\necho "not on fridays" >&2\nexit 1\n' >.git/hooks/pre-push
chmod +x .git/hooks/pre-push
echo z >>"$tree/x"; run afw commit x -m z
refused 1 'git push failed \(exit code 1\)' 'a push that is refused' afw pr x
rm .git/hooks/pre-push
printf 'pr_command = no-such-program {branch}\n' >"$ini"
refused 1 'no-such-program' 'a command that is not there' afw pr x --new
like "$err" 'hint: .*pr_command' 'is named'
printf 'pr_command =\nremote = other\n' >"$ini"
git remote rename origin other
exit_is 0 'no command' afw pr x
is "$(remote_tip)" "$(git rev-parse af/x)" 'is a push, to the remote that is configured'
run git checkout -q --detach
exit_is 0 'a session that was made from a commit' afw new y --no-start -- cat
refused 2 'made from no branch' 'says so' afw pr y
done_testing
