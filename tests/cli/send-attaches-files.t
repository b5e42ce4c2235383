#!/bin/bash
# afw send --attach: files are copied to where the agent can read them, named in the
# message, bounded, and removed with the session.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
make_repo "$T/repo" README
cd "$T/repo" || exit 2
mkdir -p "$T/bin" "${XDG_CONFIG_HOME}/afw"
PATH=$T/bin:$PATH
# attached: the files that the session has.
attached()
{
	(cd "$(session_dir x)/home/attached" 2>/dev/null && echo *)
}
# sends_nothing CODE REGEX NAME WORDS...: refused, and no file is left.
sends_nothing()
{
	local code=$1 re=$2 name=$3 before
	before=$(attached)
	shift 3
	refused "$code" "$re" "$name" afw send x -m 'look' "$@"
	is "$(attached)" "$before" 'and no file is left'
}
exit_is 0 'a session' afw new x -a demo
exit_is 0 'it is ready' afw wait x --for idle -t 240s

# -- what arrives ------------------------------------------------------------------
echo content >"$T/a file"
ln -s 'a file' "$T/link"
hostile=$T/-@$(printf 'x\n\033[2J"y').png
echo picture >"$hostile"
exit_is 0 'two files, one by a link' afw send x --attach "$T/a file" --attach "$T/link" -m 'look [[lines 1]]'
like "$out" 'x: accepted' 'the message arrives'
dir=$(session_dir x)/home/attached
is "$(sed 1d "$T/log")" "look [[lines 1]] [attached: $dir/a_file $dir/link ]" 'and names them'
is "$(cat "$dir/a_file" "$dir/link")" 'content
content' 'they are copies'
is "$(stat -c %a "$dir" "$dir/link" | xargs)" '700 600' 'for nobody else'
exit_is 0 'the turn ends' afw wait x -t 240s
exit_is 0 'a message of two lines' afw send x --attach "$T/a file" -m $'look\n[[lines 1]]'
is "$(tail -n 3 "$T/log")" "[[lines 1]]

[attached: $dir/2-a_file ]" 'has them below'
exit_is 0 'the turn ends' afw wait x -t 240s
exit_is 0 'a hostile name' afw send x -m 'look [[lines 1]]' --attach "$hostile" --attach "$T/a file"
is "$(attached)" '2-a_file 3-a_file __x___2J_y.png a_file link' 'becomes a safe one'
is "$(git -C "$T/.af_worktrees/repo-x" status --short)" '' 'git sees none of them'

# -- by its section --------------------------------------------------------------------
printf '[harness.own]\ncommand = demo-agent\nattach = see @{path}\n' >>"$XDG_CONFIG_HOME/afw/afw.ini"
exit_is 0 'an agent that wants another form' afw new own -a own
exit_is 0 'gets it' afw send own --when-idle --attach "$T/link" -m 'look'
like "$(afw send --list own --json; cat "$T/log")" "see @$(session_dir own)/home/attached/link" 'in its message'
refused 2 'one session at a time' 'of several, none gets a file' afw send x own --attach "$T/link" -m a
exit_is 0 'it is removed' afw rm --stop own

# -- what is refused -------------------------------------------------------------------
exit_is 0 'the turn ends' afw wait x -t 240s
truncate -s 2G "$T/large"
truncate -s 33M "$T/larger"
mkfifo "$T/fifo"
sends_nothing 5 'larger than 32 MiB' 'a file of 2 GB' --attach "$T/a file" --attach "$T/large"
sends_nothing 2 'not a regular file' 'a FIFO' --attach "$T/fifo"
sends_nothing 2 'not a regular file' 'a directory' --attach "$T"
sends_nothing 2 'not a regular file' 'a device' --attach /dev/zero
sends_nothing 2 'No such file' 'a link to nothing' --attach "$T/none"
if [ "$(id -u)" != 0 ]; then
	chmod 0 "$T/larger"
	sends_nothing 2 'Permission denied' 'a file of others' --attach "$T/larger"
else
	skip 2 'root reads every file'
fi
# full ARGS...: as on a disk that is full after 64 KiB.
full()
{
	sh -c 'trap "" XFSZ; ulimit -f 128; exec afw "$@"' afw "$@"
}
head -c 200000 /dev/zero >"$T/bytes"
before=$(attached)
refused 1 'attach bytes: File too large' 'no room' full send x -m look --attach "$T/bytes"
is "$(attached)" "$before" 'and no part of it is left'
many=()
for _ in {1..17}; do many+=(--attach "$T/link"); done
sends_nothing 5 'at most 16 files' 'too many' "${many[@]}"
sends_nothing 2 'not what afw -H sends' 'no files on standard input' --attach -
refused 2 'the message is missing' 'no message' afw send x --attach "$T/link"
ln -s "$T" "$dir/swapped"
exit_is 0 'stopped' afw stop x
sends_nothing 6 'not running' 'a session that is not running' --attach "$T/link"
mv "$dir" "$dir.was"
ln -s "$T/bin" "$dir"
refused 1 'attached' 'a link of the agent is not followed' afw send x -m a --when-idle --attach "$T/link"
is "$(ls "$T/bin")" '' 'nothing is written there'
rm "$dir"
mv "$dir.was" "$dir"
for i in {1..200}; do : >"$dir/$i"; done
refused 5 'it has 200 files' 'as many as a session may have' afw send x -m a --when-idle --attach "$T/link"
rm -r "$dir"

# -- the clipboard -------------------------------------------------------------------
# clip [VAR=VALUE...]: attaches it, with the programs in $T/clip alone.
clip()
{
	env "$@" PATH="$T/clip" "$BUILD/afw" send x -m a --when-idle --attach clipboard:
}
mkdir "$T/clip"
refused 2 'neither wl-paste nor xclip' 'without a program for the clipboard' clip
printf '#!/bin/sh\n[ "$*" = "--type image/png" ] && printf PNG\n' >"$T/clip/wl-paste"
printf '#!/bin/sh\necho none >&2; exit 1\n' >"$T/clip/xclip"
chmod +x "$T/clip/wl-paste" "$T/clip/xclip"
exit_is 0 'an image from it' clip WAYLAND_DISPLAY=w
is "$(cat "$dir/clipboard.png")" PNG 'is a file'
refused 2 'xclip finds no image' 'no image' clip -u WAYLAND_DISPLAY

# -- the end -----------------------------------------------------------------------------
id=$(basename "$(session_dir x)")
exit_is 0 'the session is removed' afw rm x
exit_is 0 'and purged' afw trash purge -y
is "$(find "$XDG_DATA_HOME" -name 'clipboard.png' | grep "$id")" '' 'its files are gone'
done_testing
