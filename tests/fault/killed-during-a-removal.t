#!/bin/bash
# SIGKILL right before every write of rm, trash restore, trash purge and
# reconcile --apply: no work is lost, the session is in one place, and the next
# command finishes the work.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/kill.sh"
afw_env
kill_world README a b
cat >"$T/work" <<'END'
cd "$1" || exit
git commit -q --allow-empty -m 'only here'
echo changed >README
echo staged >a
git add a
echo again >a
mkdir -p d/e
echo deep >d/e/f
END
# Every file of work, in the worktree or in the trash, and the commit.
kept()
{
	local at=$W/repo-one
	[ -e "$at" ] || at=$(echo "$W"/.trash/*)
	[ "$(cat "$at/README" "$at/a" "$at/d/e/f" 2>&1)" = \
		$'changed\nagain\ndeep' ] || echo 'the files'
	git log --all --format=%s | grep -qx 'only here' || echo 'the commit'
	[ "$(afw ls -q 2>/dev/null | grep -c '^one$')$(afw trash ls |
		grep -c '^one ')" != 00 ] || echo 'the session'
}
gone() { ! afw status one >/dev/null 2>&1; }
new='afw new one -- cat && afw stop one &&
	git config branch.af/one.remote origin'
dirty="$new"' && bash "$T/../work" "$W/repo-one"' 

AGAIN='! afw ls -q | grep -qx one || afw rm one'
kill_each afw-worktree 'afw rm one' gone 'afw trash restore one' "$dirty"
kill_each afw 'afw rm one' gone 'afw trash restore one' "$dirty"
AGAIN='! afw ls -q | grep -qx one || afw rm -D one'
kill_each afw-worktree 'afw rm -D one' gone 'afw trash restore one' "$dirty"
AGAIN='! afw trash ls | grep -q ^one || afw trash restore one'
kill_each afw-worktree 'afw trash restore one' '! gone' 'afw rm one' \
	"$dirty && afw rm one"
kill_each afw 'afw trash restore one' '! gone' 'afw rm one' \
	"$dirty && afw rm one"

kept() { :; }
# What is gone may have left files that still are to be deleted.
AGAIN='if afw ls -q | grep -qx one; then afw rm one; else afw reconcile --apply; fi'
kill_each afw-worktree 'afw rm one' gone "$new" "$new"
kill_each afw 'afw rm one' gone "$new" "$new"
AGAIN='if afw trash ls | grep -q ^one; then afw trash purge --yes
	else afw reconcile --apply; fi'
kill_each afw-worktree 'afw trash purge --yes' gone "$new && afw rm -t one" \
	"$new && afw rm -t one"
kill_each afw 'afw trash purge --yes' gone "$new && afw rm -t one" \
	"$new && afw rm -t one"

# What reconcile mends, all of it at once.
cat >"$T/mess" <<'END'
afw start one >/dev/null || exit
kill -KILL $(afw status one --json | "$BUILD/tests/tools/jsonget" supervisor_pid)
until afw status one | grep -q lost:; do read -r -t 0.03 <> <(:) || :; done
id=$(afw status one --json | "$BUILD/tests/tools/jsonget" id)
data=$XDG_DATA_HOME/afw other=${id//[0-9]/a} books=$R/repo/.git/worktrees
mkdir -p "$W/.purged-$other/d" "$data/sessions/.new-$other" \
	"$data/trash/.old-$other/home/x" "$books/.afw-0123456789abcdef" \
	"$books/repo-half" "$W/repo-half/d"
echo {} | tee "$W/.purged-$other/d/f" "$W/repo-half/d/f" \
	"$data/sessions/.new-$other/spec.json" "$books/repo-half/HEAD" \
	"$data/trash/.old-$other/home/x/f" >"$books/.afw-0123456789abcdef/HEAD"
printf '{"afw":"x","ref":"refs/heads/af/half","commit":"%s","worktree":"%s","has_tree":true,"has_ref":true,"ino":"%s"}' \
	"$(git rev-parse main)" "$W/repo-half" "$(stat -c %i "$W/repo-half")" \
	>"$books/repo-half/locked"
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => shift, Listen => 1)' \
	"$XDG_RUNTIME_DIR/afw/$other.tmux"
git branch -q af/half main
END
mess='bash "$T/../mess"'
kept() { [ -f "$W/repo-one/README" ] || echo 'the worktree'; }
AGAIN=
for program in afw afw-worktree; do
	kill_each $program 'afw reconcile --apply' \
		in_order "$mess" "$new && $mess"
done
done_testing
