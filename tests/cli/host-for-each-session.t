#!/bin/bash
# A host with `each = yes`: the engine makes a place for each session, and gets it
# back.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/box.sh"

. "$ROOT/tests/places.sh"
make_repo "$T/proj"
cd "$T/proj" || exit 2
# hang: ends the shared connection to a place.
hang()
{
	ssh -F "$XDG_DATA_HOME/afw/hosts/$1/ssh_config" -O exit \
		-oControlPath="$(printf '%s\n' "$XDG_RUNTIME_DIR"/afw/ssh-*)" "$1" 2>"$T/null"
	rm -f "$XDG_RUNTIME_DIR"/afw/ssh-*
}

# -- its life --------------------------------------------------------------------

exit_is 0 'new makes a place' afw new slurm:one -- sh -c 'echo one; cat'
exit_is 0 'and another makes another' afw -H slurm new two -- sh -c 'echo two; cat'
is "$(ls "$T/places")" $'afw-slurm.one\nafw-slurm.two' 'named for the session'
exit_is 0 'ls' afw ls --json
is "$(json_of one host):$(json_of two host)" slurm.one:slurm.two 'lists both'
exit_is 0 'host' afw host --json
is "$(json_of slurm.one state):$(json_of slurm.two sessions)" running:1 'lists the places'
waits_for 'afw logs slurm:one | grep -q one' 'slurm:NAME is the session'
waits_for 'afw logs two | grep -q two' 'so is its name, if it is the only one'
exit_is 0 'exec' afw exec one -- sh -c 'echo x >file; git add file; git commit -qm work; echo y >new'
exit_is 8 'send' afw send slurm:one --raw 'some words'
waits_for 'afw logs one | grep -q "some words"' 'takes its text'
refused 2 'host slurm has a place for each session: name one' 'no session' afw -H slurm diff
refused 2 'name one' 'two sessions' afw -H slurm stop one two
refused 2 'it keeps its name' 'rename' afw rename slurm:one other
refused 6 'host slurm.none is down' 'a session that does not exist' afw -H slurm status none

# -- rm gives it back --------------------------------------------------------------

cd /
refused 2 'run it in the repository' 'rm from elsewhere' afw -H slurm rm --stop one
cd "$T/proj" || exit 2
exit_is 0 'rm' afw -H slurm rm --stop one
like "$err" 'slurm.one is given back' 'gives the place back'
is "$(ls "$T/places/afw-slurm.one/state" "$XDG_DATA_HOME/afw/hosts/slurm.one" 2>&1 |
	grep -c 'No such')" 2 'and forgets it'
is "$(git log -1 --format=%s af/one)" work 'its commits are here'
is "$(git show refs/afw/work/af/one:new)" y 'and its uncommitted work'
afw exec slurm:two -- sh -c 'echo z >two; git add two; git commit -qm two'
wait_for "afw status --json slurm:two >'$T/s'; json activity '$T/s' | grep -q idle"
exit_is 0 'merge' afw merge slurm:two
exit_is 0 'rm of what is merged' afw rm --stop slurm:two
is "$(git for-each-ref --format='%(refname)' 'refs/heads/af/two' 'refs/afw/work/af/two')" '' \
	'leaves no branch here'
exit_is 0 'host' afw host --json
is "$(grep -o 'slurm\.[a-z]*' <<<"$out")" '' 'no place is left'

# -- what goes wrong -----------------------------------------------------------------

run afw -H slurm new bad -a nosuch
isnt "$code" 0 'new that fails'
like "$err" 'slurm.bad is given back' 'gives back the place that it has made'
exit_is 0 'new' afw -H slurm new three -- sh -c 'echo three; cat'
hang slurm.three
echo 'NODE_FAIL n1' >"$T/places/afw-slurm.three/state"
refused 6 'host slurm.three is lost: fake afw-slurm.three: NODE_FAIL n1' \
	'a node that died' afw status slurm:three
run afw ls
like "$err" 'slurm.three: unreachable: .*NODE_FAIL n1' 'ls says it, too'
refused 6 'NODE_FAIL.*afw host down --yes slurm.three' 'rm' afw rm slurm:three
rm "$T/places/afw-slurm.three/state"
exit_is 0 'start makes a new place' afw start slurm:three
waits_for 'afw logs slurm:three | grep -q three' 'in which the session continues'
git branch -q af/three main
afw exec slurm:three -- git commit -q --allow-empty -m more
run afw rm --stop slurm:three
is "$code" 1 'a branch of the same name here'
like "$err" "rm 'three': nothing is removed, as its work cannot come here" 'keeps the session'
exit_is 0 'status' afw status slurm:three
exit_is 0 'rm --branch always' afw rm --stop --branch always slurm:three
is "$(ls "$XDG_DATA_HOME/afw/hosts")" '' 'discards it'
echo 'PENDING Resources' >"$T/queued"
mkdir -p "$T/places/afw-slurm.four"
cp "$T/queued" "$T/places/afw-slurm.four/state"
afw new slurm:four -- cat >"$T/out" 2>"$T/err" &
waits_for 'grep -q "slurm.four: queued in fake: afw-slurm.four PENDING Resources" "$T/err"' \
	'new says that its place is queued'
exit_is 0 'host' afw host --json
is "$(json_of slurm.four state)" queued 'so does host'
echo running >"$T/places/afw-slurm.four/state"
ends_with 0 $! 'and the session starts when it runs'
exit_is 0 'rm' afw rm --stop slurm:four

# -- keep = turn -----------------------------------------------------------------------

sed -i 's/^each.*/&\nkeep = turn/' "$config"
exit_is 0 'new with keep = turn' afw new slurm:five -- \
	sh -c 'while read -r word; do echo "$word" >"$word"; git add .; git commit -qm "$word"; echo u >loose; done'
waits_for 'git rev-parse -q --verify af/five' 'fetches the branch'
afw send slurm:five --raw -m alpha >"$T/log" 2>&1
waits_for '[ "$(git log -1 --format=%s af/five)" = alpha ]' 'and again at the end of a turn'
waits_for '[ "$(git show refs/afw/work/af/five:loose)" = u ]' 'with what is not committed'
afw status slurm:five >"$T/log"
pid=$(pgrep -of "$ROOT/share/hosts/keep .* slurm.five")
# With the subshell of its pipe.
waits_for '[ "$(pgrep -cf "$ROOT/share/hosts/keep .* slurm.five")" = 2 ]' 'one process does it'
git checkout -q af/five
afw send slurm:five --raw -m beta >"$T/log" 2>&1
waits_for 'afw host | grep -q "slurm.five.*is checked out"' 'host shows why it fails'
git checkout -q main
afw send slurm:five --raw -m gamma >"$T/log" 2>&1
waits_for '[ "$(git log -1 --format=%s af/five)" = gamma ]' 'and it goes on'
rm "$T/places/afw-slurm.five/state"
exit_is 0 'host down of a place that is gone' afw host down --yes slurm.five
waits_for 'has_ended "$pid"' 'ends what kept it'
is "$(git show af/five:alpha)" alpha 'what it fetched stays'
rm -rf "$T/places/afw-slurm.five"
run afw start slurm:five
is "$code" 3 'start in a place that is new: no such session'
like "$err" 'afw -H slurm new five --base BRANCH' 'says how to begin again'
exit_is 0 'which' afw -H slurm new five --base af/five -- sh -c 'ls; cat'
waits_for 'afw logs slurm:five | grep -q alpha' 'begins with what was fetched'
exit_is 0 'rm' afw rm --stop slurm:five

# -- a place with more than one session ---------------------------------------------

exit_is 0 'a session' afw new slurm:duo -- cat
exit_is 0 'another in its place' afw -H slurm.duo new more -- cat
exit_is 0 'work in it' afw -H slurm.duo exec more -- sh -c 'echo kept >work'
refused 2 'name one session' 'rm of both' afw -H slurm.duo rm --stop duo more
exit_is 0 'rm of the first' afw rm --stop slurm:duo
like "$err" 'slurm.duo stays: it has another session' 'keeps the place'
is "$(afw -H slurm.duo exec more -- cat work)" kept 'and the other one'
refused 9 'has sessions, or does not answer: what is only there would be deleted' \
	'host down' afw host down slurm.duo
exit_is 0 'with --yes' afw host down --yes slurm.duo

# -- an agent that amends what was fetched --------------------------------------------

exit_is 0 'a session' afw new slurm:am -- cat
exit_is 0 'commits' afw exec slurm:am -- sh -c 'echo 1 >a; git add a; git commit -qm first'
exit_is 0 'fetch' afw -H slurm fetch am
exit_is 0 'and amends' afw exec slurm:am -- git commit -q --amend -m second
exit_is 0 'fetch' afw fetch slurm:am
is "$(git log -1 --format=%s af/am)" second 'brings it here'
git commit-tree -p af/am -m mine 'af/am^{tree}' >"$T/mine"
git update-ref refs/heads/af/am "$(<"$T/mine")"
exit_is 0 'again' afw exec slurm:am -- git commit -q --amend -m third
refused 4 'has commits that the one there lacks' 'a commit of the user' afw -H slurm fetch am
is "$(git log -1 --format=%s af/am)" mine 'stays'
exit_is 0 'rm' afw rm --stop --branch always slurm:am
box_end
done_testing
