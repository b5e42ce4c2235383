#!/bin/bash
# afw-supervisor --stdio, start with repo and sandbox: agent and commands are in
# the sandbox, the commits are imported, and git has the token inside, too.
. "$(dirname "$0")/../lib.sh"
# /tmp is another one inside.
AF_TEST_IN=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$AF_TEST_IN"
afw_env
. "$ROOT/tests/cli/breakout.sh"
needs_landlock
make_repo "$T/repo"
cd "$T" || exit 2
mkfifo in
: >ev
"$BUILD/afw-supervisor" --stdio <in >>ev 2>errors &
pid=$!
exec {in}>in
cat >agent <<'E2'
git commit -q --allow-empty -m inside
touch "$1/outside" 2>/dev/null || echo kept-in
printf 'protocol=https\nhost=github.com\n\n' | git credential fill | grep -c pass
printf 'protocol=https\nhost=example.org\n\n' | git credential fill | grep -c pass
exec cat
E2
printf '{"cmd":"start","repo":"./repo","branch":"task","sandbox":"landlock","secrets":["GITHUB_TOKEN=abc"],"argv":["sh","-c","%s","sh","%s"]}\n' \
	"$(sed 's/[\\"]/\\&/g' agent | sed ':a;N;$!ba;s/\n/\\n/g')" "$T" >&"$in"
texts()
{
	grep agent:stdout ev | json data /dev/stdin | grep .
}
waits_for '[ "$(texts | wc -l)" = 3 ]' 'an agent runs in the sandbox' \
	'cat ev errors'
is "$(texts)" 'kept-in
1
0' 'it is kept in, and git has the token for one server'
echo '{"cmd":"exec","id":"a","argv":["sh","-c","git log -1 --format=%s; touch \"$0/outside\" 2>/dev/null || echo kept-in","'"$T"'"]}' >&"$in"
waits_for 'grep -q exec:result ev' 'a command runs beside it'
like "$(grep exec:result ev)" '"code":0,.*"stdout":"inside.nkept-in.n"' \
	'in the same sandbox'
exec {in}>&-
ends_with 143 "$pid" 'it ends'
nok_cmd 'nothing was written outside' test -e outside
is "$(git -C repo log -1 --format=%s task)" inside 'its commit was imported'
done_testing
