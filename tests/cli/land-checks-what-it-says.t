#!/bin/bash
# afw land: each session is checked by its own check, in its own place, with
# nothing left of the last; and only the branch that was meant moves.
. "$(dirname "$0")/../lib.sh"
afw_env
mkdir -p "$XDG_CONFIG_HOME/afw"
ini=$XDG_CONFIG_HOME/afw/afw.ini
make_repo "$T/repo" README
cd "$T/repo" || exit 2
mkdir web api
touch web/x api/x
git add -A
git commit -qm base
tree() { echo "$T/.af_worktrees/repo-$1"; }
# session NAME COMMAND [OPTION...]: one that has ended, and has committed that.
session()
{
	exit_is 0 "a session" afw new "$1" "${@:3}" -- true
	exit_is 0 'ends' afw wait "$1" --for stopped -t 30s
	(cd "$(tree "$1")" && eval "$2" && git add -A && git commit -qm "work of $1")
}

# -- the place of the check
printf 'check = sh -c "! test -e bad"\n' >"$ini"
session w 'echo 1 >web/bad' -o subdir=web
session a 'echo 1 >api/y' -o subdir=api
exit_is 4 'two with subdirs' afw land --yes w a
like "$out" 'w: left out: the check of the result exited with code 1' \
	'each is checked in its own'
like "$out" 'a: merged into main .*check passed' 'the good one lands'
session b 'echo 1 >api/z' -o subdir=api
exit_is 4 'the same in a batch' afw land --yes --batch w b
like "$out" 'w: left out: the check' 'has the same result'
exit_is 0 'rm' afw rm w a b

# -- what a check leaves
printf 'check = sh -c "test ! -e n && git init -q n && touch n/x"\n' >"$ini"
session one 'echo 1 >one'
session two 'echo 1 >two'
exit_is 0 'a check that leaves a repository' afw land --yes one two
is "$(grep -c 'check passed' <<<"$out")" 2 'leaves nothing for the next'
exit_is 0 'rm' afw rm one two

# -- the branch
: >"$ini"
session base 'echo 1 >base'
session next 'echo 1 >next' --base af/base
was=$(git rev-parse af/base)
exit_is 2 'a session that continues another, alone' afw land --yes next
like "$err" 'into which branch\? --into BRANCH' 'has no branch to land in'
is "$(git rev-parse af/base)" "$was" "the other's does not move"
exit_is 0 'both' afw land --yes
is "$(git show main:base main:next)" $'1\n1' 'land in main'
exit_is 0 'rm' afw rm base next

# -- a check that would not run
mkdir .af
echo 'check = sh -c "! test -e bad"' >.af/afw.ini
git add -A
git commit -qm .af
exit_is 0 'trust' afw trust --yes
session evil 'echo "# nicer" >>.af/afw.ini'
session bad 'echo 1 >bad'
exit_is 0 'a session that changes a comment of .af' afw land --yes evil
refused 9 'afw.ini is not trusted, or was changed since: its check would not run' \
	'leaves no session unchecked' afw land --yes bad
nok_cmd 'the bad one is not merged' git cat-file -e main:bad
exit_is 0 'after another look' afw trust --yes
exit_is 4 'it is checked' afw land --yes bad
exit_is 0 'rm' afw rm bad evil

# -- removed while it is waited for
export DEMO_SPEED=50
for name in p q; do
	exit_is 0 'an agent' afw new $name -a demo
	waits_for '[[ $(state_of '$name' activity) =~ idle|completed ]]' 'is ready'
	(cd "$(tree $name)" && echo 1 >$name && git add -A && git commit -qm $name)
	exit_is 0 'works' afw send $name "[[until $T/$name.go]]"
	waits_for '[ "$(state_of '$name' activity)" = working ]' 'as is seen'
done
afw land -y --wait >"$T/landed" 2>&1 &
landing=$!
wait_for 'grep -qs inotify /proc/$landing/fdinfo/*'
exit_is 0 'one is removed' afw rm --stop p
touch "$T/q.go"
wait "$landing"
code=$?
# It was stopped before: then it was in the plan.
like "$code $(<"$T/landed")" \
	"^(0 |4 .*'p' was removed meanwhile|4 .*p: left out: the worktree .* is gone)" \
	'the rest lands, or it is said'
[ "$code" = 0 ] || exit_is 0 'then it lands' afw land -y
ok_cmd 'in main' git cat-file -e main:q
exit_is 0 'rm' afw rm -s q

# -- in a hook of git, which has an index of its own
printf '#!/bin/sh\nexec afw new changed --with-changes -- true\n' >"$T/hook"
chmod +x "$T/hook"
cp "$T/hook" .git/hooks/pre-commit
echo more >>README
echo 1 >untracked
git add README
echo most >>README
before=$(git diff --cached | sha1sum)
exit_is 0 'with-changes in a hook' git -c core.hooksPath=.git/hooks commit -qm x
is "$(git show --stat --format= HEAD | grep -c untracked)" 0 \
	'adds nothing to the commit'
is "$(git status --porcelain)" $' M README\n?? untracked' 'or to the index'
done_testing
