#!/bin/bash
# A new session gets the values of afw.ini.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
printf '.env\nnm\n' >.gitignore
git add .gitignore
git commit -q -m ignore
echo secret >.env
mkdir nm
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<'END'
copy = .env
link = nm
setup = sh -c "echo made >made; echo out $0"
  'a b'
branch_prefix = x/
detach_key = C-q
[harness.mine]
command = sh -c "stty quit undef; echo mine $HOME; cat"
END

exit_is 0 'new with a configured harness' afw new one -a mine
like "$out$err" 'out a b' 'shows what the setup command prints'
unlike "$err" 'the link' 'and no warning of a link that git ignores'
exit_is 0 'its status' afw status one --json
is "$(json branch)" x/one 'has the prefix in its branch'
is "$(json harness)" mine 'and the name of the harness'
wt=$(json worktree)
is "$(<"$wt/.env")" secret 'copy = copied'
is "$(readlink "$wt/nm")" "$T/repo/nm" 'link = linked'
is "$(<"$wt/made")" made 'setup = ran in the worktree'
waits_for 'afw capture one | grep -q "^mine /"' 'the command runs'

tmux_start 80 20 afw attach one
ok_cmd 'attached' tmux_wait_for 'mine /'
tmux_keys 'C-\'
ok_cmd 'C-\ is a key like others now' tmux_wait_for '^\'
tmux_keys C-q
waits_for tmux_dead 'detach_key detaches'
tmux_stop
exit_is 0 'stop' afw stop one

printf '.env\nnm/\n' >.gitignore
git commit -qam 'ignore only the directory'
exit_is 0 'a link that git does not ignore' afw new slash -- cat
like "$err" 'does not ignore the link nm,' 'is reported'
exit_is 0 'and stopped' afw stop slash
git revert --no-edit HEAD >/dev/null

# The environment: all of it, or what env_pass lets through.
exported()
{
	afw start one >"$T/null"
	tr '\0' '\n' <"/proc/$(state_of one pid)/environ" | cut -d= -f1 | sort
	afw stop one >"$T/null"
}
export STRANGE=1 PROJECT_KEY=2
like "$(exported)" 'PROJECT_KEY.*STRANGE' 'env_pass is empty: all of it'
sed -i 's/^detach_key/env_pass = PROJECT_*\n&/' "$XDG_CONFIG_HOME/afw/afw.ini"
passed=$(exported)
like "$passed" 'AF_SESSION_ID.*HOME.*PATH.*PROJECT_KEY' 'env_pass = passes'
unlike "$passed" 'STRANGE' 'and nothing else, at a later start too'
unlike "$(afw exec one -- env)" 'STRANGE' 'and not in exec'

# -- a profile --------------------------------------------------------------

ini=$XDG_CONFIG_HOME/afw/afw.ini
cat >"$ini" <<'END'
harness = mine
stop_timeout = 2s
check_timeout = 100s
setup = false
[harness.mine]
command = cat
[profile.light]
setup =
stop_timeout = 3s
check_timeout = 220s
END
exit_is 0 'new with a profile' afw new three -p light
is "$(state_of three profile)" light 'prints it'
like "$(afw status three)" 'profile +light' 'and status, too'
spec=$(session_dir three)/spec.json
is "$(json stop_timeout_ms "$spec") $(json check_timeout_ms "$spec")" '3000 220000' \
	'its values are used'
exit_is 0 'stop' afw stop three
sed -i 's/3s/4s/' "$ini"
exit_is 0 'a later start' afw start three
is "$(json stop_timeout_ms "$spec")" 4000 'reads it again'
mkdir -p "$DATA/templates/quick"
echo 'stop_timeout = 5s' >"$DATA/templates/quick/template.ini"
exit_is 0 'stop' afw stop three
sed -i 's/profile.light/profile.lite/' "$ini"
exit_is 1 'a start without its profile' afw start three
like "$err" "start 'three': there is no template 'light'" 'prints that'
sed -i 's/profile.lite/profile.light/' "$ini"
exit_is 0 'with a template' afw new four -p light -t quick
is "$(json stop_timeout_ms "$(session_dir four)/spec.json")" 5000 \
	'that counts more'
exit_is 0 'rm' afw rm -s three four
refused 2 'no template .lihgt.*did you mean light' 'a missing one' \
	afw new five -p lihgt
like "$(afw completion words -- new --profile '')" light 'is offered'

mkdir .af
printf '[profile.light]\nidle_timeout = 9s\n[profile.heavy]\ncheck = make test\n' \
	>.af/afw.ini
exit_is 0 'without the repository' afw profiles
like "$out" 'light +setup stop_timeout check_timeout +'"$ini" 'they are listed'
unlike "$out" heavy 'that of the repository is not'
like "$err" 'not trusted' 'and it is reported'
exit_is 0 'trust' afw trust --yes
exit_is 0 'with it' afw profiles --json
is "$(json 1.name) $(json 3.name) $(json 3.sets.2)" \
	'heavy light check_timeout' 'as JSON'
is "$(afw profiles -q | tr '\n' ' ')" \
	'coordinator heavy implementor light planner quick ralph verifier ' \
	'the names alone'
exit_is 0 'one of them' afw profiles light
like "$out" "# $T/repo/.af/afw.ini:2.idle_timeout = 9s" 'of the repository'
like "$out" "# $ini:10.check_timeout = 220s" 'and of the user, with the line'
unlike "$out" 'check =|backend' 'nothing that it does not set'
exit_is 0 'as JSON' afw profiles light --json
is "$(json options.3.text) $(json options.3.value_ms) $(json options.3.origin)" \
	"9s 9000 $T/repo/.af/afw.ini:2" 'an object'
refused 2 'templates: there is no template .hevay.*did you mean heavy' \
	'a missing one' afw profiles hevay
rm -r .af
exit_is 0 'no trust' afw trust --remove

# -- options of the command line --------------------------------------------

exit_is 0 'new with options' afw new six -p light -t quick \
	-o stop_timeout=6s -o 'env_pass=A B' -o check_timeout=52s -o check=
spec=$(session_dir six)/spec.json
is "$(json stop_timeout_ms "$spec")" 6000 'that count more than all files'
is "$(json env_pass.1 "$spec")" B 'a list has its words'
is "$(json check_timeout_ms "$spec")" 52000 'and of the profile'
like "$(afw status six)" 'option +stop_timeout=6s' 'status shows them'
is "$(state_of six overrides.2)" check_timeout=52s 'and JSON'
exit_is 0 'start of a running session' afw start six
refused 4 "'six' is running already: its options.*afw stop six" \
	'but not with options' afw start six -o check_timeout=1s
exit_is 0 'stop' afw stop six
exit_is 0 'a later start' afw start six -o check_timeout -o stall_after=7s
is "$(json stop_timeout_ms "$spec")" 6000 'keeps them'
is "$(json stall_after_ms "$spec")" 7000 'takes others'
is "$(json check_timeout_ms "$spec")" 220000 'and forgets what it is to forget'
exit_is 0 'stop' afw stop six
refused 2 "'six': -o setup: it is read when a session is made" \
	'an option that only new reads' afw start six -o setup=true
refused 2 "'six': --cpus is for sandbox podman; .* none" \
	'a limit that nothing holds' afw start six --cpus 0.5
is "$(state_of six phase)" stopped 'and it was not started'
exit_is 0 'rm' afw rm six
while IFS='|' read -r option words; do
	refused 2 "new 'seven': .*$words" "-o $option" \
		afw new seven -o "$option" -- cat
done <<'END'
sotp_timeout=3s|-o sotp_timeout: there is no such option.*did you mean stop_timeout
max_sessions=3|-o max_sessions: it is not an option of one session.*afw config set
stop_timeout=soon|stop_timeout: 'soon' is not a duration
sandbox_cpus=0|sandbox_cpus: '0' is out of range
network=bridge|network: 'bridge' is not one of: own, none, host
sandbox=jail|sandbox: 'jail' is not one of
base|-o base: =VALUE is missing
scrollback=9|there is no such option.*it was removed: it is 2000
=x|there is no such option
END
refused 2 "new 'seven': --memory is for sandbox podman" \
	'a limit without a container' afw new seven --memory 1G -- cat
exit_is 0 'other commands' afw ls
is "$(afw completion words -- new --network '' | tr '\n' ' ')" 'own none host ' \
	'its words are offered'
like "$(afw completion words -- start -o '')" 'sandbox_cpus=' 'and all keys'
unlike "$(afw completion words -- start -o '')" 'max_sessions' 'of a session'

# -- env_file ---------------------------------------------------------------

printf '# ours\nGREETING=early\nexport GREETING=from-the-file\nOTHER=too\n' >"$T/repo/.env"
cat >"$ini" <<'END'
env_file = .env
[harness.mine]
command = sh -c "echo $GREETING $OTHER >got; cat"
END
got=$T/.af_worktrees/repo-five/got
refused 9 "env_file: $T/repo/.env is left out.*afw trust.*--untrusted" \
	'an env_file of a repository that is not trusted' afw new five -a mine
exit_is 0 'without it' afw new five -a mine --untrusted \
	-e OTHER=given
like "$err" 'env_file: .*is left out: its repository is not trusted' 'that is reported'
waits_for 'grep -qx given "$got"' 'nothing of it is there'
exit_is 0 'rm' afw rm -s five
exit_is 0 'trust' afw trust --yes
exit_is 0 'new with an env_file' afw new five -a mine -e OTHER=given
waits_for 'grep -qx "from-the-file given" "$got"' \
	'has its variables, and those of -e count more'
is "$(grep -rl from-the-file "$XDG_DATA_HOME")" '' \
	'no file of afw has their values'
exit_is 0 'stop' afw stop five
exit_is 0 'no trust' afw trust --remove
exit_is 0 'a start then' afw start five
like "$err" '.env is left out.*trust.*GREETING was given' 'has none, and reports that'
exit_is 0 'stop' afw stop five
exit_is 0 'trust' afw trust --yes
sed -i 's/from-the-file/anew/' "$T/repo/.env"
exit_is 0 'a later start' afw start five
waits_for 'grep -qx "anew too" "$got"' 'reads it again'
is "$err" '' 'and none is missing'
exit_is 0 'rm' afw rm -s five
rm "$T/repo/.env"
exit_is 0 'a missing one' afw new six -- cat
like "$err" "env_file: there is no $T/repo/.env" 'is reported'
ln -s "$T/null" "$T/repo/.env"
refused 1 'repo/.env is not a file of your own' 'a link' afw new seven -- cat
rm "$T/repo/.env"
exit_is 0 'rm' afw rm -s six
echo 'env_file = ../x' >"$ini"
refused 1 'afw.ini:1: env_file: .*cannot lead out of the repository' \
	'one of elsewhere' afw new seven -- cat

# A mistake: nothing has been made.
echo 'setpu = x' >"$XDG_CONFIG_HOME/afw/afw.ini"
refused 1 'afw.ini:1: unknown key' 'new with a mistake in afw.ini' \
	afw new two -- cat
nok_cmd 'leaves no branch' git rev-parse -q --verify refs/heads/af/two
nok_cmd 'and no worktree' test -e "$T/.af_worktrees/repo-two"
done_testing
