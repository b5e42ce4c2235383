#!/bin/bash
# The editor of a commit's message and the pager of a diff are git's, in git's
# order, by the user's own configuration; commit.template is the initial text.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README
cd "$T/repo" || exit 2
onpty=$BUILD/tests/tools/onpty
mkdir "$T/bin" "$T/a dir"
# editor NAME: an editor that leaves its name, and its arguments but the file.
editor() {
	printf '#!/bin/sh\necho "%s $# $1" | sed "s,/.*,FILE," >"%s"\n' "${1##*/}" "$T/ran"
	printf 'for f; do :; done; cp "$f" "%s"; echo "by %s" >>"$f"\n' "$T/shown" "${1##*/}"
} >"$1"
for name in git-editor core "a dir/core" visual plain own; do
	editor "$T/$name"; chmod +x "$T/$name"
done
editor "$T/bin/editor"; chmod +x "$T/bin/editor"
change() { n=$((n + 1)); echo "$n" >"$T/.af_worktrees/repo-x/file$n"; }
# commit [VAR=VALUE...]: as a person types it, on a terminal.
commit() {
	change; rm -f "$T/ran"
	timeout 60 env PATH="$T/bin:$PATH" "$@" "$onpty" afw commit x </dev/null >"$T/screen" 2>&1
	code=$?
	out=$(tr -d '\r' <"$T/screen")
}
subject() { git log -1 --format=%s af/x; }
exit_is 0 'a session' afw new x --no-start -- cat

# --- which editor -------------------------------------------------------------
every=(VISUAL="$T/visual" EDITOR="$T/plain")
git config --global core.editor "$T/core"
commit GIT_EDITOR="$T/git-editor" "${every[@]}"
is "$code|$(subject)" '0|by git-editor' 'GIT_EDITOR is the first'
commit "${every[@]}"
is "$(subject)" 'by core' 'core.editor is the next'
git config --global core.editor "'$T/a dir/core' -w"
commit "${every[@]}"
is "$(subject)|$(<"$T/ran")" 'by core|core 2 -w' "as a shell's command line"
git config --global --unset core.editor
git config core.editor "$T/core"
commit "${every[@]}"
is "$(subject)" 'by core' "the repository's, too"
git config --unset core.editor
commit "${every[@]}"
is "$(subject)" 'by visual' 'then VISUAL'
commit EDITOR="$T/plain"
is "$(subject)" 'by plain' 'then EDITOR'
if [ "$(env -i PATH="$PATH" HOME=/ TERM=xterm git var GIT_EDITOR)" = editor ]; then
	commit
	is "$(subject)" 'by editor' "then Debian's editor"
else
	skip 1 'this git has another default'
fi
mkdir -p "$XDG_CONFIG_HOME/afw"; echo "editor = '$T/own' -x" >"$XDG_CONFIG_HOME/afw/afw.ini"
commit GIT_EDITOR="$T/git-editor" "${every[@]}"
is "$(subject)|$(<"$T/ran")" 'by own|own 2 -x' 'editor in afw.ini overrides all of them'
rm "$XDG_CONFIG_HOME/afw/afw.ini"
commit TERM=dumb
is "$code" 1 'a dumb terminal is refused'
like "$out" "Terminal is dumb, but EDITOR unset.*afw: commit 'x': git has failed" "in git's words"
commit EDITOR="$T/nowhere"
is "$code" 1 'an editor that is not there is refused'
like "$out" "$T/nowhere.*git has failed .exit code 1.*git keeps a message in .*/COMMIT_EDITMSG" 'by its name'
PATH="$T/bin:$PATH" run afw config edit
is "$(cat "$T/ran" 2>&1)" 'editor 1 FILE' "a configuration is edited with Debian's editor, too"
rm "$T"/afw-*

# --- commit.template -------------------------------------------------------------
printf 'Ticket: \n\n# explain why\n' >"$T/template"
git config --global commit.template "$T/template"
commit EDITOR=true
is "$code" 1 'an unchanged template is refused'
like "$out" 'you did not edit the message' 'and says why'
commit EDITOR="$T/plain"
is "$(head -n 3 "$T/shown")" "$(<"$T/template")" 'the template is the start of the message'
is "$(git log -1 --format=%B af/x)" $'Ticket:\n\nby plain' 'which is committed'
printf '#!/bin/sh\necho "$2" >"%s"\n' "$T/source" >.git/hooks/prepare-commit-msg
chmod +x .git/hooks/prepare-commit-msg
commit EDITOR="$T/plain"
is "$(<"$T/source")" template 'prepare-commit-msg gets that'
rm .git/hooks/prepare-commit-msg
change
exit_is 0 'a commit with -m' afw commit x -m plain
is "$(subject)" plain 'has no template'
git config --global --unset commit.template
echo 'of the repository' >"$T/.af_worktrees/repo-x/.message"; git config commit.template .message
commit EDITOR="$T/plain"
is "$(git log -1 --format=%B af/x)" $'of the repository\n\nby plain' "the repository's template is used"
rm "$T/.af_worktrees/repo-x/.message"
commit EDITOR="$T/plain"
is "$code" 1 'a template that is not there is refused'
like "$out" ".message.: No such file.*git has failed" 'by its name'
git config --unset commit.template
ok_cmd 'no file is left' test -z "$(find "$T" -maxdepth 1 -name 'afw-*')"

# --- the pager -----------------------------------------------------------------------
change
pager() { printf '#!/bin/sh\necho "<%s $1>"; cat\n' "$1" >"$T/$1"; chmod +x "$T/$1"; }
for name in git-pager core-pager env-pager planted; do pager "$name"; done
diff_by() { timeout 60 env "$@" "$onpty" -s 100x200 afw diff x </dev/null 2>&1 | tr -d '\r' | sed -n 1p; }
git config core.pager "$T/planted"
is "$(diff_by PAGER="$T/env-pager")" '<env-pager >' 'PAGER shows a diff'
git config --global core.pager "$T/core-pager -R"
is "$(diff_by PAGER="$T/env-pager")" '<core-pager -R>' "the user's core.pager overrides it"
is "$(diff_by PAGER="$T/env-pager" GIT_PAGER="$T/git-pager")" '<git-pager >' \
	'and GIT_PAGER overrides both'
like "$(diff_by GIT_PAGER=cat)$(diff_by GIT_PAGER=)" 'diff --git.*diff --git' 'cat and "" are not pagers'
like "$(diff_by GIT_PAGER="$T/nowhere")" 'diff --git' 'without the pager the diff is shown'
done_testing
