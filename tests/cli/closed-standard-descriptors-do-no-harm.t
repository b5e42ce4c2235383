#!/bin/bash
# If a program of afw is started without standard descriptors, it writes no
# message into a file that got one of their numbers.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
afw new one -- cat 0<&- 1>&- 2>&- &&
	afw stop one 2>&- >/dev/null
ok $? 'new and stop without them'
afw start one 2>&- >/dev/null
ok $? 'start'
afw no-such-command 2>&-
is $? 2 'an error that cannot be printed'
afw ls >&- 2>"$T/err"
is $? 1 'a list that cannot be written is a failure'
for program in afw-dashboard afw-worktree afw-supervisor; do
	"$BUILD/$program" no such 0<&- 1>&- 2>&-
	is $? 2 "$program refuses what it does not know"
done
dir=$(session_dir one)
hits=$(grep -rlE '^(afw|hint|usage):' "$DATA" "$XDG_RUNTIME_DIR" .git 2>/dev/null)
is "$hits" '' 'no file has what was to be printed'
is "$(json phase "$dir/state.json")" running 'and the session runs'
# afw-worktree writes packs and refs with those numbers free.
exit_is 0 'git finds nothing wrong' git fsck
exit_is 0 'stop' afw rm -s one
done_testing
