#!/bin/bash
# The author and the committer of afw's commits are those that git would use.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README
cd "$T/repo" || exit 2
who() { git log -1 --format='%an <%ae>|%cn <%ce>' "${1:-af/x}"; }
change() { echo "$RANDOM $RANDOM" >>"$T/.af_worktrees/repo-$1/README"; }
exit_is 0 'a session' afw new x --no-start -- cat

# --- keys that libgit2 does not know ----------------------------------------
git remote add origin https://work.example.org/repo.git
git config --global 'includeIf.hasconfig:remote.*.url:https://work.example.org/**.path' "$T/work"
git config -f "$T/work" user.email me@work.example.org
change x
exit_is 0 'commit with hasconfig' afw commit x -m one
is "$(who)" 'Test <me@work.example.org>|Test <me@work.example.org>' \
	'includeIf hasconfig: selects the address'
git config --global author.name Writer
git config --global committer.email ci@example.org
change x
exit_is 0 'commit with author.name' afw commit x -m two
is "$(who)" 'Writer <me@work.example.org>|Test <ci@example.org>' \
	'author.name and committer.email are used'
git commit -q --allow-empty -m meanwhile
exit_is 0 'a merge commit' afw merge x
is "$(who main)|$(git log -1 --format=%p main | wc -w)" \
	'Writer <me@work.example.org>|Test <ci@example.org>|2' \
	'has the same author and committer'
change x
exit_is 0 'commit with variables' env GIT_AUTHOR_NAME=Ann GIT_COMMITTER_NAME=Cy \
	GIT_AUTHOR_DATE='2001-02-03T04:05:06 +0700' afw commit x -m three
is "$(who)|$(git log -1 --format=%aI af/x)" \
	'Ann <me@work.example.org>|Cy <ci@example.org>|2001-02-03T04:05:06+07:00' \
	"git's variables override them, the date too"
change x; git commit -q --allow-empty -m meanwhile
exit_is 0 'a commit to rebase' afw commit x -m four
exit_is 0 'is rebased' afw merge --rebase x
is "$(who main)" 'Writer <me@work.example.org>|Test <ci@example.org>' \
	'by the same committer'

# --- a sandbox ----------------------------------------------------------------
if "$BUILD/afw-supervisor" confine | tail -1 | grep -q yes; then
	exit_is 0 'a session in a sandbox' afw new s --sandbox landlock -- cat
	afw exec s -- sh -c 'echo own >own; git add own; git commit -qm own' \
		>"$T/inside" 2>&1
	exit_is 0 'is merged by fast-forward' afw merge s
	is "$(who main)" 'Writer <me@work.example.org>|Test <ci@example.org>' \
		"the sandbox's git uses the same identity"
	change s
	exit_is 0 'commit there' afw commit s -m five
	is "$(who af/s)" 'Writer <me@work.example.org>|Test <ci@example.org>' \
		'and so does afw commit'
else
	skip 5 'no landlock here'
fi

# --- git refuses ----------------------------------------------------------------
git config --global user.useConfigOnly true
git config --global --unset user.email
git config --global --unset committer.email
git remote remove origin
change x
run afw commit x -m no
like "$code $err" '^1 .*user.email.*git has failed .exit code 128.: .*no email was given' \
	"git's own reason, and its hint"
is "$(git log -1 --format=%s af/x)" four 'nothing is committed'
exit_is 0 'a commit with an address' env GIT_AUTHOR_EMAIL=a@example.org \
	GIT_COMMITTER_EMAIL=c@example.org afw commit x -m five
git commit -q --allow-empty -m more 2>"$T/said" ||
	GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_EMAIL=c@example.org \
		git commit -q --allow-empty -m more
refused 1 'no email was given.*hint: .git config --global user.name NAME' \
	'a merge is refused, too' afw merge x
git config --global user.email test@example.org

done_testing
