#!/bin/bash
# AFW_PORT and AFW_SLUG: each session has ports and a name of its own, which do
# not change, wherever they are used; render makes files of them.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p .af "$XDG_CONFIG_HOME/afw"
ini=$XDG_CONFIG_HOME/afw/afw.ini
# serve PORT: answers each connection with its directory.
cat >"$T/serve" <<'END'
#!/usr/bin/perl
use IO::Socket::INET;
use Cwd;
$| = 1;
my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1',
	LocalPort => $ARGV[0], ReuseAddr => 1) or die "cannot listen: $!\n";
print "listens\n";
while (my $c = $s->accept) {
	print $c getcwd(), "\n";
	close $c;
}
END
chmod +x "$T/serve"
# ask PORT: prints the answer.
ask() { (exec 3<>"/dev/tcp/127.0.0.1/$1" && cat <&3) 2>/dev/null; }
# dump FILE: what an agent, or another command, has.
dump='env | grep -E "^AFW_(PORT|SLUG)" | sort'

# -- two servers of one project ----------------------------------------------------
cat >.env.af <<'END'
PORT=${AFW_PORT}
DATABASE_URL=postgres://localhost/${AFW_SLUG}?x=${AFW_PORT_9}
OTHER=${HOME} ${AFW_PORT_10} $AFW_PORT ${AFW_PORT
END
echo "KEY=1 \${AFW_PORT}" >secret.af
echo "FROM_FILE=\${AFW_PORT_9}" >vars
chmod 600 secret.af
printf '%s\n' /.env /cfg /secret.af /vars >.gitignore
cat >.af/afw.ini <<END
render = .env.af -> .env  secret.af -> cfg/deep/env
setup = sh -c '$dump >setup; echo "\$1" >>setup' - \${AFW_PORT}
env = URL=http://localhost:\${AFW_PORT_1}/
env_file = vars
[service.web]
command = $T/serve \${AFW_PORT}
ready = tcp:\${AFW_PORT}
env = WEB=\${AFW_SLUG}
END
git add -A && git commit -qm config && afw trust -y >/dev/null || exit 2
for name in one two; do
	exit_is 0 "new $name" afw new $name -- sh -c "$dump >agent; echo \$FROM_FILE \$URL >>agent; exec cat"
	wait_for "grep -q http ../.af_worktrees/repo-$name/agent"
done
one=$(state_of one first_port) two=$(state_of two first_port)
for name in one two; do
	tree=$T/.af_worktrees/repo-$name port=${!name}
	is "$(ask "$port")" "$tree" "the server of $name is at its port"
	ok_cmd 'which is in the range' [ "$port" -ge 20000 -a "$port" -le 29990 ]
	slug=$(state_of $name slug)
	like "$slug" "^repo_${name}_[0-9a-f]{6}\$" 'its slug is a name for databases'
	is "$(head -2 "$tree/.env")" "PORT=$port
DATABASE_URL=postgres://localhost/$slug?x=$((port + 9))" 'a file is made of them'
	# shellcheck disable=SC2016
	is "$(tail -1 "$tree/.env")" 'OTHER=${HOME} ${AFW_PORT_10} $AFW_PORT ${AFW_PORT' \
		'in which nothing else is replaced'
	is "$(cat "$tree/cfg/deep/env" && stat -c %a "$tree/cfg/deep/env")" "KEY=1 $port
600" 'also of one that git does not have, in a new directory, as secret'
	vars=$(echo "AFW_PORT=$port"
		for i in 1 2 3 4 5 6 7 8 9; do echo "AFW_PORT_$i=$((port + i))"; done
		echo "AFW_SLUG=$slug")
	is "$(<"$tree/setup")" "$vars
$port" 'setup has them'
	is "$(<"$tree/agent")" "$vars
$((port + 9)) http://localhost:$((port + 1))/" \
		'the agent, too, and what env and env_file make of them'
	run afw exec $name -- sh -c "$dump"
	is "$out" "$vars" 'and a command beside it'
	like "$(afw status $name)" \
		"own ports +$port-$((port + 9)) \(AFW_PORT\), $slug \(AFW_SLUG\)" \
		'status shows them'
	ok_cmd 'a service has its env' grep -qz "^WEB=$slug\$" \
		"/proc/$(state_of $name services.0.pid)/environ"
done
ok_cmd 'both have ports of their own' [ $((one - two)) -ge 10 -o $((two - one)) -ge 10 ]
run afw ls -o name,port
like "$out" "one +$one" 'ls has a column of it'
run afw new --dry-run three -- cat
like "$out" 'render +.env.af "->" .env secret.af "->" cfg/deep/env' 'a dry run says so'
mkdir -p "$DATA/templates/plan"
echo 'The server is at ${AFW_PORT}.' >"$DATA/templates/plan/prompt.md"
exit_is 0 'new with a prompt' afw new plan -t plan -a demo --no-start
is "$(json system_prompt "$(session_dir plan)/spec.json")" \
	"The server is at $(state_of plan first_port)." 'which has them'
exit_is 0 'rm' afw rm plan
printf '[template.role]\nenv = ROLE=role:${AFW_PORT_2}\n' >"$ini"
exit_is 0 'new with a template' afw new role -t role -- \
	sh -c 'echo "$ROLE" >agent; exec cat'
wait_for 'grep -q role ../.af_worktrees/repo-role/agent'
is "$(<../.af_worktrees/repo-role/agent)" "role:$(($(state_of role first_port) + 2))" \
	'which has them in its options'
exit_is 0 'rm' afw rm --stop role

# -- they stay ---------------------------------------------------------------------
exit_is 0 'stop' afw stop one
exit_is 0 'start' afw start one
is "$(state_of one first_port) $(ask "$one")" "$one $T/.af_worktrees/repo-one" \
	'a restart keeps them'
exit_is 0 'stop and remove' afw rm --stop one
exit_is 0 'another one with its name' afw new one --no-start -- cat
is "$(state_of one first_port)" "$one" 'the same name has the same ports again'
isnt "$(state_of one slug)" "$slug" 'but another slug'
# -- an agent that runs afw has its own ----------------------------------------------
run env AFW_PORT=1 AFW_SLUG=x AFW_PORT_3=4 afw new inner --no-start -o port_range= \
	-o render= -- cat
unlike "$(cat "$T/.af_worktrees/repo-inner/setup")" 'AFW_PORT[_0-9]*=' \
	'without a range a session has none, not those of another'
is "$(state_of inner first_port)" null 'and says so'
refused 1 'service .web.: ready = tcp:\$\{AFW_PORT\}: a port is a number' \
	'a service that needs one' afw start inner
like "$err" 'port_range' 'is told what to set'
exit_is 0 'a session with rendered files' afw new bare --no-start -o setup= -- cat
exit_is 0 'rm' afw rm bare
unlike "$out$err" 'kept in the trash' 'which are no reason to keep the worktree'
exit_is 0 'another' afw new bare --no-start -o setup= -- cat
echo MORE=1 >>"$T/.af_worktrees/repo-bare/.env"
exit_is 0 'rm' afw rm bare
like "$out" 'kept in the trash .* because .env is in no commit' 'a changed one is'
rm .af/afw.ini .env.af && git commit -qam none && afw trust -y >/dev/null
afw stop --all >/dev/null 2>&1

# -- taken ports ---------------------------------------------------------------------
# Of this run alone, beside others on this machine.
at=$((10000 + $$ % 45 * 200))
range() { echo "port_range=$((at + $1))-$((at + $2))"; }
"$T/serve" $((at + 56)) >/dev/null &
server=$!
wait_for 'ask $((at + 56)) >"$T/null"'
refused 5 "$(range 50 59 | tr '=' ' ') has no free block of 10" 'a block with a listener' \
	afw new late -o "$(range 50 59)" -- cat
ok_cmd 'makes nothing' [ ! -e ../.af_worktrees/repo-late ]
kill $server; wait $server 2>/dev/null
exit_is 0 'without it' afw new late --no-start -o "$(range 50 59)" -- cat
is "$(state_of late first_port)" $((at + 50)) 'it is free'
refused 5 'no free block' "a block that is another session's, running or not" \
	afw new later -o "$(range 50 59)" -- cat
refused 5 'no free block' 'nor one with some of its ports' \
	afw new later -o "$(range 45 64)" -- cat
echo work >../.af_worktrees/repo-late/work
exit_is 0 'a removed session' afw rm late
exit_is 0 'has none' afw new later --no-start -o "$(range 50 59)" -- cat
exit_is 0 'a restored one' afw trash restore late
is "$(state_of late first_port)" null 'does not take them back'
exit_is 0 'but gets others' afw start -o "$(range 60 69)" late
is "$(state_of late first_port)" $((at + 60)) 'when it starts'

# -- many at once --------------------------------------------------------------------
for i in 1 2 3 4 5 6 7 8; do
	afw new many-$i --no-start -o "$(range 100 179)" -- cat >"$T/new.$i" 2>&1 &
done
wait
ports=$(for i in 1 2 3 4 5 6 7 8; do state_of many-$i first_port; done)
is "$(sort -n <<<"$ports" | uniq)" "$(seq $((at + 100)) 10 $((at + 170)))" \
	'eight at once have eight blocks'

# -- render refuses --------------------------------------------------------------------
while IFS='|' read -r option what words; do
	refused 2 "$words" "$what" afw new x -o "$option" -- cat
done <<'END'
port_range=3000|one port|port_range: '3000': it is two ports
port_range=80-99|ports of root|1024 to 65535
port_range=3000-3008|nine ports|fewer than the ten
port_range=3000-70000|no port|1024 to 65535
render=a|a source alone|it is SOURCE -> TARGET
render=a b c|no arrow|it is SOURCE -> TARGET
render=a -> ../b|a target outside|cannot lead out
render=a* -> b|a wildcard|without wildcards
END
echo secret >"$T/secret"
ln -s "$T/secret" link && ln -s "$T" dir && mkfifo fifo && echo mine >mine
git add mine && git commit -qm mine
for source in link dir/secret fifo nosuch; do
	refused 1 "render: read $source: " "source $source" \
		afw new x -o "render=$source -> out" -- cat
	ok_cmd 'makes nothing' [ ! -e ../.af_worktrees/repo-x ]
done
ln -s "$T" away && git add away && git commit -qm away
refused 1 'render: write away/x: a part of its path is a link.*-o render=' 'a target behind a link' \
	afw new x -o 'render=mine -> away/x' -- cat
ok_cmd 'writes nothing there' [ ! -e "$T/x" ]
mkdir shared
refused 1 'render: write shared/x: a part of its path is a link' 'one that is shared' \
	afw new x -o link=shared -o 'render=mine -> shared/x' -- cat
is "$(ls shared)" '' 'nothing is written there'
rmdir shared
exit_is 0 'a target that git has' afw new x --no-start -o 'render=mine -> README' -- cat
like "$err" 'README was not made of mine: there is a README already' 'is left alone'
exit_is 0 'one that git does not ignore' \
	afw new y --no-start -o 'render=mine -> new' -- cat
like "$err" 'git does not ignore new' 'is named'
done_testing
