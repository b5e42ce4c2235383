#!/bin/bash
# af_spec_read knows the sections of PLAN.md, and which of them were reported
# completed.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'bridge = yes' >"$XDG_CONFIG_HOME/afw/afw.ini"
. "$ROOT/tests/cli/bridge.sh"
agent one
done_now() # the titles of what is done
{
	use af_spec_read
	json sections /dev/stdin <<<"$said" |
		grep -o '"title":"[^"]*","line":[0-9]*,"done":true' |
		sed 's/"title":"\([^"]*\)".*/\1/' | paste -sd, -
}

use af_spec_read
unlike "$said" 'sections|plan' 'without a plan there are no sections'
use af_subtask_state '{"state":"completed","section":"Parser"}'
like "$said" "no section 'Parser'" 'and none can be reported as completed'

cat >"$tree/PLAN.md" <<'END'
# A wall
Two sentences.
## Parser ##
Reads it.
### Its tests
A test.
```
## no heading
```
## Printer
Prints it.
#no heading either
END
use af_spec_read
is "$(field sections)" '[{"title":"Parser","line":3,"done":false},{"title":"Printer","line":10,"done":false}]' \
	'the sections are the headings of the level that has several'
is "$(field sections_done)" 0 'none is done'
use af_spec_read '{"section":"Parser"}'
is "$(field plan)" $'## Parser ##\nReads it.\n### Its tests\nA test.\n```\n## no heading\n```' \
	'one section is read, with what is below it'
use af_spec_read '{"section":"Printer"}'
is "$(field plan)" $'## Printer\nPrints it.\n#no heading either' 'and the last'
use af_spec_read '{"section":"Prnter"}'
like "$said" "no section 'Prnter'.*Printer" 'a wrong title is refused, with the nearest'

use af_subtask_state '{"state":"working","section":"Parser"}'
is "$(done_now)" '' 'a section in work is not done'
use af_subtask_state '{"state":"completed","section":"Parser","detail":"with tests"}'
is "$(done_now)" Parser 'a section reported completed is done'
waits_for '[ "$(state_of one subtask_detail)" = "Parser: with tests" ]' \
	'and the user sees it'
use af_subtask_state '{"state":"completed","section":"Printer"}'
use af_spec_read
is "$(field sections_done)" 2 'all are done'
use af_subtask_state '{"state":"failed","section":"Parser"}'
is "$(done_now)" Printer 'until it is reported otherwise'
failed='"event":"subtask","state":"failed".*"section":"Parser"'
waits_for '[[ $(afw events one --json) =~ $failed ]]' 'each report is an event'
sed -i 's/## Printer/## Printer of walls/' "$tree/PLAN.md"
is "$(done_now)" '' 'a section with another title is another'
sed -i 's/## Printer of walls/## Printer/' "$tree/PLAN.md"
is "$(done_now)" Printer 'and what was reported is kept'
for ((i = 0; i < 300; i++)); do echo "## Step $i"; done >"$tree/PLAN.md"
use af_spec_read '{"section":"Step 199"}'
is "$(field plan | head -1)" '## Step 199' 'at most 200 sections are known'
use af_spec_read '{"section":"Step 200"}'
is "$bad" true 'and no more'
afw stop one >/dev/null
disconnect
done_testing
