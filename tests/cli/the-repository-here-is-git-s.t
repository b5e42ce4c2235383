#!/bin/bash
# afw-worktree, which makes the worktrees, decides which repository a command is
# about, however git's configuration is written.
. "$(dirname "$0")/../lib.sh"
afw_env
mkdir "$T/w" "$T/w x" "$T/other" "$T/apart"
for w in w 'w x'; do
	echo "gitdir: ../r/.git" >"$T/$w/.git"
done
printf '[core]\n\tworktree = ../../w\n' >"$T/more"

git init -q --separate-git-dir "$T/apart/.git" "$T/far"

# fresh: the repository $T/r
fresh()
{
	rm -rf "$T/r"
	cp -r "$T/plain" "$T/r"
}
git init -q "$T/plain"
mkdir "$T/plain/sub"

# here DIR: by a command that asks before it trusts it; none: it fails.
here()
{
	cd "$1" || exit 2
	afw trust </dev/null 2>&1 |
		sed -n 's/^afw: trust \(.*\): there is no terminal to ask on$/\1/p'
}

# same WHAT DIR WANT: DIR is in WANT, and afw-worktree agrees.
same()
{
	is "$(here "$2")" "$3" "$1: the command's"
	is "$(printf '{"op":"discover","path":"%s"}\n' "$2" |
		"$BUILD/afw-worktree" | sed -n 's/.*"repository":"\([^"]*\)".*/\1/p')" \
		"$3" "$1: the one that gets worktrees"
}

# written WHAT CONFIG [WANT]
written()
{
	fresh
	printf "$2" >"$T/r/.git/config"
	same "$1" "$T/r/sub" "$T/${3-r}"
}

c='[core]\n\tbare = false\n'
written 'as git init does' "$c"
written 'nothing' ''
written 'an empty value' '[core]\n\tbare =\n'
written 'a key alone' '[core]\n\tbare\n' r/.git
written 'a number' '[core]\n\tbare = 2\n' r/.git
written 'a quoted path' "$c"'\tworktree = "../../w x" ; there\n' 'w x'
written 'a worktree that does not lead back' "$c"'\tworktree = ../../other\n' \
	r/.git
written 'a worktree that leads elsewhere' "$c"'\tworktree = ../../far\n' r/.git
written 'a continued line' "$c"'\tworktree = ../..\\\n/w\n' w
written 'a line of another key' "$c"'\teditor = vi \\\nbare = true\n'
written 'a line of another section' "$c"'[a]\n\tb = c \\\n[core] bare = true\n'
written 'a byte order mark' '\xef\xbb\xbf[core]\n\tbare = true\n' r/.git
written 'an include' "${c}[include]\n\tpath = $T/more\n" w
written 'an include with a condition' \
	"${c}[IncludeIf \"gitdir:$T/\"]\n\tpath = $T/more\n" w
written 'an include after a section' "${c}[a][include] path = $T/more\n" w
fresh
mv "$T/r/.git/config" "$T/elsewhere"
ln -s "$T/elsewhere" "$T/r/.git/config"
git config -f "$T/elsewhere" core.worktree "$T/w"
same 'a link to the configuration' "$T/r/sub" "$T/w"
same 'a git directory elsewhere' "$T/far" "$T/far"
fresh
mkdir "$T/linked"
ln -s "$T/r/.git" "$T/linked/.git"
same 'a link to the git directory' "$T/linked" "$T/linked"
# A repository that afw-worktree cannot open is reported as existing.
fresh
printf "${c}[include]\n\tpath = $T/more\n[\n" >"$T/r/.git/config"
is "$(here "$T/r/sub")" "$T/r" 'a broken file: the directory of .git'
done_testing
