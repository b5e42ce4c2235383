#!/bin/bash
# afw-supervisor --stdio, start with repo: a session in a local repository, or
# in a clone; both are removed again if the agent does not run.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T" || exit 2
mkfifo in
# lib.sh gives everybody a name.
unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL \
	EMAIL
git config --global --unset-all user.name
git config --global --unset-all user.email

# serve: the server is $pid; say writes it a line, its events are in ev.
serve()
{
	: >ev
	"$BUILD/afw-supervisor" --stdio <in >>ev 2>>"$T/errors" &
	pid=$!
	exec {in}>in
	wait_for 'grep -q system:ready ev'
}

say()
{
	printf '%s\n' "$@" >&"$in"
}

# finish CODE NAME: its input ends, and so does it.
finish()
{
	exec {in}>&-
	ends_with "$1" "$pid" "$2"
}

# told EVENT [REGEX]: the event was printed.
told()
{
	grep "\"ev\":\"$1\"" ev | grep -qE -- "${2-}"
}

# refused CODE REGEX NAME REQUEST: that start is an error, and alone.
refused()
{
	: >ev
	say "$4"
	waits_for "told error '\"code\":$1,.*$2'" "$3" 'cat ev'
}

texts()
{
	grep "agent:$1" ev | json data /dev/stdin | grep .
}

nothing_made()
{
	is "$(ls "$XDG_DATA_HOME/afw/sessions" 2>/dev/null)$(ls "$T/.af_worktrees" 2>/dev/null)$(
		git -C "$T/repo" branch --format='%(refname:short)')" main \
		'and nothing is left'
}

# Bad input: one clear error each.
serve
refused 2 'repo needs branch' 'repo without branch' '{"cmd":"start","repo":"./repo"}'
refused 2 'harness needs repo' 'harness without repo' \
	'{"cmd":"start","argv":["cat"],"harness":"claude"}'
refused 2 'base.. of start is not a text' 'a base that is no text' \
	'{"cmd":"start","repo":"./repo","branch":"b","base":7}'
refused 2 'exclude each other' 'dir and repo' \
	'{"cmd":"start","repo":"./repo","branch":"b","dir":"."}'
refused 2 'argv is empty.*AGENT_CMD' 'no agent at all' '{"cmd":"start"}'
refused 1 'repo: ./nowhere: No such file' 'no such directory' \
	'{"cmd":"start","repo":"./nowhere","branch":"b"}'
refused 1 'not a git repository' 'no repository' \
	'{"cmd":"start","repo":"/","branch":"b","argv":["cat"]}'
refused 2 'branch: ' 'a branch that gives no name' \
	'{"cmd":"start","repo":"./repo","branch":"-x","argv":["cat"]}'
refused 1 'not valid' 'a branch that git refuses' \
	'{"cmd":"start","repo":"./repo","branch":"a b","argv":["cat"]}'
refused 2 'no agent .nobody' 'a harness that is not there' \
	'{"cmd":"start","repo":"./repo","branch":"b","harness":"nobody"}'
refused 2 'sandbox' 'a sandbox that is not there' \
	'{"cmd":"start","repo":"./repo","branch":"b","sandbox":"sand","argv":["cat"]}'
refused 2 'user name or password' 'a URL with a password' \
	'{"cmd":"start","repo":"https://me:hush77@example.org/x","branch":"b"}'
refused 2 'user name or password' 'that of a remote helper' \
	'{"cmd":"start","repo":"http::http://me:hush77@example.org/x","branch":"b"}'
refused 2 'user name or password' 'or of ssh' \
	'{"cmd":"start","repo":"ssh://me:hush77@example.org/x","branch":"b"}'
nok_cmd 'which is not repeated' grep -q hush77 ev
refused 2 'workspace is for a repo to clone' 'a workspace without a clone' \
	'{"cmd":"start","repo":"./repo","branch":"b","workspace":"w"}'
nothing_made

# It is rolled back if the agent does not run.
printf '#!/nonexistent/interpreter\n' >bad && chmod +x bad
refused 1 'No such file' 'an agent that cannot be run' \
	'{"cmd":"start","repo":"./repo","branch":"b","argv":["'"$T"'/bad"]}'
nothing_made
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'setup = sh -c "echo begun >\"$0\"; sleep 600" '"$T/begun" \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
: >ev
say '{"cmd":"start","repo":"./repo","branch":"b","argv":["cat"]}'
wait_for '[ -s "$T/begun" ]'
say '{"cmd":"start","argv":["cat"]}'
waits_for 'told error "\"code\":4.*already"' 'one start at a time'
say '{"cmd":"stop"}'
ends_with 1 "$pid" 'a stop while it is made ends it'
exec {in}>&-
ok_cmd 'is reported' told error 'stopped before the agent ran'
rm "$XDG_CONFIG_HOME/afw/afw.ini"
nothing_made

# The whole way, in a repository that is here.
serve
say '{"cmd":"start","repo":"./repo","branch":"topic/one","prompt":"Implement X","env":["OPEN=seen"],"secrets":["HIDDEN=s3cretValue52"],"argv":["sh","-c","pwd; echo $OPEN $HIDDEN; git commit --allow-empty -qm work; git log -1 --format=%an:%ae:%cn:%ce; exec cat"]}' \
	'{"cmd":"chat","text":"said too early"}'
waits_for 'texts stdout | grep -q early' 'an agent runs, and reads both texts' \
	'cat ev'
is "$(texts stdout)" "$T/.af_worktrees/repo-topic-one
seen s3cretValue52
tasks:tasks@localhost:tasks:tasks@localhost
Implement X
said too early" 'in its worktree, as tasks@localhost'
ok_cmd 'the workspace is reported' told workspace:ready \
	'"name":"topic-one","dir":"'"$T"'/.af_worktrees/repo-topic-one","branch":"topic/one"'
agent=$(json pid <(grep agent:started ev))
guard=$(awk '/^PPid:/ { print $2 }' "/proc/$agent/status")
if [ "$(id -u)" = 0 ] && [ -z "${SANITIZE-}" ]; then
	is "$(perl "$ROOT/tests/memory_has.pl" "$guard" \
		'"HIDDEN=|HIDDEN=s3cretV')$?" 0 "its secret is not in the guard's memory"
else
	skip 1 'root only, without sanitizers'
fi
say '{"cmd":"exec","id":"a","argv":["sh","-c","git branch --show-current; echo $OPEN-$HIDDEN"]}'
waits_for 'told exec:result "topic/one.nseen-.n"' 'a command runs beside it'
like "$(cd repo && afw ls)" 'topic-one +generic +working' 'it is in the list'
refused 4 'already' 'not twice' '{"cmd":"start","repo":"./repo","branch":"b"}'
cd repo || exit 2
refuses_send()
{
	run afw send topic-one -m hello
	[ "$code" = 2 ] && grep -q 'is headless: only the program that started it' <<<"$err"
}
ok_cmd 'no other process writes to it' refuses_send
exit_is 0 'it can be asked' afw status topic-one
exit_is 0 'and stopped' afw stop topic-one
cd ..
ends_with 143 "$pid" 'it ends with its agent'
exec {in}>&-
is "$(tail -n 1 ev)" '{"ev":"agent:exit","code":null,"signal":"SIGTERM","asked":true}' \
	'which is its last word'
cd repo || exit 2
is "$(state_of topic-one phase) $(state_of topic-one signal)" 'stopped 15' \
	'and the state of the session'
git config --global user.name Me
git config --global user.email me@example.org
exit_is 0 'its work can be merged' afw merge topic-one
is "$(git log -1 --format=%s)" work 'and is'
run grep -rla s3cretValue52 "$XDG_DATA_HOME/afw"
is "$out" '' 'a secret is in no file'
cd ..

# One's own name; AGENT_CMD; a harness by its name.
export AGENT_CMD=sh AGENT_ARGS="-c 'echo \"\$0\"; git commit --allow-empty -qm w; git log -1 --format=%an:%ae' 'two words'"
serve
say '{"cmd":"start","repo":"./repo","branch":"two"}'
ends_with 0 "$pid" 'AGENT_CMD runs'
exec {in}>&-
is "$(texts stdout)" 'two words
Me:me@example.org' "with the words of AGENT_ARGS, and the user's name"
unset AGENT_CMD AGENT_ARGS
git -C repo branch there main
printf '[harness.mine]\ncommand = cat\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
serve
say '{"cmd":"start","repo":"'"$T"'/repo","branch":"there","harness":"mine","argv":["-"],"sandbox":"none"}'
waits_for 'told agent:started' 'a harness of afw, on a branch that is there' \
	'cat ev'
{ kill -KILL "$pid" && wait "$pid"; } 2>/dev/null
exec {in}>&-
wait_for '[ "$(cd repo && state_of there phase)" = error ]'
serve
refused 4 'has harness mine' 'a session of another agent' \
	'{"cmd":"start","repo":"./repo","branch":"there","argv":["cat"]}'
refused 1 'No such file' 'a session whose agent does not start any more' \
	'{"cmd":"start","repo":"./repo","branch":"two","argv":["'"$T"'/bad"]}'
is "$(cd repo && state_of two phase) $(git -C .af_worktrees/repo-two log -1 --format=%s)" \
	'error w' 'is kept'
say '{"cmd":"start","repo":"./repo","branch":"two","argv":["sh","-c","git log -1 --format=%s; exec cat"]}'
waits_for 'texts stdout | grep -qx w' 'the session of the branch is used again' \
	'cat ev'
is "$(cd repo && state_of two phase)" running 'and is running'
"$BUILD/afw-supervisor" --stdio >ev2 < <(
	echo '{"cmd":"start","repo":"./repo","branch":"two","argv":["cat"]}'
	wait_for 'grep -q code ev2'
)
like "$(cat ev2)" '"code":4,.*session of that name' 'which no other server uses then'
finish 143 'it ends'
serve
say '{"cmd":"start","repo":"./repo","branch":"there","harness":"mine"}'
waits_for 'told agent:started' 'one whose server was killed, too' \
	'cat ev'
finish 143 'it ends'
serve
refused 4 'exists already' 'a branch that is there, with a base' \
	'{"cmd":"start","repo":"./repo","branch":"main","base":"there","argv":["cat"]}'
finish 1 'no agent was started'

# A clone, from git's own server with a password.
command -v python3 >/dev/null || { skip 16 'no python3'; done_testing; exit; }
[ -x "$(git --exec-path)/git-http-backend" ] ||
	{ skip 16 'no git http-backend'; done_testing; exit; }
mkdir -p srv/owner && git clone -q --bare repo srv/owner/app.git
git -C srv/owner/app.git branch dev main
git -C srv/owner/app.git config http.receivepack true
mkfifo hold
TOKEN=t0kenOfMine77 python3 "$ROOT/tests/tools/git_http.py" "$T/srv" \
	"$T/http.log" <hold >port &
exec {hold}>hold
wait_for '[ -s port ]'
export GITHUB_SERVER_URL=http://127.0.0.1:$(cat port)
# It must not be asked, and must not store anything.
git config --global credential.helper store
mkdir ws && cd ws || exit 2
mkfifo in
serve
refused 1 'clone .*app.git: .*(Username|terminal prompts)' 'without a token' \
	'{"cmd":"start","repo":"owner/app","branch":"task","argv":["cat"]}'
refused 1 'Authentication failed' 'with another one' \
	'{"cmd":"start","repo":"owner/app","branch":"task","secrets":["GITHUB_TOKEN=wrong"],"argv":["cat"]}'
nok_cmd 'it is not stored' grep -rq wrong "$HOME"
is "$(echo *)" 'ev in' 'nothing is left'
say '{"cmd":"start","repo":"owner/app","branch":"task","base":"dev","secrets":["GITHUB_TOKEN=t0kenOfMine77"],"argv":["sh","-c","git commit --allow-empty -qm more; git push -q origin task; echo pushed; exec cat"]}'
waits_for 'texts stdout | grep -q pushed' 'a clone is made, and pushed to' \
	'cat ev'
is "$(git -C ../srv/owner/app.git log -1 --format=%s task)" more 'it is there'
run grep -rlaE 't0kenOfMine77|x-access' "$T" --exclude-dir=srv \
	--exclude=http.log
is "$out" '' 'the token is in no file'
ok_cmd 'no other credential helper was asked' grep -q 'git-receive-pack x-access-token' ../http.log
run grep -la t0kenOfMine77 /proc/"$pid"/cmdline /proc/"$pid"/environ
is "$out" '' 'and not in an argument or our environment'
finish 143 'it ends'
mv ../http.log ../http.first
serve
say '{"cmd":"start","repo":"owner/app","branch":"dev","argv":["git","branch","--show-current"]}'
ends_with 0 "$pid" 'the clone is used again'
exec {in}>&-
is "$(texts stdout)" dev "with a branch of origin's"
nok_cmd 'and the user is not asked' test -e ../http.log
mkdir mounted
serve
refused 1 'No such file' 'a clone whose agent cannot be run' \
	'{"cmd":"start","repo":"owner/app","workspace":"mounted","branch":"b","secrets":["GITHUB_TOKEN=t0kenOfMine77"],"argv":["'"$T"'/bad"]}'
is "$(ls -A mounted)" '' 'is removed, and the directory stays'
finish 1 'no agent was started'
exec {hold}>&-
done_testing
