#!/bin/bash
# A broken state file is moved aside; unfinished files of a killed writer are
# deleted; a newer state is not changed.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new one -- cat
exit_is 0 'is stopped' afw stop one
dir=$(echo "$DATA"/sessions/*)

printf '{"v":1,"phase":"run' >"$dir/state.json"
: >"$dir/.state.json.0123456789abcdef"
: >"$dir/.keep.me"
exit_is 0 'it is listed' afw ls
like "$out" 'failed' 'as a failed session'
exit_is 0 'and can be started' afw start one
like "$err" 'kept as .*corrupt-' 'which says where the broken file is'
is "$(cat "$dir"/state.json.corrupt-*)" '{"v":1,"phase":"run' 'there it is'
nok_cmd 'the half-written file is gone' test -e "$dir/.state.json.0123456789abcdef"
ok_cmd "what is not afw's is not" test -e "$dir/.keep.me"
exit_is 0 'stopped again' afw stop one

sed -i 's/"v":1/"v":99/' "$dir/state.json"
before=$(<"$dir/state.json")
exit_is 1 'a newer one is not started' afw start one
like "$err" 'newer afw' 'and says why'
is "$(<"$dir/state.json")" "$before" 'and is not changed'
done_testing
