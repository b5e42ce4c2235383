#!/bin/bash
# afw new, merge and commit with the attributes text, eol, ident,
# working-tree-encoding and filter: the files and the index are what git makes
# of them in a copy of the repository, byte for byte.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/merge.sh"
afw_env
# Copies anything, so that its bytes show which filter has run, and on what.
git config --global filter.up.clean 'sed s/^UP:.*://'
git config --global filter.up.smudge 'sed "s/^/UP:%f:/"'
git config --global filter.quoted.clean 'sed s/^.*@//'
git config --global filter.quoted.smudge 'p=%f; sed "s/^/${#p}@/"'
git config --global filter.must.clean 'tr A-Z a-z'
git config --global filter.must.smudge 'tr a-z A-Z'
git config --global filter.must.required true
git config --global filter.odd.clean 'exit 3'
git config --global filter.odd.smudge 'exit 3'

# state: the files, what git thinks of them, and stat data that is not theirs.
state() { world | grep -v ' \./\.git'; git status --porcelain; git diff-files; }

# fresh: git has made the files, long enough ago that new may copy them.
fresh()
{
	rm -f .git/index && git reset -q --hard
	find . -path ./.git -prune -o -type f -exec touch -d '1 hour ago' {} +
	git update-index -q --refresh
}

# twin NAME ATTRIBUTES MAKE CHANGE: a repository with these attributes in which
# MAKE has made files; a session CHANGEs them. afw merges into it, git into its
# copy.
twin()
{
	rm -rf "$T/repo" "$T/twin"
	git init -q "$T/repo" && cd "$T/repo" || exit 2
	[ -z "${config-}" ] || git config $config
	printf '%b\n' "$2" >.gitattributes
	echo first >first
	eval "$3"
	git add -A 2>/dev/null && git commit -qm first && fresh
	n=$((n + 1)) tree=$T/.af_worktrees/repo-s$n
	run afw new s$n --no-start -- cat
	[ "$code" = 0 ] || diag "$err"
	is "$(cd "$tree" && state)" "$(state)" "$1: the new worktree is as git has it"
	(cd "$tree" && eval "$4") || diag "change failed"
	run afw commit s$n -m change
	[ "$code" = 0 ] || diag "$err"
	is "$(cd "$tree" && git status --porcelain; git log -1 --format=%s af/s$n)" change \
		"$1: all is committed"
	run afw status s$n --json
	is "$(json uncommitted)|$(json untracked)" '0|0' "$1: and nothing is left"
	cp -a "$T/repo" "$T/twin"
	(cd "$T/twin" && git merge -q --no-edit "af/s$n") >"$T/git" 2>&1
	echo $? >"$T/git.code"
	run afw merge s$n
	config=
}
# same NAME ...: and both have merged the same.
same()
{
	twin "$@"
	is "$code$(grep -v "^hint: .afw rm" <<<"$err")" 0 "$1: afw merges"
	is "$(cat "$T/git.code")" 0 "$1: git does" || diag "$(cat "$T/git")"
	is "$(state)" "$(cd "$T/twin" && state)" "$1: the files and the index are the same"
}
n=0
two='printf "a\nb\n" >lf; printf "a\r\nb\r\n" >crlf; printf "a\r\nb\n" >mixed; printf "a\0\r\nb\n" >bin'
change='for f in lf crlf mixed bin; do printf "more\n" >>$f; done; printf "n\nm\n" >new; printf "n\r\nm\r\n" >new2; rm first'

# -- the ends of lines ---------------------------------------------------------
same 'eol=crlf' '* text eol=crlf\nbin -text' "$two" "$change"
same 'eol=lf' '* text=auto eol=lf' "$two" "$change"
config='core.autocrlf true' same 'core.autocrlf=true' '' "$two" "$change"
config='core.autocrlf true' same 'text=auto, core.autocrlf=true' '* text=auto' "$two" "$change"
config='core.autocrlf input' same 'text=auto, core.autocrlf=input' '* text=auto' "$two" "$change"
config='core.eol crlf' same 'text=auto, core.eol=crlf' '* text=auto' "$two" "$change"
config='core.autocrlf true' same 'the older crlf=input' 'lf crlf=input\ncrlf -crlf' "$two" "$change"
same 'attributes that change' 'lf -text' "$two" "$change; echo '* text eol=crlf' >.gitattributes"

# -- ident ---------------------------------------------------------------------
same 'ident' '* ident' 'printf "\$Id\$\n" >id' 'printf "more\n" >>id; printf "\$Id\$\n" >new'

# -- working-tree-encoding -------------------------------------------------------
for e in UTF-16LE UTF-16 UTF-16LE-BOM UTF-32BE SHIFT-JIS iso-8859-1; do
	letter=Ж bom=
	[ $e != iso-8859-1 ] || letter=ä
	[[ $e != *-BOM ]] || bom='\377\376'
	enc() { printf "$bom"; iconv -f UTF-8 -t ${e%-BOM}; }
	same "$e" "*.t text working-tree-encoding=$e" "printf '$letter b\nc\n' | enc >a.t; touch empty.t" \
		"printf '$letter x\nc\n' | enc >a.t; printf 'n$letter\n' | enc >new.t"
done
same 'an encoding with eol=crlf' '*.t text eol=crlf working-tree-encoding=UTF-16LE' \
	'printf "a\r\nb\r\n" | iconv -t UTF-16LE >a.t' 'printf "a\r\nx\r\n" | iconv -t UTF-16LE >a.t'
utf16() { printf "$1" | iconv -t UTF-16LE; }
for s in one two; do run afw new $s --no-start -- cat; done
utf16 '0\r\na\r\nx\r\n' >"$T/.af_worktrees/repo-one/a.t"
utf16 'a\r\nx\r\ny\r\n' >"$T/.af_worktrees/repo-two/a.t"
exit_is 0 'a diff' afw diff one
like "$out" '\+0' 'shows it as text'
exit_is 0 'two sessions that change it' afw conflicts one two
like "$out" 'in other places: a.t' 'do not conflict if they change other lines'
utf16 'a\r\nz\r\n' >"$T/.af_worktrees/repo-two/a.t"
utf16 'a\r\nw\r\n' >"$T/.af_worktrees/repo-one/a.t"
exit_is 0 'and that change the same line' afw conflicts one two
like "$out" 'a.t: both changed it, line 2' 'conflict there'

# -- filters ---------------------------------------------------------------------
same "the user's filter" '*.u filter=up' 'echo "UP:a.u:one" >a.u' \
	'echo "UP:a.u:two" >a.u; mkdir d; echo "UP:d.u:n" >d/e.u'
same 'a path with a quote' '*.u filter=quoted' 'echo 8@one >"a '"'"'\$x.u"' 'echo 8@two >"a '"'"'\$x.u"'
same 'a required one' '*.m filter=must' 'echo ONE >a.m' 'echo TWO >a.m; echo N >n.m'
same 'one that fails and is not required' '*.o filter=odd' 'echo one >a.o' 'echo two >a.o'
same 'one that nobody has configured' '*.x filter=unknown' 'echo one >a.x' 'echo two >a.x'
same 'all of them' '*.a text eol=crlf ident working-tree-encoding=UTF-16LE filter=must' \
	'printf "ONE\r\n" | iconv -t UTF-16LE >x.a' 'printf "TWO\r\n\$ID\$\r\n" | iconv -t UTF-16LE >x.a'

# -- another base, with other attributes --------------------------------------------
git init -q "$T/repo2" && cd "$T/repo2" || exit 2
printf 'a\nb\n' >a.t && printf 'UP:a.u:a\n' >a.u && git add -A && git commit -qm plain && git branch plain
printf '*.t text eol=crlf working-tree-encoding=UTF-16LE\n*.u filter=up\n' >.gitattributes
git add .gitattributes && git commit -qm converted && git branch converted
for main in plain converted; do
	git checkout -q $main && rm -f a.* && fresh
	for base in plain converted; do
		run afw new $main-$base --base $base --no-start -- cat
		git worktree add -q --detach "$T/by-git" $base
		is "$(cd "$T/.af_worktrees/repo2-$main-$base" && state)" "$(cd "$T/by-git" && state)" \
			"from $main, $base is as git has it"
		git worktree remove --force "$T/by-git"
	done
done
cd "$T/repo" || exit 2

# -- what git refuses, and afw --------------------------------------------------------
twin 'a required filter that fails' '*.m filter=must' 'echo ONE >a.m' 'echo TWO >a.m'
git config --global filter.must.smudge 'exit 5'
n=$((n + 1)) tree=$T/.af_worktrees/repo-s$n
run afw new s$n --no-start -- cat
(cd "$tree" && echo THREE >a.m && git add -A && git commit -qm three)
before=$(state; git rev-parse HEAD)
exit_is 1 'a required filter that fails' afw merge s$n
like "$err" 'hint: filters run outside of the repository' 'says where it ran'
like "$err" "a.m: .*smudge filter must failed|convert a.m.*filter 'must' failed" 'is named'
is "$(state; git rev-parse HEAD)" "$before" 'and nothing is changed'
git config --global filter.must.smudge 'tr a-z A-Z'
git config filter.must.clean 'tr A-Z a-z'
exit_is 9 "one that the repository's configuration names, too" afw merge s$n
like "$err" 'a.m has the filter must.*\.git/config.*hint: merge with git itself' 'is refused'
is "$(state; git rev-parse HEAD)" "$before" 'and nothing is changed'
done_testing
