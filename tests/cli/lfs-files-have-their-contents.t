#!/bin/bash
# Files of git LFS: a worktree has their contents if this machine has them, and
# else their pointers, as new and merge then say; an object that is not what
# the pointer says is not used. Needs no git-lfs: it is not run.
. "$(dirname "$0")/../lib.sh"
afw_env
cp "$GIT_CONFIG_GLOBAL" "$T/plain"
git config --global filter.lfs.process "touch $T/ran; false"
git config --global filter.lfs.clean "touch $T/ran; false"
git config --global filter.lfs.smudge "touch $T/ran; false"
git config --global filter.lfs.required true
# A git for the test itself, which makes pointers, and checks none out.
cat >"$T/clean" <<'EOF'
#!/bin/sh
cat >"$0.in"
! grep -q ^version "$0.in" || exec cat "$0.in"
echo version https://git-lfs.github.com/spec/v1
echo "oid sha256:$(sha256sum <"$0.in" | cut -c1-64)"
echo "size $(wc -c <"$0.in")"
EOF
chmod +x "$T/clean"
printf '[filter "lfs"]\n\tclean = %s\n' "$T/clean" >>"$T/plain"
plain() { GIT_CONFIG_GLOBAL=$T/plain git "$@"; }

# object TEXT: puts it into the store; its pointer is in $pointer.
object()
{
	local id
	id=$(printf %s "$1" | sha256sum)
	id=${id%% *} store=$T/repo/.git/lfs/objects/${id:0:2}/${id:2:2}/$id
	mkdir -p "${store%/*}" && printf '%s' "$1" >"$store"
	printf -v pointer 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n' "$id" ${#1}
}
# has NAME FILE: what it has in the worktree of a session.
has() { cat "$T/.af_worktrees/repo-$1/$2"; echo .; }

git init -q "$T/repo" && cd "$T/repo" || exit 2
echo '*.bin filter=lfs diff=lfs merge=lfs -text' >.gitattributes
declare -A at
for f in good missing broken short linked; do
	object "the contents of $f"
	at[$f]=$store
	printf %s "$pointer" >$f.bin
done
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:../../../../../../etc/passwd\nsize 9\n' >hostile.bin
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 99999999999999999999\n' 1 >big.bin
printf 'not a pointer' >raw.bin
: >empty.bin
plain add -A && plain commit -qm first
printf 'the contents of good' >good.bin && plain add good.bin
rm "${at[missing]}"
printf 'THE contents of broken' >"${at[broken]}"
printf 'the' >"${at[short]}"
ln -sf /etc/passwd "${at[linked]}"

exit_is 0 'new' afw new one --no-start -- cat
is "$(has one good.bin)" 'the contents of good.' 'a file has its contents'
for f in missing broken short linked hostile big; do
	is "$(has one $f.bin)" "$(cat $f.bin; echo .)" "$f: its pointer is left"
done
is "$(has one raw.bin)$(has one empty.bin)" 'not a pointer..' 'what is not in git LFS is as it is'
like "$err" '6 files of git LFS left as pointers; run `git lfs pull` there' 'and the others are counted'
exit_is 0 'no file counts as changed' afw merge -n one
rm -f "$T/.af_worktrees/repo-one/good.bin" && printf 'the contents of good' >"$T/.af_worktrees/repo-one/good.bin"
exit_is 0 'nor one that was written again' afw merge -n one
printf more >>"$T/.af_worktrees/repo-one/good.bin"
exit_is 4 'but one that was changed' afw merge -n one
like "$out" '^files:.  good.bin$' 'alone'
exit_is 0 'fetch -u' afw fetch -u one
is "$(git show refs/afw/work/af/one:good.bin)" 'the contents of goodmore' 'has it as it is'
is "$(ls "$T/ran" 2>&1 | grep -c 'No such')" 1 'git-lfs is not run'

# -- merge -----------------------------------------------------------------------
# The main worktree has the contents, as after git lfs pull.
printf 'the contents of good' >good.bin
exit_is 0 'new' afw new two --no-start -- cat
tree=$T/.af_worktrees/repo-two
(
	cd "$tree" || exit
	object 'other contents' && printf %s 'other contents' >good.bin
	object 'contents of a new file' && printf %s 'contents of a new file' >new.bin
	object 'contents that are nowhere' && printf %s "$pointer" >gone.bin && rm "$store"
	plain add good.bin new.bin gone.bin && plain commit -qm two
) || diag 'no commit'
exit_is 0 'merge' afw merge two
is "$(cat good.bin new.bin)" 'other contentscontents of a new file' 'the main worktree has the contents'
is "$(cat gone.bin; echo .)" "$(git show HEAD:gone.bin; echo .)" 'or the pointer'
like "$err" "1 file of git LFS left as pointers; run .git -C $T/repo lfs pull" 'and merge says so'
is "$(plain diff-files --name-only -- good.bin new.bin gone.bin)" '' 'the index has their stat'
printf 'mine' >good.bin
(cd "$tree" && printf 'third contents' >good.bin && plain add good.bin && plain commit -qm three)
exit_is 4 'a file that the user has changed' afw merge two
is "$(cat good.bin)" mine 'stays'
is "$(ls "$T/ran" 2>&1 | grep -c 'No such')" 1 'git-lfs is not run'

# -- a user without git LFS -----------------------------------------------------------
git config --global --remove-section filter.lfs
exit_is 0 'new without git LFS' afw new plain --no-start -- cat
is "$(has plain good.bin)" "$(git show HEAD:good.bin; echo .)" 'has pointers, as git'
like "$err" 'files of git LFS left as pointers' 'and says so'
done_testing
