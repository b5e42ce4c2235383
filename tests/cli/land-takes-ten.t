#!/bin/bash
# Ten sessions with no, one and five conflicts; what hostile ones try.
. "$(dirname "$0")/../lib.sh"
afw_env
export T DEMO_SPEED=50
mkdir -p "$XDG_CONFIG_HOME/afw" "$T/outside"
config=$XDG_CONFIG_HOME/afw/afw.ini
make_repo "$T/repo" README d/file
cd "$T/repo" || exit 2
seq 20 >lines && git add lines && git commit -qm lines
base=$(git rev-parse main)
tree() { echo "$T/.af_worktrees/repo-$1"; }
# session NAME 'shell commands' [OPTION...]: with one commit.
session()
{
	run afw new "$1" "${@:3}"
	[ "$code" = 0 ] || diag "new $1: $err"
	(cd "$(tree "$1")" && eval "$2" && git add -A && git commit -qm "work of $1")
}
idle() { wait_for "[[ \$(state_of $1 activity) =~ idle|completed ]]"; }
# It leaves something for the next one, but not in an agent's worktree.
# shellcheck disable=SC2016 # for the check
echo '! grep -q junk README || exit 1; case $PWD in *_land) echo junk >>README ;; esac' >"$T/check"
echo "check = sh $T/check" >"$config"

# The demo agent resolves a conflict by taking both sides.
for i in 1 2 3 4; do session "s$i" "echo $i >f$i; seq 5 >d/$i" --no-start -- cat; done
for i in 5 6 7 8 9 10; do session "s$i" "sed -i '3s/.*/by $i/' lines; echo $i >f$i" -a demo; done
for i in 5 6 7 8 9 10; do idle "s$i"; done
exit_is 0 'without a conflict' afw land -y s1 s2 s3 s4 s5
like "$out" '5 sessions, 5 checks passed' 'five of ten land'
exit_is 0 'one that conflicts' afw land -y s6
like "$out" 's6: it conflicts with main: asked its agent.*s6: merged into main' 'lands'
git reset -q --keep "$base"
exit_is 0 'ten, of which five conflict' afw land -y
like "$out" '10 sessions, 10 checks passed' 'all land'
is "$(grep -c 'asked its agent' <<<"$out")" 4 'after the four others were asked'
is "$(cat f* | sort -n | tr '\n' ' ')$(grep -c by lines)" '1 2 3 4 5 6 7 8 9 10 6' 'with the work of all'
is "$(afw ls -o name,changes | grep -c merged)" 10 'lists show all as merged at once, also those that run'
is "$(git status --short; cat README)" 'this is README' 'what the checks left is nowhere'

# --- --review ----------------------------------------------------------------------
session r1 "sed -i '9s/.*/one/' lines" --no-start -- cat
session r2 "sed -i '9s/.*/two/' lines" -a demo
idle r2
tmux_start 100 40 sh -c "afw land --review -y r1 r2; echo ended: \$?; read -r _"
tmux_wait_for 'Land it so?'
like "$(tmux_screen)" '\+one' '--review shows what the agent has made of it'
tmux_type n
tmux_keys Enter
tmux_wait_for 'ended: 4'
like "$(tmux_screen)" 'r2: left out: you did not take' 'and asks'
tmux_stop
tmux_start 100 40 sh -c "trap : INT; afw land --review -y r2; echo ended: \$?; read -r _"
tmux_wait_for 'Land it so?'
tmux_keys C-c
tmux_wait_for 'ended: 130'
tmux_stop
for answer in n y; do
	tmux_start 100 40 sh -c "afw land --review -y r2; echo ended: \$?; read -r _"
	tmux_wait_for 'Land it so?'
	like "$(tmux_screen)" '\+one' "the next run asks again, for $answer"
	tmux_type $answer
	tmux_keys Enter
	tmux_wait_for 'ended: '
	screen=$(tmux_screen)
	tmux_stop
	[ $answer = y ] || like "$screen" 'r2: left out: you did not take.*main is where it was.*ended: 4' 'and it is left out again'
done
like "$screen" 'r2: merged into main.*ended: 0' 'what is taken lands'
echo more >>"$(tree r2)/more" && git -C "$(tree r2)" add -A && git -C "$(tree r2)" commit -qm more
exit_is 0 'later work' afw land --review -y r2
like "$out" 'r2: merged' 'lands without a question'

# --- what a check leaves for the next one --------------------------------------------
before=$(git rev-parse main)
# shellcheck disable=SC2016 # for the check
cat >"$T/check" <<'CHECK'
test ! -e evil || {
	rm -rf d README lines && ln -s "$T/outside" d && ln -s "$T/outside/README" README && mkdir lines
	ln -s "$T/outside/later" later && ln -s "$T/outside" links
	mkdir -p new/deep && echo x >new/deep/file && git init -q nested
	printf '[core]\n\thooksPath = %s\n' "$T/hooks" >>.git 2>/dev/null
	exit 0
}
test "$(cat d/file README)" = "this is d/file
this is README" && test -f lines && test ! -e new && test -e good
CHECK
echo "check = sh $T/check" >"$config"
printf 'later\nlinks\n' >.git/info/exclude
session evil 'echo >evil' --no-start -- cat
# git ignores these links, so that they stay until they are in the way.
session good 'echo >good; echo >d/more; echo >later; mkdir links; echo >links/file; git add -f later links' --no-start -- cat
sed -i 's/test ! -e evil/test -e good || test ! -e evil/' "$T/check"
exit_is 0 'a check that replaces files and directories by links' afw land -y evil good
is "$(ls "$T/outside")" '' 'writes nothing elsewhere'
like "$out" 'good: merged into main \(merge\), check passed' 'and the next one sees its own commit alone'
is "$(git diff --stat "$before" main | tail -1)" ' 5 files changed, 5 insertions(+)' 'what lands is the commits'
is "$(git worktree list | grep -c _land)" 0 'nothing is left'
done_testing
