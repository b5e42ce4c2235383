#!/bin/bash
# The source follows CONTRIBUTING.md: which folder may include which, which library is
# used where, and the files at the top level.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'they change nothing of it'
T=$(mktemp -d /tmp/afw.XXXXXX)
trap _exit EXIT
cd "$ROOT" || exit 2

# Folders in order: each may include itself and those of its line.
declare -A may=(
	[base]=""
	[wire]="base"
	[config]="wire base"
	[session]="config wire base"
	[hosts]="session config wire base"
	[screen]="base"
	[adapters]="session config wire base"
	[sandbox]="session config wire base"
	[activity]="adapters screen session base"
	[tools]="session wire base"
	[terminal]="session sandbox wire base"
	[supervisor]="activity session adapters terminal sandbox screen wire base"
	[worktrees]="wire base"
	[tui]="hosts session adapters terminal sandbox screen config wire base commands"
	[commands]="hosts session adapters terminal sandbox screen config wire base tui"
	[main]="commands tui config session wire base"
	[dashboard_main]="tui base"
	[worktree_main]="worktrees wire base"
	[guard_main]="terminal base"
	[tools_main]="tools session wire base"
	[supervisor_main]="supervisor sandbox terminal session adapters wire base"
)

files=$(find src adapters worktrees tui -name '*.[ch]' 2>/dev/null | sort)
# Each include as "FILE:LINE FROM TO"; src/main.c is "main", and TO is "-" if it
# names no folder.
bad='' both=''
while read -r place from to; do
	[ "$from" != "$to" ] || continue
	if [ "$to" = - ]; then
		bad+="$place: an include is not written as folder/name"$'\n'
	elif [[ " ${may[$from]-nothing} " != *" $to "* ]]; then
		bad+="$place: $from may not include $to"$'\n'
	fi
	both+="$from $to"$'\n'
done < <(awk '/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, quoted, "\"")
	to = quoted[2]
	if (!sub("/.*", "", to))
		to = "-"
	from = FILENAME
	sub("^src/", "", from)
	if (!sub("/.*", "", from))
		sub("[.]c$", "", from)
	print FILENAME ":" FNR, from, to
}' $files)
is "$bad" '' 'the arrows between the folders point down'

# tsort names the members of a cycle.
cycle=$(sort -u <<<"$both" | grep . | tsort 2>&1 >/dev/null)
is "$cycle" '' 'no folders include each other'

# calls PATTERN: prints "CALLER CALLED" of the files that match, by what their
# objects define and ask for. A command's row is not asked for: the table of
# commands names each, and calls none.
calls()
{
	nm -A -g -P $(grep -E "$1" <<<"$files" |
		sed -n "s|^\(.*\)c\$|$BUILD/\1o|p") |
		awk '$2 ~ /^command_/ && $3 != "T" { next }
		{ sub(/:$/, "", $1) }
		$3 == "U" { wants[$1 " " $2] = 1; next }
		{ where[$2] = $1 }
		END { for (w in wants) {
			split(w, p, " ")
			if (p[2] in where) print p[1], where[p[2]]
		} }'
}

# folder_calls: prints the same of the folders inside a folder, from calls. The
# files beside these folders may call them, and be called.
folder_calls()
{
	awk '{ sub("/[^/]*$", "", $1); sub("/[^/]*$", "", $2) }
		$1 != $2 && index($1 "/", $2 "/") != 1 &&
		index($2 "/", $1 "/") != 1'
}

# circles: prints the members of circles.
# shellcheck disable=SC2069 # only what tsort says of circles
circles()
{
	tsort 2>&1 >/dev/null
}

is "$(circles <<<"x/a/1.o x/b/1.o"$'\n'"x/b/2.o x/a/2.o")" '' \
	'a circle of folders may be none of files'
like "$(folder_calls <<<"x/a/1.o x/b/1.o"$'\n'"x/b/2.o x/a/2.o" | circles)" \
	'x/b' 'and is found'

# Nor do the files of each program, its main aside.
common='adapters|src/(base|wire|config|session|hosts|screen|terminal|sandbox'
for program in "$common|commands)" "$common|activity|supervisor)" \
	"$common)|tui" 'src/(base|wire|session|tools)' 'src/(base|wire)|worktrees'
do
	found=$(calls "^($program)/.*c\$")
	name=$(tr -d '()' <<<"${program##*|}")
	is "$(circles <<<"$found")" '' "no files of a program call each other: $name"
	is "$(folder_calls <<<"$found" | circles)" '' 'and no folders in a folder'
	is "$(grep -E "^($program)/.*c$" <<<"$files" | sed 's|.*/||' | sort |
		uniq -d)" '' 'and no two of them have the same name'
done

# only WHERE PATTERN WHAT: no line of the source elsewhere has it.
only()
{
	local hits
	hits=$(grep -nE "$2" $files | grep -vE "^$1") || hits=''
	is "$hits" '' "$3"
}
# The supervisor's core knows its parts by the table alone; no part includes
# what another keeps to itself.
hits=$(grep -nE '#include "supervisor/' src/supervisor/supervisor.c |
	grep -vE '/(supervisor|part|peer|harness|start)\.h"') || hits=''
hits+=$(grep -nE '#include "config/' $(grep ^src/session/ <<<"$files") |
	grep -v 'config/options\.def"') || hits+=''
hits+=$(grep -nE '#include ".*_internal\.h"' $files | awk -F'[:"]' '{
	file = $1; header = $4
	gsub(/.*\//, "", file); gsub(/.*\/|_internal\.h/, "", header)
	if (index(file, header) != 1) print }')
is "$hits" '' "the core knows no part, no part another's inside, a spec the table alone"

only worktrees/ '#[[:space:]]*include <git2' 'libgit2 is known in worktrees/ only'
only tui/ '#[[:space:]]*include <(n?curses|ncursesw/|term\.h|panel)' \
	'curses is known in tui/ only'
only src/config/ '#[[:space:]]*include <ini\.h' 'inih is known in config/ only'
only 'src/tools(/|_main)' '#[[:space:]]*include <(sqlite3|curl)' \
	'SQLite and libcurl are known in tools/ only'
only src/screen/ '#[[:space:]]*include <vterm' 'libvterm is known in screen/ only'
only src/terminal/tmux '"(new-session|kill-server|pipe-pane|load-buffer)' \
	"tmux's commands are written in its own file only"
only src/sandbox/podman '"--(cap-drop|userns|read-only|security-opt)' \
	"podman's options are written in its own file only"

hits=$(grep -nE '\b(system|popen|strcpy|strcat|sprintf|vsprintf|gets|tmpnam|mktemp|strtok)[[:space:]]*\(' \
	$files | grep -vE ':[[:space:]]*(/?\*|//)') || hits=''
is "$hits" '' 'no function that cannot be called safely'

# A FIFO in a file's place would block the process that opens it: file_open() and
# file_read() do not. Directories and what the kernel shows are no files; the
# rest has a reason of its own, or is the user's own file.
hits=$(perl -0ne 'while (/\b(?:open|openat|fopen)\(([^;]*);/g) {
		my $what = $1;
		my $line = 1 + ($` =~ tr/\n//);
		print "$ARGV:$line: $what\n" unless
			$what =~ m{O_DIRECTORY|DIR_FLAGS|"/proc/|"/dev/null"};
	}' $(grep -E '^(src/(session|supervisor|commands)|tui)/.*c$' <<<"$files" |
	grep -vxE 'src/session/live/orphans.c|src/supervisor/door/(door|bridge|bridge_relay).c|src/commands/(attach_terminal|commit_git|doctor_machine|launch/env_args|logs|cli/input|cli/own_terminal).c'))
is "$hits" '' 'files of ours are opened by file_open() only'

hits=$(grep -LE '^/\*' $files) || hits=''
is "$hits" '' 'every file opens with what it is'

hits=$(awk 'function guard(file) {
	sub("^src/", "", file)
	gsub("[/.]", "_", file)
	return "AFW_" toupper(file)
}
/^#ifndef / && $2 == guard(FILENAME) { guarded[FILENAME] = 1 }
END {
	for (i = 1; i < ARGC; i++)
		if (!(ARGV[i] in guarded))
			print ARGV[i] ": not " guard(ARGV[i])
}' $(grep 'h$' <<<"$files"))
is "$hits" '' 'every header is guarded by its own name'

if git rev-parse --git-dir >/dev/null 2>&1; then
	top=$(git ls-files | cut -d/ -f1 | sort -u)
	want='.ci .clang-format .editorconfig .gitignore CONTRIBUTING.md
		LICENSE Makefile README.md adapters man share src tests tui
		worktrees'
	is "$(comm -23 <(echo "$top") <(tr -s ' \t\n' '\n' <<<"$want" | sort -u))" \
		'' 'nothing new at the top level'
	hits=$(git ls-files -s '*.t' | grep -vE '^(100755|120000)')
	is "$hits" '' 'test scripts may be executed'
else
	skip 2 'no git repository'
fi
is "$(($(wc -l <Makefile) < 200))" 1 'the Makefile is under 200 lines'
done_testing
