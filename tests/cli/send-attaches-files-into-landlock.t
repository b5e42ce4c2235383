#!/bin/bash
# An agent in sandbox landlock reads the files that are attached to a message.
. "$(dirname "$0")/../lib.sh"
needs_landlock
afw_env
export PATH="$ROOT/share:$PATH"
make_repo "$T/repo" README
cd "$T/repo" || exit 2
echo content >"$T/file"
chmod 600 "$T/file"
exit_is 0 'a session' afw new x --sandbox landlock -- cat
exit_is 8 'a message with a file' afw send x --raw -m look --attach "$T/file"
path=$(session_dir x)/home/attached/file
waits_for 'afw logs x | tr -d "\n" | grep -q "home/attached/file"' 'names it'
exit_is 0 'and the agent can read it' afw exec x -- cat "$path"
is "$out" content 'its copy'
nok_cmd 'not the file itself' afw exec x -- cat "$T/file"
done_testing
