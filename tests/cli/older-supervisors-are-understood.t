#!/bin/bash
# Sessions that run while afw is upgraded: their supervisors are of an older afw.
# tests/older has what those of each release said; a release adds a file there,
# made with its own build, and the oldest of three goes.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
version=$(afw --version | cut -d ' ' -f 2)

# plays FILE: a session with a supervisor as recorded. Sets id, dir, player.
plays()
{
	id=$(sed -n 's/.*"hello".*"id": "\([0-9a-f]*\)".*/\1/p' "$1")
	dir=$DATA/sessions/$id
	(umask 077 && mkdir -p "$dir")
	sed "s,@T@,$T,g" "$1" >"$dir/recording"
	local file said
	for file in spec state; do
		grep "^{\"file\": \"$file.json\"" "$dir/recording" |
			sed 's/^{"file": "[a-z.]*", "is": \(.*\)}$/\1/' >"$dir/$file.json"
	done
	coproc PLAY { exec perl "$ROOT/tests/older/play.pl" "$dir/recording" "$dir"; }
	read -r said <&"${PLAY[0]}"
	is "$said" ready "${1##*/}: it plays"
}

for file in "$ROOT"/tests/older/*.jsonl; do
	was=${file##*/} was=${was%.jsonl}
	plays "$file"
	exit_is 0 'ls' afw ls
	like "$out" 'one +demo +done' 'has its state'
	like "$err" "^hint: another version of afw still runs one: .afw restart -r NAME." \
		'and says that it is of another version'
	exit_is 0 'status' afw status one
	like "$out" "supervisor +pid [0-9]+, of afw .*restart -r one. moves it to afw $version" \
		'says how it moves to this one'
	exit_is 0 'capture' afw capture one
	like "$out" 'line 2' 'shows its screen'
	exit_is 0 'send' afw send one hello
	like "$out" 'accepted' 'has its receipt'
	exit_is 0 'ls --json' afw ls --json
	is "$(json 0.activity <<<"$out")" completed 'knows its activity'
	exit_is 0 'ls -q' afw ls -q
	is "$err" '' 'has no hint'
	ok_cmd "$was was asked for all of it" \
		sh -c 'for w in status capture send; do grep -qx $w "$1" || exit; done' - "$dir/asked"
	exec {PLAY[1]}>&-
	wait "$PLAY_PID"
	rm -r "$dir"
done

# A file of a newer afw is left as it is.
exit_is 0 'a session' afw new mine -- cat
exit_is 0 'that is stopped' afw stop mine
dir=$(session_dir mine)
sed -i 's/"v":[0-9]*/"v":99/' "$dir/state.json"
cp "$dir/state.json" "$T/before"
refused 1 'newer' 'a newer state is refused' afw start mine
ok_cmd 'and left as it was' cmp "$T/before" "$dir/state.json"
done_testing
