#!/bin/bash
# checkpoints: the first one reads all files when the session is first idle, not
# while a message waits; those of turns read what was touched since, and have
# what one of all files has.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/repo"
cd "$T/repo" || exit 2

# afw-worktree, with a list of its requests.
mkdir "$T/bin"
cp "$BUILD"/afw "$BUILD"/afw-supervisor "$BUILD"/afw-guard "$T/bin"
cat >"$T/bin/afw-worktree" <<END
#!/bin/bash
IFS= read -r request
if [[ \$request == *'"op":"checkpoint"'* ]]; then
	echo "\$request" >>"$T/requests"
	until [ ! -e "$T/slow" ]; do read -r -t 0.03 <> <(:); done
fi
{ printf '%s\n' "\$request"; exec cat; } | exec "$BUILD/afw-worktree"
END
chmod +x "$T/bin/afw-worktree"
export PATH="$T/bin:$PATH"
kinds() { sed -n 's/.*"kind":"\([a-z-]*\)".*/\1/p' "$T/requests" | xargs; }
request() { sed -n "$1p" "$T/requests"; }
list() { afw checkpoints one | awk 'NR > 1 { print $1, $3 }' | xargs; }

exit_is 0 'a session' afw new one -a demo || exit 1
waits_for '[ "$(list)" = "1 turn-end" ]' 'has a checkpoint before its first turn'
unlike "$(request 1)" '"touched"' 'of all files'
exit_is 0 'a turn' afw send one --wait -- '[[write first]]'
waits_for '[ "$(list)" = "1 turn-begin 2 turn-end" ]' 'has two'
is "$(kinds)" 'turn-end turn-begin turn-end' 'with a request each'
like "$(request 2)" '"touched":\[\]' 'one of nothing'
like "$(request 3)" '"touched":\["first"\]' 'and one of the file that it wrote'
mv "$T/bin/afw-worktree" "$T/away"
exit_is 0 'a turn that has none' afw send one --wait -- '[[write second]]'
is "$(request 4)" '' 'asks for none'
mv "$T/away" "$T/bin/afw-worktree"
exit_is 0 'the next turn' afw send one --wait -- '[[write first]]'
unlike "$(request 4)" '"touched"' 'begins with one of all files'
exit_is 0 'stop' afw stop one
is "$(kinds)" 'turn-end turn-begin turn-end turn-begin turn-end stop' 'takes another'
unlike "$(request 6)" '"touched"' 'of all files'
like "$(list)" '^1 turn-begin 2 turn-end 3 turn-begin( 4 turn-end)?$' 'which has the same files'

: >"$T/requests"
touch "$T/slow"
exit_is 0 'a first one that takes too long' afw new two -a demo || exit 1
waits_for '[ "$(kinds)" = turn-end ]' 'is asked for'
exit_is 0 'does not keep a message' afw send two -- '[[write first]]'
waits_for '[ "$(kinds)" = "turn-end turn-end" ]' 'whose turn has only an end'
rm "$T/slow"
waits_for 'afw checkpoints two | grep -q "1 .* turn-end "' 'which is stored'
done_testing
