#!/bin/bash
# afw new --fetch and fetch = yes: a session starts from the remote's branch if
# the local one is behind it; without a network it starts all the same.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/far"
git clone -q "$T/far" "$T/repo"
git clone -q "$T/far" "$T/silent"

# One that never answers: it is given up while the rest runs.
cd "$T/silent" || exit 2
git remote set-url origin ssh://nowhere/x
printf '#!/bin/sh\nexec sleep 7423\n' >"$T/ssh"
chmod +x "$T/ssh"
GIT_SSH_COMMAND=$T/ssh afw new hang --fetch --no-start -a demo >"$T/hang" 2>&1 &
hang=$!

cd "$T/repo" || exit 2
first=$(git rev-parse main)
at() { git rev-parse "af/$1"; }
base() { afw status --json "$1" >"$T/s"; json base "$T/s"; }
far() { git -C "$T/far" commit -q --allow-empty -m "$1"; }

far two
exit_is 0 'without it' afw new old --no-start -a demo
is "$(at old)" "$first" 'the local branch is used'
exit_is 0 '--fetch' afw new one --fetch --no-start -a demo
is "$(at one)" "$(git -C "$T/far" rev-parse main)" "a branch that is behind: the remote's"
is "$(base one):$(git rev-parse main)" "main:$first" 'the local one is the base, and is not moved'
nok_cmd 'no FETCH_HEAD' test -e .git/FETCH_HEAD
far three
exit_is 0 'several' afw new many --fetch --no-start -a demo*2
is "$(at many-demo-1):$(at many-demo-2)" \
	"$(git rev-parse origin/main):$(git rev-parse origin/main)" 'start from one commit'
mkdir -p "$T/config/afw"
echo 'fetch = yes' >"$T/config/afw/afw.ini"
far four
exit_is 0 'fetch = yes' afw new two --no-start -a demo
is "$(at two)" "$(git -C "$T/far" rev-parse main)" 'does the same'
far five
exit_is 0 'a remote branch' afw new three -b origin/main --no-start -a demo
is "$(at three):$(base three)" "$(git -C "$T/far" rev-parse main):origin/main" 'is fetched'
far six
exit_is 0 'a dry run' afw new four -n -a demo
isnt "$(git rev-parse origin/main)" "$(git -C "$T/far" rev-parse main)" 'fetches nothing'
git commit -q --allow-empty -m own
exit_is 0 'a branch that has other commits' afw new four --no-start -a demo
is "$(at four)" "$(git rev-parse main)" 'is used'
git reset -q --hard "$first"
git tag v1
exit_is 0 'a tag' afw new five -b v1 --no-start -a demo
unlike "$err" 'fetch' 'is not fetched'
exit_is 0 'with --fetch' afw new six -b v1 --fetch --no-start -a demo
like "$err" 'six: its base follows no branch of a remote' 'that is said'
exit_is 0 'in a session' afw exec three -- sh -c "cd . && afw new seven --no-start -a demo"
unlike "$err" 'fetch' 'its branch is the base, and is not fetched'

mv "$T/far" "$T/gone"
exit_is 0 'without the remote' afw new eight --no-start -a demo
like "$err" 'eight: its base is as it was last fetched: git could not fetch main from origin' \
	'a note says so'
is "$(at eight)" "$(git rev-parse origin/main)" 'what was fetched last is used'
git remote set-url origin ask::x
printf '#!/bin/sh\nread -r x </dev/tty && touch "%s"\nexit 1\n' "$T/asked" >"$T/git-remote-ask"
chmod +x "$T/git-remote-ask"
exit_is 0 'one that asks' env PATH="$T:$PATH" GIT_ALLOW_PROTOCOL=ask afw new nine --no-start -a demo
like "$err" 'could not fetch' 'gets no answer'
nok_cmd 'and no terminal' test -e "$T/asked"
refused 2 'cannot be combined' 'with --from' afw new ten --fetch --from one
refused 2 '--fetch is for this machine' 'with -H' \
	afw -H ssh://nowhere/x new ten --fetch -- cat

wait "$hang"
is "$?" 0 'one that never answers: the session is made'
like "$(cat "$T/hang")" 'could not fetch main from origin: .*30' 'after half a minute'
is "$(pgrep -fxc 'sleep 7423')" 0 'nothing of it is left'
done_testing
