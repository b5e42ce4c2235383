#!/bin/bash
# afw commit runs the hooks that git commit would run, with the same input, in
# the session's worktree and sandbox.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README
cd "$T/repo" || exit 2
tip() { git rev-parse "${1:-af/x}"; }
subject() { git log -1 --format=%s "${1:-af/x}"; }
tree=$T/.af_worktrees/repo-x
hooks=$T/repo/.git/hooks
# hook NAME: its text is on standard input.
hook()
{
	mkdir -p "$hooks"
	{ echo '#!/bin/sh'; cat; } >"$hooks/$1"
	chmod +x "$hooks/$1"
}
# fails RE NAME CMD...: git's own words come first.
fails()
{
	local re=$1 name=$2
	shift 2
	run "$@"
	like "$code $out$err" "^1 .*$re" "$name"
}
no_hooks() { rm -rf "$T/repo/.git/hooks"; }
change() { echo "$RANDOM$RANDOM" >>"${1:-$tree}/README"; }

exit_is 0 'a session' afw new x --no-start -- cat

# --- what they get is what git gives ----------------------------------------------
# git's own, in a worktree of a clone.
for h in pre-commit prepare-commit-msg commit-msg post-commit; do
	hook "$h" <<'END'
{
	echo "$(basename "$0") $# ${1##*/} $2"
	[ "$PWD" = "$(git rev-parse --show-toplevel)" ] && echo top
	echo "$GIT_EDITOR|$GIT_PREFIX|$GIT_AUTHOR_NAME|$GIT_AUTHOR_EMAIL"
	[ "$(readlink /proc/self/fd/0)" = /dev/null ] && echo no input
	[ "$GIT_DIR" = "$(git rev-parse --absolute-git-dir)" ] && echo git-dir
	[ -f "$GIT_INDEX_FILE" ] && echo index
	git diff --cached --name-status
	git diff --name-status
	[ $# = 0 ] || cat "$1"
} >>"$OUT"
echo "$(basename "$0") speaks"
END
done
git clone -q "$T/repo" "$T/clone"
cp -r .git/hooks "$T/clone/.git/"
git -C "$T/clone" worktree add -q "$T/theirs"
for t in "$T/theirs" "$tree"; do
	echo more >>"$t/README"; echo new >"$t/new"
done
export OUT=$T/git.out
git -C "$T/theirs" add -A
git -C "$T/theirs" commit -qm 'all of it' >"$T/git.said" 2>&1
OUT=$T/afw.out
exit_is 0 'a commit' afw commit x -m 'all of it'
is "$(<"$T/afw.out")" "$(<"$T/git.out")" 'each hook gets what git gives it'
is "$err" "$(<"$T/git.said")" 'and what it prints is shown'
like "$out" 'af/x: [0-9a-f]+, 2 files.*  README.*  new' 'the files are printed'
is "$(git -C "$tree" status --short)" '' 'nothing is left'
rm -f "$T"/*.out
git -C "$T/theirs" commit -q --allow-empty --no-verify -m two >"$T/git.said" 2>&1
change
exit_is 0 '--no-verify' afw commit x --no-verify -m two
is "$err" "$(<"$T/git.said")" 'skips what git skips'
change
exit_is 0 '-n is the same' afw commit x -n -m two
is "$err" "$(<"$T/git.said")" 'as in git'
no_hooks

mkdir .git/hooks; echo 'echo "by a shell $#"' >.git/hooks/commit-msg
chmod +x .git/hooks/commit-msg
change
exit_is 0 'a hook without #!' afw commit x -m shell
is "$err" 'by a shell 1' 'is run by sh, as git runs it'
no_hooks

# --- a refusal ----------------------------------------------------------------------
hook pre-commit <<'END'
git diff --cached --name-only
printf 'no \033[31mthanks\033[0m\a\n\033[0m\n'
exit 3
END
change; echo staged >"$tree/staged"; git -C "$tree" add staged
old=$(tip) was=$(git -C "$tree" status --short)
run afw commit x -m no
is "$code|$out|$(tip)" "1||$old" 'pre-commit refuses, and nothing is committed'
like "$err" $'^README\nstaged\nno thanks\\?\n\nafw: commit .x.: git has failed \\(exit code 1\\): no thanks\\?\nhint: nothing is committed' \
	'it is printed, made safe, without its colours'
is "$(git -C "$tree" status --short)|$(ls .git/worktrees/repo-x | grep -c afw)" "$was|0" \
	'the index is as it was, and nothing is left'
refused_json=$(afw commit x --json -m no 2>&1 >/dev/null | tail -n 1)
like "$refused_json" '"error".*no thanks' 'as JSON, too'
exit_is 0 '--no-verify commits it' afw commit x --no-verify -m forced
is "$(subject)" forced 'with the message'
hook pre-commit <<'END'
head -c 2000000 /dev/zero | tr '\0' x
kill -KILL $$
END
change
run afw commit x -m no
like "${err: -600}" 'more output of git is not shown.*git has failed' 'much output is bounded'
[ "${#err}" -lt 400000 ]; ok $? 'to 256 KiB'
no_hooks

# --- what it changes ------------------------------------------------------------------
hook pre-commit <<'END'
echo fixed >"README"; git add README
echo made >made; git add made
echo unstaged >left
git rm -q --cached staged
echo later >later; git add -N later
END
exit_is 0 'a hook fixes files' afw commit x -m fixed --json
is "$(json files)|$(json files_committed)" '["README","made","staged"]|3' 'which are reported'
is "$(git show af/x:README)|$(git show af/x:made)" 'fixed|made' 'files that it has staged are committed'
is "$(git -C "$tree" status --short | tr '\n' ' ')" ' A later ?? left ?? staged ' 'what it has not, is not'
is "$(git fsck --strict 2>&1 | grep -v dangling)" '' 'the repository is whole'
hook pre-commit <<<'git commit -q --no-verify --allow-empty -m mine'
fails 'all of its work is committed' 'a hook that commits' env -u GIT_INDEX_FILE afw commit x -m no
no_hooks
hook prepare-commit-msg <<'END'
[ "$2" = message ] && sed -i '1s/^/[ABC-1] /' "$1"
END
hook commit-msg <<<'echo "Change-Id: 1" >>"$1"'
hook post-commit <<<'git log -1 --format=%s >>"$OUT"; exit 1'
rm -f "$OUT"
change
exit_is 0 'hooks change the message' afw commit x -m 'a thing'
is "$(git log -1 --format=%B af/x)" $'[ABC-1] a thing\nChange-Id: 1' 'it is theirs'
is "$(<"$OUT")" '[ABC-1] a thing Change-Id: 1' 'post-commit sees the commit'
hook commit-msg <<<'grep -q "^[A-Z]" "$1" || { echo bad message; exit 1; }'
hook prepare-commit-msg <<<'true'
change; old=$(tip)
refused 1 'git has failed .exit code 1.: bad message' 'commit-msg refuses' \
	bash -c 'afw commit x -m lower 2>&1 >/dev/null | sed 1d >&2; exit "${PIPESTATUS[0]}"'
is "$(tip)" "$old" 'and nothing is committed'
exit_is 0 'a good message' afw commit x -m Upper
no_hooks

# --- where they are -------------------------------------------------------------------
mkdir -p "$T/away"; printf '#!/bin/sh\necho away\nexit 1\n' >"$T/away/pre-commit"
chmod +x "$T/away/pre-commit"
git config core.hooksPath "$T/away"
change
refused_in() { run afw commit x -m no; is "$code|${err%%$'\n'*}" "1|$1" "$2"; }
refused_in away 'core.hooksPath, absolute'
git config core.hooksPath .husky/_
mkdir -p "$tree/.husky/_"; sed s/away/husky/ "$T/away/pre-commit" >"$tree/.husky/_/pre-commit"
chmod +x "$tree/.husky/_/pre-commit"
refused_in husky 'relative to the worktree'
chmod -x "$tree/.husky/_/pre-commit"
exit_is 0 'a hook that is not executable' afw commit x -m ignored
is "$err" "hint: The '.husky/_/pre-commit' hook was ignored because it's not set as executable.
hint: You can disable this warning with \`git config advice.ignoredHook false\`." "has git's advice"
git config advice.ignoredHook false
change
exit_is 0 'unless it is not wanted' afw commit x -m ignored
is "$err" '' 'as in git'
git config --unset core.hooksPath
printf '[core]\n\thooksPath = ~/hooks\n' >>"$GIT_CONFIG_GLOBAL"
ln -s "$T/away" "$HOME/hooks"
change
refused_in away "the user's own"
rm "$HOME/hooks"
exit_is 0 'a directory that is gone' afw commit x -m gone
sed -i '/core/d; /hooksPath/d' "$GIT_CONFIG_GLOBAL"

# --- the editor -------------------------------------------------------------------------
printf '#!/bin/sh\ncp "$1" "%s"\nsed -i "1s/\\$/ edited/" "$1"\n' "$T/shown" >"$T/editor"; chmod +x "$T/editor"
hook prepare-commit-msg <<<'sed -i "1s/^/ticket $# $GIT_EDITOR/" "$1"'
hook commit-msg <<<'grep -q "^#" "$1" && sed -i "1s/$/ checked/" "$1"'
change
tmux_run 100 24 env -u GIT_EDITOR EDITOR="$T/editor" afw commit x
waits_for tmux_dead 'the editor is done'
is "$(git log -1 --format=%B af/x)" 'ticket 1  edited checked' 'the hooks are before and after the editor'
like "$(<"$T/shown")" $'^ticket 1 \n# Please enter' 'which shows what is prepared'
tmux_stop
hook commit-msg <<<'exit 1'
change; kept=.git/worktrees/repo-x/COMMIT_EDITMSG
tmux_run 100 24 env EDITOR="$T/editor" afw commit x
waits_for tmux_dead 'a refusal after the editor'
like "$(<"$kept")" 'ticket' 'a message that was not used is kept'
tmux_stop
hook commit-msg <<<': >"$1"'
was=$(subject)
tmux_run 100 24 env EDITOR="$T/editor" afw commit x
waits_for tmux_dead 'a hook that empties the message'
is "$(subject)" "$was" 'commits nothing'
tmux_stop
no_hooks; hook commit-msg <<<': >"$1"'
fails 'git has failed .exit code 1.: Aborting commit due to empty commit message' 'and is told' afw commit x -m text
no_hooks

# --- a message that is no text -----------------------------------------------------------
old=$(tip)
hook commit-msg <<<'printf "one\0two" >"$1"'
fails 'NUL byte in commit log message' 'a hook that leaves a NUL' afw commit x -m text
is "$(tip)" "$old" 'and nothing is committed'
no_hooks
printf 'caf\xe9\n' >"$T/latin1"
exit_is 0 'a message in another encoding' afw commit x -F "$T/latin1"
like "$err" 'did not conform to UTF-8' "gets git's warning"
change

# --- it takes too long, or is interrupted --------------------------------------------------
mkdir -p "$XDG_CONFIG_HOME/afw"; printf 'check_timeout = 1s\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'a session with a deadline' afw new slow --no-start -- cat
hook pre-commit <<<'sleep 600 & echo $! >"$OUT"; sleep 600'
change "$T/.af_worktrees/repo-slow"; rm -f "$OUT"
refused 7 'git: was not done after 1 s' 'a hook that hangs' afw commit slow -m no
has_ended "$(cat "$OUT")"; ok $? 'is ended with what it started'
rm -f "$OUT" "$XDG_CONFIG_HOME/afw/afw.ini"
hook pre-commit <<<'setsid sleep 600 & echo $! >"$OUT"'
exit_is 0 'a hook that leaves a process' afw commit slow -m yes
has_ended "$(cat "$OUT")"; ok $? 'which is ended with it'
hook pre-commit <<<'sleep 600 & echo $! >"$OUT"; sleep 600'
rm -f "$OUT"; old=$(tip)
change
afw commit x -m no >"$T/out" 2>"$T/err" & pid=$!
waits_for '[ -s "$OUT" ]' 'a hook is under way'
kill -TERM "$pid"
ends_with 1 "$pid" 'it is interrupted'
has_ended "$(cat "$OUT")"; ok $? 'and ended'
is "$(tip)|$(grep -c interrupted "$T/err")" "$old|1" 'nothing is committed'
no_hooks

# --- in a sandbox ------------------------------------------------------------------------
if "$BUILD/afw-supervisor" confine | tail -1 | grep -q yes; then
	mkdir scripts; echo '#!/bin/sh
echo linked; git diff --cached --name-only; . "$(dirname "$0")/lib"
(echo outside >'"$T/outside"') 2>/dev/null
(echo outside >"${0%/*}/outside") 2>/dev/null && echo "wrote outside"
mkdir -p deep; echo fixed >deep/fixed; git add deep; git rm -q --cached gone
git write-tree >/dev/null' >scripts/hook
	chmod +x scripts/hook
	no_hooks; mkdir .git/hooks; ln -s ../../scripts/hook .git/hooks/pre-commit
	echo 'echo "the lib"' >.git/hooks/lib
	hook commit-msg <<<'echo "In: $(git rev-parse --abbrev-ref HEAD)" >>"$1"'
	hook post-commit <<<'git log -1 --format=%s'
	for how in running stopped; do
		s=s$how
		exit_is 0 "a session in a sandbox, $how" afw new $s --sandbox landlock -- cat
		stree=$T/.af_worktrees/repo-$s
		[ $how = running ] || afw stop $s >/dev/null
		change "$stree"; echo gone >"$stree/gone"
		exit_is 0 'its hooks are run' afw commit $s -m inside
		like "$err" $'linked\nREADME\ngone\nthe lib\ninside In: af/'$s 'in its sandbox'
		nok_cmd 'from which they cannot write' test -e "$T/outside" -o -e .git/hooks/outside
		is "$(git show af/$s:deep/fixed)|$(git log -1 --format=%B af/$s)" $'fixed|inside\nIn: af/'$s \
			'their changes are committed'
		is "$(git -C "$stree" status --short)" '?? gone' 'outside it is the same'
		afw exec $s -- git status --short >"$T/inside" 2>/dev/null
		is "$(<"$T/inside")" '?? gone' 'and inside'
	done
	is "$(git fsck --strict 2>&1 | grep -v dangling)" '' 'the repository is whole'
	no_hooks
	git config commit.template "$T/template"; echo 'Ticket 7' >"$T/template"
	hook prepare-commit-msg <<<'[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || sed -i "1s/$/ $2/" "$1"'
	printf '#!/bin/sh\n[ -t 0 ] && cp "$1" "%s"\necho edited >>"$1"\n' "$T/shown" >"$T/editor"
	change "$T/.af_worktrees/repo-srunning"
	tmux_run 100 24 env EDITOR="$T/editor" afw commit srunning
	waits_for tmux_dead 'the editor in a sandbox'
	like "$(<"$T/shown")" $'^Ticket 7 template\n.*#\tmodified:   README' 'is outside, after the hooks, which have no terminal'
	is "$(git log -1 --format=%B af/srunning)" $'Ticket 7 template\n\nedited' 'and its message is committed'
	no_hooks; change "$T/.af_worktrees/repo-srunning"; was=$(tip af/srunning)
	tmux_stop
	tmux_run 100 24 env EDITOR=true afw commit srunning
	waits_for tmux_dead 'a message that is not edited'
	is "$(tip af/srunning)" "$was" 'is not used'
	tmux_stop
	git config --unset commit.template
	# Files in the agent's git directory are data.
	own=$(session_dir srunning)/git
	no_hooks; hook pre-commit <<<'rm "$GIT_INDEX_FILE"; ln -s '"$T/index"' "$GIT_INDEX_FILE"'
	cp .git/index "$T/index"
	old=$(tip af/srunning); change "$T/.af_worktrees/repo-srunning"
	run afw commit srunning -m link
	is "$(cmp .git/index "$T/index" && git fsck --strict 2>&1 | grep -v dangling)" '' \
		'an index that is a link leads nowhere'
	rm -f "$own/index"; afw exec srunning -- git reset -q; old=$(tip af/srunning)
	change "$T/.af_worktrees/repo-srunning"
	hook pre-commit <<<'mkdir .hit; echo x >.hit/x; git add -f .hit/x; rm -r .hit
		perl -MDigest::SHA=sha1 -0777 -i -pe '"'s/\.hit/.git/; s/.{20}\z//s; \$_ .= sha1(\$_)'"' "$GIT_INDEX_FILE"'
	run afw commit srunning -m no
	is "$code|$(tip af/srunning)" "1|$old" 'a message file in .git, too'
	hook pre-commit <<<'echo junk >"$GIT_INDEX_FILE"'
	run afw commit srunning -m no
	is "$code|$(tip af/srunning)" "1|$old" 'and a broken one'
else
	skip 10 'no landlock here'
fi
done_testing
