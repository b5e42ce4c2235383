#!/bin/bash
# The dashboard's views compared with tests/tui/golden/*.txt, without tmux.
# After an intended change: UPDATE=1 tests/tui/dashboard-looks-as-it-did.t, and
# check with git diff. Times are in the future, so that all ages are 0s.
. "$(dirname "$0")/dash.sh"

mkdir "$T/bin"
cp "$BUILD/afw-dashboard" "$T/bin/"
cat >"$T/bin/afw" <<'END'
#!/bin/bash
case $1 in
logs) printf 'what it showed, line %d\n' {1..60} ;;
events) printf '12:00:%02d  phase     running\n' {1..30} ;;
checkpoints) echo '[{"number":1,"at":"2020-01-01T00:00:00Z","kind":"turn-begin","files":2,
	"lines_added":12,"lines_removed":3,"check":"failed","text":"Greet by name 日本"},
	{"number":2,"at":"2020-01-01T00:10:00Z","kind":"user","files":0,"text":"before lunch"},
	{"number":3,"at":"2020-01-02T00:10:00Z","kind":"turn-begin","files":1,"lines_added":4,
	"lines_removed":0,"text":"test it"},
	{"number":4,"at":"2020-01-02T00:20:00Z","kind":"turn-end","text":"test it"}]' ;;
status) printf 'Activity:  waiting_for_input, by the screen\n' ;;
send) echo '[{"id":"1","name":"works","message":1,"bytes":21,"waited_ms":-99999999,
	"waits_for":"the end of the turn","first_line":"and then the tests 👩‍💻"},
	{"id":"1","name":"works","message":2,"bytes":4,"waited_ms":-99999999,
	"waits_for":"the message before","first_line":"done"}]' ;;
trash) echo '[{"id":"2","name":"old","repository":"/src/shop","bytes":123456,
	"removed_at":"2099-01-01T00:00:00Z","goes_at":null,"holds":null}]' ;;
merge) printf 'af/asks into main: 2 commits\n  1f8754990e greet by name\n  41047b4a26 test it\n'
	echo 'it would be merged into main without a conflict: fast-forward' ;;
land) echo '{"into":"main","sessions":[{"id":"1","name":"done","why":null,"files":2,"lines_added":12,
	"lines_removed":0,"conflicts_with":[],"check":["make","test"]},
	{"id":"2","name":"works","why":null,"files":3,"lines_added":40,"lines_removed":9,
	"conflicts_with":["done in src/日本.c"],"check":["make","test"]},
	{"id":"3","name":"login","why":"its check failed","files":1,"lines_added":3,"lines_removed":1,
	"conflicts_with":[],"check":["make","test"]}]}' ;;
conflicts) echo '{"pairs":[{"a":"approve","b":"done","files":["src/greet.c"],"conflicts":[
	{"path":"src/greet.c","what":"both changed it","lines":[{"from":3,"to":3},{"from":7,"to":9}]}]},
	{"a":"approve","b":"works","files":["README","src/greet.c"],"conflicts":[]}],
	"order":["done","works"],"in_the_way":["approve"]}' ;;
compare) echo '[{"id":"00000000000000000000abc000000001","merges":"yes","turns":3,"worked_ms":754000},
	{"id":"00000000000000000000abc000000004","merges":"no","turns":12,"worked_ms":4000,
	"conflicts":[{"path":"src/greet.c"}]}]' ;;
diff) cat <<'DIFF' ;;
diff --git a/src/greet.c b/src/greet.c
index 3b18e51..a042389 100644
--- a/src/greet.c
+++ b/src/greet.c
@@ -1,3 +1,4 @@
 #include <stdio.h>
-puts("hello");
+printf("hello, %s\n", name);
+puts("日本 👩‍💻 é");
DIFF
esac
END
chmod +x "$T/bin/afw"

# golden NAME COLSxROWS [STEP...]: the steps are play's, the picture is
# golden/NAME.txt, in which $T is /tmp/afw.TTTTTT.
golden()
{
	local file=$ROOT/tests/tui/golden/$1.txt name=$1 size=$2 until=()
	shift 2
	if [ -z "${UPDATE-}" ]; then
		sed "s|/tmp/afw.TTTTTT|$T|g" "$file" >"$T/wanted"
		until=(-u "$T/wanted")
	fi
	printf '%s\n' "$@" | PATH=/usr/bin:/bin TZ=UTC "$BUILD/tests/tools/play" -s "$size" "${until[@]}" \
		"$T/bin/afw-dashboard" >"$T/picture"
	sed -i "s|$T|/tmp/afw.TTTTTT|g" "$T/picture"
	[ -z "${UPDATE-}" ] || cp "$T/picture" "$file"
	if out=$(diff -u "$file" "$T/picture"); then
		pass "$name${*:+ ($*)}"
	else
		fail "$name${*:+ ($*)}"
		diag "$out"
	fi
}

golden empty 80x24
golden help 80x24 '?'
golden palette 80x24 ':' 'type st' Down
golden palette-narrow 40x10 ':'
golden help-whole 80x44 '?'
golden form 80x24 'n S-Tab C-u' 'type /nowhere' 'Tab'
golden form-small 40x10 'n S-Tab S-Tab' 'type main'
golden form-wide 200x50 n 'type make the login test pass' 'Tab Tab Tab Right'

# NAME PHASE ACTIVITY MORE
there()
{
	created=2099-01-01T00:00:$((10 + _fake)).000Z
	fake_session "$@"
	sed -i 's/"activity_since":.*/"activity_since":"2099-01-01T00:00:00Z","updated_at":"2099-01-01T00:00:00Z"}/' \
		"$dir/state.json"
}
there approve running waiting_for_input '"detail":"Run rm -rf build && make?","question":"Run rm -rf build && make?","question_id":"a1b2c3d4",'
there question running waiting_for_input '"detail":"Which of the two? 日本",'
there broken error '' '"error_reason":"it could not start: claude is not in PATH",'
there done running completed '"title":"Claude Code","last_line":"> ","said":"All tests pass 👩‍💻 👍🏽 ❤️ 🇩🇪 é.",'
mkdir "$dir/groups" && : >"$dir/groups/web"
there works running working '"last_line":"/ Reading","detail":"Reading src/main.c",'
queued=2 there idle running idle ''
there stopped stopped '' '"exit_code":0,"last_line":"/ Reading","said":"Three files changed.",'
printf '{"lines":["the last","screen"],"cursor":[0,1],"cols":80,"rows":24}' >"$dir/screen.json"
there suspended suspended '' ''
hold approve question done works idle

golden list 80x24
golden list 80x24 'storm 1000'
golden list 80x24 'size 1x1' 'size 80x24'
golden list-narrow 40x10
golden list-wide 200x50
golden list-beside 200x24
golden list-without-preview 80x24 p
golden groups 80x24 b
golden groups-narrow 40x10 b h o
golden groups-wide 200x50 b b
golden filter 80x24 / 'type st'
golden marked 80x24 'Space Space'
golden last-screen 80x24 G
golden too-small 39x9
golden tab-diff 80x24 2
golden tab-log 80x24 3
golden tab-info 80x24 4
golden tab-turns 80x24 5
golden turns-help 80x24 '5 ?'
golden reader 80x24 2 NPage
golden diff 80x24 d
golden inbox 80x24 I
golden inbox-narrow 40x10 I
golden inbox-wide 200x50 'I j'
golden inbox-help 80x24 'I ?'
golden queue 80x24 Q
golden queue-narrow 40x10 Q
golden queue-help 80x24 'Q ?'
golden trash 80x24 T
golden merge 80x24 m
golden merge-message 80x24 m 'wait without a conflict' c
golden conflicts 80x24 X
golden land 80x24 'L Down Space'
golden land-narrow 40x10 L
golden land-help 80x24 'L ?'
golden compare 80x24 'Space j j Space C Down'
golden compare-narrow 40x10 'Space j j Space C'
golden compare-help 80x24 'Space j j Space C ?'
golden compare-diffs 80x24 'Space j j Space C Enter'
golden compare-diffs-wide 200x50 'Space j j Space C Enter Tab'
golden typing 80x24 i
golden confirm 80x24 x
golden confirm-many 80x24 'Space Space Space x'
golden editor 80x24 'j j j j s' 'type a word'

# The same on a larger screen, and on a very large one.
golden list-120 120x40
golden list-200 200x60
golden merge-120 120x40 m
golden diff-120 120x40 d
golden diff-200 200x60 d
golden conflicts-120 120x40 X
golden compare-120 120x40 'Space j j Space C Down'
golden turns-120 120x40 5
golden form-120 120x40 n 'type make the login test pass'

# Where there are several repositories, each has a line of its own.
release_locks
repo=$T/shop there elsewhere running waiting_for_input '"detail":"Which one?",'
hold approve question done works idle elsewhere
golden repositories 80x24
golden repositories-narrow 40x10

# Every column, and those that give way first.
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '[dashboard]\ngroup = none\ncolumns = %s\n' "name harness state check for branch changes \
conflicts services memory cost group repository says" >"$XDG_CONFIG_HOME/afw/afw.ini"
release_locks
there counted running working '"check":"failed","files_changed":2,"lines_added":12,
	"lines_removed":3,"cost_micro":1234567,"services":[{"name":"db","state":"ready"},
	{"name":"web","state":"starting"}],"detail":"Writing",'
hold approve question done works idle elsewhere counted
golden columns-wide 220x50 p
golden columns 110x24
golden columns-narrow 60x10
end
