#!/bin/bash
# A session in a sandbox commits in a git directory of its own; every command
# that reads its branch imports the commits first.
. "$(dirname "$0")/../lib.sh"
afw_env
needs_landlock
make_repo "$T/repo" README
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new x --sandbox landlock -- cat
tree=$T/.af_worktrees/repo-x
dir=$(session_dir x)
own=$dir/git
# inside CMD...: as the agent would.
inside() { afw exec x -- bash -c "$1" >"$T/inside" 2>&1 || diag "$(cat "$T/inside")"; }
tip() { git rev-parse "${1:-af/x}"; }
own_tip() { git -C "$own" rev-parse "${1:-af/x}"; }

like "$(<"$tree/.git")" "$T/repo/.git/worktrees" 'outside, .git is as ever'
inside 'cat .git; git status --short; git log --format=%an'
is "$(<"$T/inside")" "gitdir: $own"$'\nTest' \
	'inside, git has its own directory and is clean'

inside 'echo new >new; git add new; git commit -qm inside'
exit_is 0 'diff' afw diff x
like "$out" '\+new' 'shows what was committed'
is "$(tip)" "$(own_tip)" 'and the branch is home'
is "$(git log -1 --format='%an %s' af/x)" 'Test inside' 'by the user who commits here'
is "$(git -C "$tree" status --short)" '' 'git, asked outside, sees it clean'
is "$(git fsck --strict 2>&1 | grep -v dangling)" '' 'the repository is whole'

# The supervisor does so by itself.
inside 'echo more >new; git commit -qam more'
waits_for '[ "$(tip)" = "$(own_tip)" ]' 'a commit is imported without a command'
waits_for '[ "$(state_of x ahead)" = 2 ]' 'and is counted'

inside 'git commit -q --amend -m amended; echo y >untracked
	git checkout -qb side; git commit -q --allow-empty -m side
	git checkout -q af/x; git merge -q side; git gc -q --prune=now; git pack-refs --all'
exit_is 0 'amended, merged, packed' afw diff x
is "$(tip)" "$(own_tip)" 'is home'
is "$(git -C "$tree" status --short)" '?? untracked' 'and the rest untracked'
inside 'mkdir many; for i in {1..2000}; do echo $i >many/$i; done
	git add -A; git commit -qm many'
exit_is 0 'two thousand files' afw diff --stat x
is "$(tip)" "$(own_tip)" 'are home'
# It is copied often below.
inside 'git repack -adq'
is "$(git fsck --strict 2>&1 | grep -v dangling)" '' 'the repository is whole'

# It resets the branch and commits again: the branch was not moved here.
inside 'git reset -q --hard HEAD~1'
exit_is 0 'a branch that goes back' afw diff --stat x
is "$(tip)" "$(own_tip)" 'is followed'
inside 'git commit -q --allow-empty -m way'
exit_is 0 'and continues' afw diff --stat x
is "$(tip) $err" "$(own_tip) " 'is followed as well'

# Moved here meanwhile: neither is lost.
kept=$(git commit-tree -m here -p "$(tip)" "$(tip)^{tree}")
git update-ref refs/heads/af/x "$kept"
for _ in {1..9}; do # the supervisor may be told first
	inside 'git commit -q --allow-empty -m there'
	run afw diff --stat x
	[ -z "$err" ] || break
done
is "$code" 0 'both have moved'
like "$err" 'was moved here meanwhile' 'which is reported'
is "$(tip)" "$kept" 'the branch stays where it was put'
is "$(tip refs/afw/repo-x)" "$(own_tip)" 'its commits are kept beside it'
git update-ref refs/heads/af/x "$(own_tip)"

# Its branch has another name: nothing is lost, and it is reported.
inside 'git branch -m renamed; git commit -q --allow-empty -m renamed'
exit_is 0 'a branch that is renamed' afw diff --stat x
like "$err" 'has no branch af/x any more' 'is reported'
inside 'git branch -m af/x'
exit_is 0 'and named as it was' afw diff --stat x
is "$(tip)" "$(own_tip)" 'is home'
# Many commands at once: it is imported once, and no command fails.
inside 'git commit -q --allow-empty -m together'
for i in 1 2 3 4 5 6; do afw diff --stat x >"$T/null" 2>"$T/look$i" & done
wait $(jobs -p | tail -6)
is "$(cat "$T"/look?)" '' 'six commands that read at once'
is "$(tip)" "$(own_tip)" 'see it at home'

# Nothing of its own is run or followed.
cp "$own/config" "$T/config.own"
inside "printf '#!/bin/sh\ntouch %s\n' '$tree/ran' >ran.sh; chmod +x ran.sh
	for hook in post-commit reference-transaction post-update pre-receive; do
		mkdir -p '$own/hooks'; cp ran.sh '$own/hooks/'\$hook; done
	git config core.fsmonitor '$tree/ran.sh'
	git config filter.x.clean '$tree/ran.sh'; git config core.hooksPath '$tree'
	echo '* filter=x' >'$own/info/attributes'; git config include.path /dev/zero"
exit_is 0 'hooks and filters of its own' afw status x
exit_is 0 'diff' afw diff --stat x
nok_cmd 'are not run' test -e "$tree/ran"
cp "$T/config.own" "$own/config"
inside 'rm ran.sh'

# Nor does git, asked outside, ask a repository of its own in the worktree.
inside "git init -q nested; cd nested; git config user.name a
	git config user.email a; git commit -q --allow-empty -m nested
	printf '#!/bin/sh\ntouch %s\n' '$T/ran' >.git/x; chmod +x .git/x
	git config core.fsmonitor \$PWD/.git/x
	cd ..; git add nested 2>/dev/null; git commit -qm nested"
exit_is 0 'a repository in it' afw diff --stat x
is "$(tip)" "$(own_tip)" 'is home'
git -C "$tree" status --short >"$T/null" 2>&1
git -C "$tree" diff HEAD >"$T/null" 2>&1
nok_cmd 'and is not asked by git' test -e "$T/ran"
inside 'git rm -qrf --cached nested; rm -rf nested; git commit -qm gone'

# The user's commit has what it has staged.
inside 'rm -rf ran untracked "$(git rev-parse --git-dir)/hooks"; mkdir d; for i in 1 2 3; do echo $i >d/$i; done; echo secret >.env
	printf "*.o\n.env\n" >.gitignore; git add -A; git add -f .env; git commit -qm d
	git rm -q --cached .env; echo o >forced.o; git add -f forced.o; echo more >>README
	echo gone >staged; git add staged; rm staged; git mv d/1 moved'
exit_is 0 'what it has staged' afw commit x -m staged
like "$out" ', 5 files.*  .env.*  README.*  d/1.*  forced.o.*  moved' 'is shown'
is "$(git show --no-renames --name-status --format= af/x | tr '\t\n' ' ;')" \
	'D .env;M README;D d/1;A forced.o;A moved;' 'and committed'
is "$(tip)|$(git -C "$tree" status --short)" "$(own_tip)|" 'outside, git is clean'
inside 'git status --short; cat .env'
is "$(<"$T/inside")" secret 'and inside'

# index CODE NAME PERL: what the script makes of its index harms nothing outside,
# and is not committed unless git in the sandbox does so (CODE is 0).
index()
{
	inside 'echo "$RANDOM" >README; mkdir zzzz; echo s >zzzz/s; git add zzzz; git write-tree >zzzz/tree; rm -r zzzz'
	perl -MDigest::SHA=sha1 -0777 -i.kept -pe "$3; s/.{20}\z//s; \$_ .= sha1(\$_)" "$own/index"
	nok_cmd "$2" cmp -s "$own/index" "$own/index.kept"
	run timeout 60 afw commit x -m hostile
	mv "$own/index.kept" "$own/index"
	inside 'git reset -q --hard HEAD'
	is "$code|$(tip)|$(git fsck --strict 2>&1 | grep -v dangling)" "$1|$(own_tip)|" 'leaves the repository whole'
	[ "$1" = 0 ] || is "$(git ls-tree -r --name-only af/x | tr '\n' ' ')" \
		'.gitignore README d/2 d/3 forced.o moved new ' 'and is not committed'
}
echo outside >"$tree/../z"
index 1 'a staged file in .git' 's!zzzz/s!.git/s!'
index 1 'a staged file above' 's!zzzz/s!./../z!'
index 0 'the tree of another directory' '($a, $b) = map { pack "H*", $_ }
	qw('"$(tip af/x:d) $(tip 'af/x^{tree}'))"'; s/\Q$a/$b/'

mv "$own/index" "$own/kept"; echo "$RANDOM" >"$tree/README"
for how in 'mkfifo' 'ln -s kept' 'cp /dev/null' 'ln -s /dev/zero'; do
	$how "$own/index"
	refused 1 'read the index of .*git.index' "an index made by $how" timeout 60 afw commit x -m no
	rm "$own/index"
done
mv "$own/kept" "$own/index"; inside 'git reset -q --hard'

# broken HOW CMD: its change there is reported, and the old state stays.
broken()
{
	local before
	before=$(tip)
	cp -a "$own" "$T/own"
	(cd "$own" && eval "$2")
	refused 1 'import its commits' "$1: is told" \
		timeout 60 afw diff --stat x
	like "$err" 'hint: .*afw exec NAME -- git log.*in its sandbox' "$1: look at it inside"
	is "$(tip)" "$before" "$1: the branch stays"
	rm -rf "$own" && mv "$T/own" "$own"
}
# Stopped, and not by afw exec, which counts what it has changed: nobody else
# looks meanwhile.
exit_is 0 'stop' afw stop x
git_there() { git --git-dir="$own" --work-tree="$tree" "$@"; }
git_there commit -q --allow-empty -m next
echo z >"$tree/z"
(cd "$tree" && git_there add z && git_there commit -qm last)
new=$(own_tip)
object=objects/${new:0:2}/${new:2}
broken 'an object that is not a commit' "chmod +w $object; echo x >$object"
broken 'a commit that is missing' "rm -f $object"
broken 'a FIFO for an object' "rm -f $object; mkfifo $object"
broken 'a FIFO for a branch' 'rm refs/heads/af/x; mkfifo refs/heads/af/x'
broken 'a branch that leads nowhere' \
	'printf %040d 7 >refs/heads/af/x'
broken 'a tree in the place of a commit' \
	'of=$(git --git-dir=. rev-parse "af/x^{tree}"); echo "$of" >refs/heads/af/x'
evil()
{
	local tree
	tree=$({ printf '100644 %s\0' "$1"
		git --git-dir=. hash-object -w --stdin <<<x |
			perl -ne 'print pack("H40", $_)'; } |
		git --git-dir=. hash-object -t tree -w --literally --stdin)
	tree=$(git --git-dir=. commit-tree -m evil -p af/x "$tree")
	echo "$tree" >refs/heads/af/x
}
broken 'a file called .git' 'evil .git'
broken 'a file called ..' 'evil ..'
exit_is 0 'mended' afw diff --stat x
is "$(tip)" "$new" 'it is home'

# Alternates of its own lead nowhere.
make_repo "$T/other" secret
other=$(git -C "$T/other" rev-parse HEAD)
broken 'objects of another repository' \
	"echo '$T/other/.git/objects' >objects/info/alternates
	 echo $other >refs/heads/af/x"
broken 'objects that are those of another repository' \
	"rm -r objects; ln -s '$T/other/.git/objects' objects
	 echo $other >refs/heads/af/x"
git -C "$T/other" repack -adq
broken 'packs that are those of another repository' \
	"rm -r objects/pack; ln -s '$T/other/.git/objects/pack' objects/pack
	 echo $other >refs/heads/af/x"

# Commits that were not imported keep it in the trash.
inside 'git stash -uq; git checkout -q --detach; git commit -q --allow-empty -m detached'
exit_is 0 'rm' afw rm x
git update-ref refs/heads/kept "$new"
exit_is 0 'trash' afw trash ls
like "$out" 'x' 'a detached commit keeps it in the trash'
exit_is 0 'and it is restored' afw trash restore x
inside 'git log -1 --format=%s'
is "$(tail -1 "$T/inside")" detached 'with its commits'

# As without a sandbox, what a branch once was counts.
exit_is 0 'a session that commits and undoes it' \
	afw new back --sandbox landlock -- cat
exit_is 0 'a session that changes how its references are stored' \
	afw new format --sandbox landlock -- cat
exit_is 0 'and a session that does nothing' afw new idle --sandbox landlock -- cat
rm -rf "$(session_dir format)"/git/{refs/heads,packed-refs,logs}
afw exec back -- bash -c \
	'git commit -q --allow-empty -m gone; git reset -q --hard HEAD~1'
exit_is 0 'rm' afw rm -s back
exit_is 0 'rm' afw rm -s format
exit_is 0 'rm' afw rm -s idle
waits_for '! afw trash ls | grep -q idle' 'the one is deleted'
exit_is 0 'trash' afw trash ls
like "$out" 'back' 'the other is kept'
like "$out" 'format' 'and so is a change that cannot be read'

exit_is 0 'a session that was never started' \
	afw new never --no-start --sandbox landlock -- cat
echo mine >>"$T/.af_worktrees/repo-never/README"
refused 1 'never started.*git -C .* add' 'is committed by git' \
	afw commit never -m mine
exit_is 0 'as the hint says' bash -c \
	"git -C $T/.af_worktrees/repo-never add -A && git -C $T/.af_worktrees/repo-never commit -qm mine"
done_testing
