#!/bin/bash
# afw grep: the lines that terminals printed and messages that wait, in all
# sessions and in the trash.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/cli/pear.sh"

# prints NAME TEXT: a session that has printed it (as printf does), and ended.
prints()
{
	exit_is 0 "a session that prints $2" afw new "$1" -- printf "$2"
	exit_is 0 'ends' afw wait "$1" --for stopped -t 30s
}

prints one 'the first needle is blue\nhay\n'
prints two 'Needle \033[31m(red)\033[0m in hay\n\rspin\r\033[Kover\n'
prints old 'a needle thrown away\n'
touch "$T/.af_worktrees/repo-old/unsaved"
exit_is 0 'one goes to the trash' afw rm old
exit_is 0 'a session' afw new three -a pear
exit_is 0 'that works' afw send three long
exit_is 0 'a message that waits' afw send three $'wait for\nthe needle too'

exit_is 0 'grep' afw grep needle
like $'\n'"$out"$'\n' $'\none  [0-9:]+  the first needle is blue\n' 'finds a line, with name and time'
like $'\n'"$out"$'\n' $'\nold \\(trash\\)  .*a needle thrown away\n' 'a session in the trash'
like $'\n'"$out"$'\n' $'\nthree  .*  the needle too' 'and a queued message'
is "$(wc -l <<<"$out")" 3 'nothing else'
exit_is 0 '-i' afw grep -i '^needle .red'
like "$out" '^two  .*  Needle \(red\) in hay$' 'without case, and without colours'
exit_is 1 'what was overwritten' afw grep spin
is "$out$err" '' 'is not found: says nothing'
exit_is 0 '-F' afw grep -F '(red)'
is "$(wc -l <<<"$out")" 1 'is text'
exit_is 1 'some sessions' afw grep blue two three
exit_is 0 'of which one has it' afw grep blue two one
exit_is 0 '-m' afw grep -m 1 e one two
is "$(wc -l <<<"$out")" 2 'limits the lines of each session'
exit_is 0 '-l' afw grep -l e
is "$(sort <<<"$out")" $'old (trash)\none\nthree\ntwo' 'prints names, each once'
exit_is 0 '--json' afw grep --json thrown
printf '%s\n' "$out" >"$T/line"
is "$(json name "$T/line") $(json trash "$T/line") $(json line "$T/line")" \
	'old true a needle thrown away' 'prints objects'
refused 2 '. is no regular expression' 'a bad pattern' afw grep '('
like "$err" '`-F` searches it as it is' 'with a hint'
exit_is 0 'that works' afw grep -F '('
refused 2 'the pattern has 1 to 1024 bytes' 'an empty one' afw grep ''
refused 2 'the pattern has 1 to 1024 bytes' 'a long one' \
	afw grep "$(printf '%2000s' x)"
refused 3 'nosuch' 'an unknown session' afw grep x nosuch

# -- a lot of output, with one line that is longer than what is searched
exit_is 0 'much output' afw new much -- sh -c \
	'head -c 9000 /dev/zero | tr "\0" x; echo tail; seq 200000; printf "\033]0;needle\007"'
exit_is 0 'ends' afw wait much --for stopped -t 60s
exit_is 0 'is searched' afw grep '^199999$' much
exit_is 1 'a title is no line' afw grep needle much
exit_is 0 'stop' afw stop three
done_testing
