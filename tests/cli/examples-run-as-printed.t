#!/bin/bash
# Every block of the README and every EXAMPLES section of the man pages is typed
# into a shell as it is printed. Agents are the demo agent; the user's programs
# (npm, gh, notify-send) are replaced by programs that do nothing.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
mkdir "$T/bin"
export DEMO_SPEED=20 EDITOR=true PAGER=cat
ini=$XDG_CONFIG_HOME/afw/afw.ini
W=$T/.af_worktrees

# stand_in NAME [TEXT]: a program.
stand_in()
{
	printf '#!/bin/bash\n%s\n' "${2-}" >"$T/bin/$1"
	chmod +x "$T/bin/$1"
}
# shellcheck disable=SC2016
stand_in afw 'args=() before=
for arg; do
	[[ $before$arg =~ ^-a(claude|codex|gemini)$ ]] && arg=demo
	[[ $before$arg == -aclaude,codex ]] && arg="demo*2"
	[[ $before$arg == -m*"issue 7" ]] && arg="[[lines 1]]"
	args+=("${arg/read\?/read? [[lines 1]]}") before=$arg
done
exec "'"$BUILD"'/afw" "${args[@]}"'
stand_in npm 'echo "npm $* is ready"
[[ $* != *--port* ]] || exec perl -MIO::Socket::INET -e "
	my \$s = IO::Socket::INET->new(Listen => 1, LocalPort => ${*: -1}) or die;
	sleep 1 while 1"
[[ $* != *dev && $* != *watch ]] || exec tail -f /dev/null'
stand_in notify "echo \"\$*\" >>'$T/notified'"
stand_in notify-send
stand_in gh 'echo https://example.org/pull/1'
command -v jq >"$T/null" || stand_in jq 'exec "'"$BUILD"'/tests/tools/jsonget" "${2#.}"'
stand_in mmdebstrap
stand_in sudo 'exec "$@"'
stand_in apt
PATH=$T/bin:$PATH

# -- a shell that is typed into ----------------------------------------------------

typed=0
begin()
{
	# shellcheck disable=SC2016
	printf '%s\n' "cd '$1'" 'PS1="$ "' 'set +H' \
		'PROMPT_COMMAND='"'"'echo "$((++n)) $?" >"'"$T"'/prompt"'"'" \
		>"$T/rc"
	typed=1
	rm -f "$T/prompt"
	tmux_start 160 50 bash --noprofile --rcfile "$T/rc"
	wait_for '[[ $(<"$T/prompt") == "1 "* ]]'
}

# types LINE [CODE]: it ends with 0, or CODE.
types()
{
	starts "$1"
	ends "$1" "${2-0}"
}

starts()
{
	tmux_type "$1"
	tmux_keys Enter
	typed=$((typed + 1))
}

ends()
{
	wait_for '[[ $(<"$T/prompt") == "$typed "* ]]'
	like "$(<"$T/prompt")" "^$typed $2\$" "$1" || diag "$(tmux_screen)"
}

# is_now NAME WHAT; asks NAME: waits until it is, or asks.
is_now() { wait_for "[[ \$(state_of $1 activity) =~ $2 ]]"; }
asks() { wait_for "[[ \$(afw status $1 --json) == *'\"question\":\"'* ]]"; }

# -- the README ------------------------------------------------------------------

# block N: the Nth indented one.
block()
{
	awk -v n="$1" '/^    / { if (!was) i++; if (i == n) print substr($0, 5) }
		{ was = /^    / || (was && !NF) }' "$ROOT/README.md"
}

make_repo "$T/some-repo"
cd "$T/some-repo" || exit 2
is "$(for i in {1..5}; do block "$i" | head -n 1 | cut -c1-8; done)" \
	$'make dem\nmake && \n$ cd som\n# copied' 'the README has four blocks'
stand_in make 'cd '"'$ROOT'"' && exec '"$(command -v make)"' -n "$@" >'"'$T/made'"
begin "$T"
while IFS= read -r line; do
	types "$line"
done < <(block 1; block 2)
rm "$T/bin/make"

while IFS= read -r line; do
	[[ $line == '$ '* ]] || continue
	line=${line#??}
	case $line in
	'afw attach '*)
		asks fix-login
		starts "$line"
		tmux_wait_for '[y/n]'
		tmux_keys 'C-\'
		ends "$line" 0
		continue
		;;
	'afw send docs '*)
		asks docs
		afw send docs --deny >"$T/null"
		is_now docs 'idle|completed'
		afw send docs "[[until $T/go]]" >"$T/null"
		is_now docs working
		;;
	esac
	types "$line"
done < <(block 3)
touch "$T/go"
is "$(afw ls -q)" docs 'one session is left'
like "$(git log --format=%s)" 'Fix the login test' 'the work is in main'

mkdir .af
block 4 >.af/afw.ini
printf 'deps:\n\techo deps >deps\ntest:\n\ttest -e deps\n' >Makefile
printf '%s\n' .env node_modules datasets deps >.gitignore
git add Makefile .gitignore && git commit -qm make
mkdir node_modules datasets
echo KEY=1 >.env
exit_is 0 'the configuration can be trusted' afw trust --yes
for name in one two; do
	exit_is 0 "and session $name be made beside others" afw new $name -a demo
	is "$(cat "$W/some-repo-$name/.env" "$W/some-repo-$name/deps")" \
		$'KEY=1\ndeps' 'with the files'
	like "$(afw status $name)" 'service +web: ready' 'and the service'
done
afw send one '[[lines 1]]' >"$T/null"
waits_for '[ "$(state_of one check)" = passed ]' 'its check is run'
afw rm --stop one two docs >"$T/null"
rm -r .af
afw trust --remove >"$T/null"
tmux_stop

# -- the man pages -----------------------------------------------------------------

# examples PAGE: what its EXAMPLES display, a line each.
examples()
{
	awk '/^\.Sh/ { on = /EXAMPLES/; next } !on { next }
		/^\.Bd -literal/ { literal = 1; next }
		/^\.Ed/ { literal = 0; print ""; next }
		literal { print }
		sub(/^\.Dl /, "") { sub(/Qq .*/, "\"&\""); sub(/"Qq /, "\""); print }' \
		"$ROOT/man/$1" | sed 's/\\(dq/"/g; s/\\e/\\/g'
}

# session NAME...: each is there, and idle.
session()
{
	local name
	for name; do
		afw ls -q 2>"$T/null" | grep -qx "$name" ||
			afw new "$name" -a demo >"$T/new" 2>&1
	done
	for name; do
		is_now "$name" 'idle|completed' ||
			diag "$(afw ls 2>&1; cat "$T/new")"
	done
}

# gone: no session is.
gone()
{
	local names
	mapfile -t names < <(afw ls -q 2>"$T/null")
	[ ${#names[@]} = 0 ] || afw rm --stop -D "${names[@]}" >"$T/null" 2>&1
}

# fresh NAME...: session, with new ones.
fresh()
{
	gone
	session "$@"
}

# checked: so is fix-login, and its last turn has passed its check.
checked()
{
	printf 'harness = demo\ncheck = echo tested\n' >"$ini"
	fresh fix-login
	afw send fix-login '[[lines 1]]' >"$T/null"
	wait_for '[ "$(state_of fix-login check)" = passed ]'
}

# before PAGE LINE: what LINE needs, which it may change, with code.
before()
{
	local tree=$W/some-repo-fix-login names
	case "$1: $2" in
	'afw-adapters.1: '*) cp "$ROOT/tests/corpus/codex/idle.cast" codex.cast ;;
	'afw-checkpoints.1: afw checkpoints'*)
		session fix-login
		for _ in 1 2 3; do afw checkpoint fix-login >"$T/null"; done
		;;
	'afw-commit.1: afw commit'*)
		session fix-login
		echo 1 >"$tree/login"
		;;
	'afw-compare.1: afw new'*)
		gone
		printf 'harness = demo\ncheck = true\n' >"$ini"
		;;
	'afw-compare.1: '*--diff*)
		line=${line/fix-claude fix-codex/fix-demo-1 fix-demo-2}
		;;
	'afw-compare.1: afw commit'*)
		line=${line/codex/demo-2}
		echo 7 >"$W/some-repo-fix-demo-2/issue"
		;;
	'afw-compare.1: afw merge'*) line=${line/codex/demo-2} ;;
	'afw-completion.1: '*fish*) line=${line% | source} ;;
	'afw-completion.1: '*zsh*) mkdir ~/.zfunc ;;
	'afw-conflicts.1: '*)
		git branch -f release
		session api web
		;;
	'afw-diff.1: '*--turn*)
		session fix-login
		afw send --wait fix-login '[[write one]]' >"$T/null" 2>&1
		;;
	'afw-grep.1: afw grep'*) code=1 ;; # no session had it
	'afw-interrupt.1: afw interrupt'*)
		fresh fix-login
		afw send fix-login "[[until $T/never]]" >"$T/null"
		is_now fix-login working
		;;
	'afw-logs.1: '*-n*) checked ;;
	'afw-memory.1: '*--forget*) code=1 ;; # there is none
	'afw-pr.1: '*--title*)
		fresh fix-login
		git init -q --bare "$T/remote.git"
		git remote add origin "$T/remote.git"
		git -C "$tree" commit -q --allow-empty -m work
		;;
	'afw-retry.1: '*)
		fresh fix-login
		afw send fix-login '[[exit 3]]' >"$T/null"
		wait_for '[ "$(state_of fix-login phase)" = error ]'
		;;
	'afw-review.1: '*)
		fresh fix-login # the one before has another turn to come
		echo 1 >"$tree/reviewed"
		[[ $2 != *--send* ]] ||
			afw review fix-login --add <<<'{"text":"[[lines 1]]"}' >"$T/null" 2>&1
		;;
	'afw-rm.1: '*fix-codex*) session fix-codex ;;
	'afw-sandbox.7: afw exec'*) code=2 ;; # of ls: it cannot read that
	'afw-start.1: '*-m*)
		fresh fix-login
		afw stop fix-login >"$T/null"
		;;
	'afw-status.1: '*--explain*)
		fresh fix-login
		afw send fix-login '[[ask]]' >"$T/null"
		asks fix-login
		;;
	'afw-suspend.1: afw suspend'*)
		printf '[harness.demo]\nresume = %s/share/demo-agent\n' "$ROOT" >>"$ini"
		fresh api web
		;;
	'afw-trust.1: git diff'*)
		mkdir .af
		echo 'check = true' >.af/afw.ini
		git update-ref ORIG_HEAD HEAD
		;;
	'afw-undo.1: '*--dry-run*)
		fresh fix-login
		mkdir "$tree/src"
		echo 1 >"$tree/src/login.c"
		for _ in 1 2; do afw checkpoint fix-login >"$T/null"; done
		afw send --wait fix-login '[[write one]]' >"$T/null" 2>&1
		session fix-login
		;;
	'afw-undo.1: '*--files*)
		session fix-login
		echo 2 >"$tree/src/login.c"
		;;
	'afw-attach.1: '* | 'afw-capture.1: '* | 'afw-checkpoint.1: '* | \
		'afw-dashboard.1: '* | 'afw-events.1: '* | 'afw-exec.1: '* | \
		'afw-ls.1: '* | 'afw-top.1: '* | 'afw-undo.1: '*--redo*)
		session fix-login
		;;
	'afw-flag.1: '* | 'afw-group.1: '*) session api db ;;
	'afw-land.1: '*)
		checked
		git -C "$tree" commit -q --allow-empty -m work
		[[ $2 == *-n* ]] || line+=' --yes'
		;;
	'afw-merge.1: '*--rest*)
		gone
		afw new fix-codex -a demo -g fix >"$T/null" 2>&1
		afw new fix-claude -a demo -g fix >"$T/null" 2>&1
		session fix-codex fix-claude
		;;
	'afw-merge.1: '*)
		checked
		git -C "$tree" commit -q --allow-empty -m work
		;;
	'afw-new.1: afw new fix-login'* | 'afw-sandbox.7: afw new'* | \
		'afw-templates.1: '*fix-parser*ralph*) gone ;;
	'afw-rename.1: '* | 'afw-restart.1: '*) fresh fix-login ;;
	'afw-send.1: '*--question*)
		session fix-login
		afw send fix-login '[[ask]]' >"$T/null"
		asks fix-login
		line=${line/3f2a9c1e/$(state_of fix-login question_id)}
		;;
	'afw-send.1: '*--keys*)
		session fix-login
		afw send fix-login '[[ask]]' >"$T/null"
		asks fix-login
		;;
	'afw-send.1: '*)
		mapfile -t names < <(grep -oE 'fix-login|review|api|web' <<<"$2")
		fresh "${names[@]}"
		;;
	'afw-trash.1: git -C'*)
		session old
		echo 1 >"$W/some-repo-old/1"
		afw rm --stop old >"$T/null"
		line=${line/<id>/$(json 0.id <(afw trash ls --json))}
		;;
	'afw-wait.1: '*--checked*)
		gone
		printf 'harness = demo\ncheck = true\n' >"$ini"
		session fix-login
		afw group fix-login --add fix >"$T/null"
		afw send fix-login '[[lines 1]]' >"$T/null"
		;;
	'afw-wait.1: '*)
		fresh fix-login
		afw send fix-login '[[ask]]' >"$T/null"
		;;
	'afw-supervisor.8: '* | 'afw-worktree.8: '*)
		line=${line#'$ '}
		line=${line/'/usr/local/libexec/afw'/$BUILD}
		;;
	'afw.1: afw new'*) gone ;;
	'afw.1: afw attach'*) asks fix-login ;;
	esac
}

# during PAGE LINE: what the user does meanwhile. code is what then comes.
during()
{
	case "$1: $2" in
	'afw-attach.1: '*)
		tmux_wait_for 'works in some-repo'
		tmux_keys 'C-\'
		;;
	'afw-dashboard.1: '* | 'afw-ls.1: '*--watch*)
		tmux_wait_for 'AGENT'
		tmux_keys q
		;;
	'afw-trust.1: afw trust'* | 'afw-undo.1: afw undo fix-login'* | \
		'afw-undo.1: '*--redo*)
		tmux_wait_for '[y/N]'
		tmux_keys y Enter
		;;
	'afw-events.1: '*-f*)
		wait_for 'afw send fix-login "[[lines 1]]"; [ -s "$T/notified" ]'
		tmux_keys C-c
		code='[0-9]*' # of whichever of the two Ctrl-C ended first
		;;
	'afw-exec.1: '*-f*)
		tmux_wait_for 'npm run test:watch is ready'
		tmux_keys C-c
		code=130
		;;
	'afw-exec.1: '*--attach*)
		tmux_wait_for 'leaves, it'
		tmux_keys 'C-\'
		;;
	'afw.1: afw attach'*)
		tmux_wait_for '[y/n]'
		tmux_keys n
		tmux_wait_for 'Done: '
		tmux_keys 'C-\'
		;;
	esac
}

# A line that ends in | or \ continues.
joined() { sed -e ':a' -e '/[|\\]$/{N;s/\\*\n */ /;ba' -e '}'; }

mkdir -p "${ini%/*}"
for page in $(cd "$ROOT/man" && grep -l '^\.Sh EXAMPLES' -- *); do
	case $page in
	afw-mcp.1 | afw-protocol.7 | afw.ini.5) continue ;; # no commands
	afw-fetch.1)
		skip 1 "$page: work-comes-back-from-another-machine.t has a machine"
		continue
		;;
	afw-image.1)
		# Here they would take an image's time; and a registry.
		skip 1 "$page: podman-builds-images.t builds them"
		continue
		;;
	afw-sandbox.7)
		has=$("$BUILD/afw-supervisor" confine | tr '\n' ' ')
		[[ $has == [6-9]\ yes\  ]] || {
			skip 2 "$page: no landlock here"
			continue
		}
		;;
	esac
	rm -rf .af
	printf 'harness = demo\n' >"$ini"
	case $page in
	afw.1) begin "$T" ;;
	*) begin "$PWD" ;;
	esac
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		code=0
		before "$page" "$line"
		starts "$line"
		during "$page" "$line"
		ends "$line" "$code"
	done < <(examples "$page" | joined)
	tmux_stop
done
gone

out=$(examples afw-mcp.1)
is "$(json mcpServers.afw.command)" afw 'afw-mcp(1) has JSON'
session fix-login
if command -v python3 >"$T/null"; then
	examples afw-protocol.7 >"$T/screen.py"
	exit_is 0 'afw-protocol(7) has a client' python3 "$T/screen.py" \
		"$DATA/sessions/$(state_of fix-login id)/control"
	like "$out" $'^fix-login\n.*demo-agent' 'which prints the screen'
else
	skip 2 'no python3'
fi
examples afw.ini.5 >"$ini"
touch .env.local
exit_is 0 'afw.ini(5) has a configuration' afw new ini -a demo
is "$(cd "$W/some-repo-ini" && ls -d .env .env.local datasets)" \
	$'.env\n.env.local\ndatasets' 'which is used'
is "$(afw config get detach_key)" C-q 'all of it'
gone
done_testing
