#!/bin/bash
# The texts for agents are in several contexts, each with its id.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
. "$ROOT/tests/cli/bridge.sh"
tdir=$DATA/templates/role
mkdir -p "$XDG_CONFIG_HOME/afw" "$tdir/context" .af/context "$HOME/notes" "$T/api"
echo 'Does it.' >"$tdir/prompt.md"
echo 'The port is 1: of the role.' >"$tdir/context/port"
echo 'The port is 2: of the repository.' >.af/context/port
echo 'The port is 3: of the notes.' >"$HOME/notes/port"
echo 'The colour is blue.' >"$T/api/colour"
ini=$XDG_CONFIG_HOME/afw/afw.ini

# -- the option --------------------------------------------------------------------

while read -r value why; do
	printf 'context = %s\n' "$value" >"$ini"
	afw config context >"$T/.null" 2>"$T/why"
	like "$(<"$T/why")" "context: .*$why" "$value is refused"
done <<'END'
notes not ID=PATH
=/tmp not ID=PATH
a/b=/tmp not ID=PATH
notes=relative a path begins with
repository=/tmp own ids
END
printf '%s\n' 'bridge = yes' 'context = notes=~/notes' "context = api=$T/api" \
	"context = none=$T/missing" >"$ini"

# -- the tools ---------------------------------------------------------------------

agent one --template role
use af_context_search '{"query":"port"}'
is "$(field contexts)" '["repository","template","notes","api","none"]' \
	'a search returns the ids of all contexts'
is "$(for i in 0 1 2; do echo "$(field found.$i.context)"; done | sort | xargs)" \
	'notes repository template' 'and finds in each, with its id'
use af_context_search '{"query":"port colour","context":"api"}'
is "$(field found.0.context) $(field found.0.name)" 'api colour' 'or in one of them'
nok_cmd 'alone' json_has found.1 /dev/stdin <<<"$said"
for id in repository:2 template:1 notes:3; do
	use af_context_get "{\"name\":\"port\",\"context\":\"${id%:*}\"}"
	like "$said" "port is ${id#*:}:" "the text of ${id%:*} is returned"
done
use af_context_get '{"name":"colour"}'
is "$said" 'The colour is blue.' 'without an id the first that has it'
use af_context_get '{"name":"colour","context":"notes"}'
is "$bad" true 'not from another context'
use af_context_search '{"query":"port","context":"note"}'
like "$said" "no context 'note'.*notes" 'an unknown id is refused, with the nearest'
ln -s "$T/api/colour" "$HOME/notes/link"
use af_context_get '{"name":"link","context":"notes"}'
is "$bad" true 'no link is followed'
echo 'The port is 4.' >"$HOME/notes/port"
use af_context_search '{"query":"4","context":"notes"}'
is "$(field found.0.name)" port 'changed texts are found'
afw stop one >/dev/null
disconnect
done_testing
