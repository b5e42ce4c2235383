#!/bin/bash
# [service.NAME]: services are started before the agent, shown, restarted, and
# stopped with it, with all their processes.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
ini=$XDG_CONFIG_HOME/afw/afw.ini
mkdir -p "${ini%/*}"
free_port()
{
	perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(
		Listen => 1, LocalAddr => "127.0.0.1")->sockport'
}

# serve PORT STATUS: an HTTP server, one answer for each connection.
cat >"$T/serve" <<'END'
#!/usr/bin/perl
use IO::Socket::INET;
$| = 1;
my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1',
	LocalPort => $ARGV[0], ReuseAddr => 1) or die "cannot listen: $!\n";
print "listens\n";
while (my $c = $s->accept) {
	print $c "HTTP/1.0 ", -e "$0.good" ? 204 : 503, " x\r\n\r\n";
	close $c;
}
END
# It writes down its environment, who it is, and what it has started.
cat >"$T/first" <<'END'
#!/bin/bash
env >"$1.env"
pwd >"$1.pwd"
trap 'echo told to end' TERM
setsid sleep 1000 &
echo $$ $! >"$1.pids"
printf '\033[31mcoloured\033[0m line\n'
until [ -e "$1.go" ]; do read -rt 0.05 <> <(:); done
echo all is well now
while :; do wait; done
END
chmod +x "$T/serve" "$T/first"
port=$(free_port)
cat >"$ini" <<END
stop_timeout = 1s
[service.first]
command = $T/first $T/out
ready = log:is well
env = GIVEN=in file ASKED
restart = always
[service.web]
command = $T/serve $port
ready = http://localhost:$port/health
END
sed -i 's/GIVEN=in file/"GIVEN=in file"/' "$ini"
field() { run afw status one --json; json "$1"; }

ASKED=mine afw new one -m 'first task' -e SECRET=s3cret9 -e ASKED -- \
	sh -c "touch $T/agent; exec cat" >"$T/new" 2>&1 &
new=$!
waits_for '[ -e "$T/out.pids" ]' 'the first service runs'
waits_for '[ "$(state_of one detail)" = "waiting for service first" ]' \
	'the reason for waiting is reported'
is "$(field phase)" starting 'while the session starts'
is "$(field services.0.state) $(field services.1.state)" 'starting waiting' \
	'the second waits for the first'
nok_cmd 'and the agent for both' test -e "$T/agent"
touch "$T/out.go"
waits_for '[ "$(state_of one services.1.state)" = starting ]' 'then the second starts'
waits_for 'afw logs one --service web | grep -q listens' \
	'it listens, and is not yet well'
nok_cmd 'the agent still waits' test -e "$T/agent"
touch "$T/serve.good"
ends_with 0 "$new" 'it is started when both are ready'
waits_for '[ -e "$T/agent" ]' 'and runs'
is "$(field services.0.state) $(field services.1.state)" 'ready ready' \
	'both are ready'
is "$(<"$T/out.pwd")" "$(field worktree)" 'they run in the worktree'
env=$(<"$T/out.env")
unlike "$env" 's3cret9|AF_DOOR' "what is the agent's alone is not in there"
like "$env" 'ASKED=mine' 'a variable that it asks for is passed'
like "$env" 'GIVEN=in file' 'and what the file gives'
run grep -rlaF s3cret9 "$DATA" "$RUN"
is "$out" '' 'no value is in a file'
run afw status one
like "$out" 'service +first: ready for [0-9]+s, pid [0-9]+' 'status says it'

exit_is 0 'logs of one' afw logs one --service first
is "$out" $'coloured line\nall is well now' 'are text, without sequences'
exit_is 0 'the last line' afw logs one --service first -n 1
is "$out" 'all is well now' 'alone'
refused 3 "no service 'wep'.*did you mean 'web'" 'a service that is not there' \
	afw logs one --service wep
refused 2 'service cannot be combined with --raw: it is text' 'another form' afw logs one --service web --raw

# One that ends is started again, when all of it is gone.
read -r pid child <"$T/out.pids"
kill -9 "$pid"
waits_for '[ "$(state_of one services.0.restarts)" = 1 ]' 'a killed service'
waits_for '[ "$(state_of one services.0.state)" = ready ]' 'runs again'
waits_for 'has_ended '"$child" 'and what it had started does not'
run afw events one --json
like "$out" 'service:exit.*was killed by signal 9 \(Killed\).,.service.:.first' 'that is in the history'
like "$out" 'service:restart' 'with what came of it'
like "$(afw status one)" 'first: ready .* 1 restart' 'and in its status'

afw logs one -f --service first >"$T/followed" &
follower=$!
waits_for 'grep -q well "$T/followed"' 'logs follow'
read -r pid child <"$T/out.pids"
web=$(field services.1.pid)
exit_is 0 'stop' afw stop one
for p in "$pid" "$child" "$web"; do
	ok_cmd 'ends all of them' has_ended "$p"
done
ends_with 0 "$follower" 'a client that follows it ends'
like "$(<"$T/followed")" 'told to end' 'and has seen its end'
is "$(field services.0.state) $(field services.1.state)" 'stopped stopped' \
	'that is reported'

# The killed supervisor's.
exit_is 0 'started again' afw start one
waits_for '[ "$(state_of one services.1.state)" = ready ]' 'they run again'
read -r pid child <"$T/out.pids"
web=$(field services.1.pid)
kill -9 "$(field supervisor_pid)"
waits_for "has_ended $pid && has_ended $child && has_ended $web" \
	'with a supervisor that is killed they end'
exit_is 0 'rm' afw rm one
nok_cmd 'their logs go with it' grep -rqs coloured "$DATA/sessions"

# One that goes into the background.
printf '[service.gone]\ncommand = sh -c "sleep 1001 & echo $! >%s/gone"\n' "$T" >"$ini"
exit_is 0 'a service that forks into the background' afw new two -- cat
waits_for '[ "$(state_of two services.0.state)" = exited ]' 'has ended'
like "$(state_of two services.0.why)" 'stay in the foreground' 'and the reason is reported'
ok_cmd 'nothing of it is left' has_ended "$(cat "$T/gone")"
exit_is 0 'that session' afw rm --stop two

# Again, by its policy; and one that prints without end.
cat >"$ini" <<END
stop_timeout = 1s
[service.always]
command = sh -c 'echo once >>$T/always'
restart = always
[service.never]
command = sh -c 'exit 3'
restart = never
[service.failing]
command = sh -c 'exit 4'
[service.done]
command = true
[service.delay]
command = sleep 1000
ready = delay:100ms
[service.tcp]
command = $T/serve $port
ready = tcp:$port
[service.flood]
command = sh -c 'yes "a line that is whole" | head -c 3500007; echo end; sleep 1000'
ready = log:end
END
exit_is 0 'services of each policy' afw new three -- cat
waits_for '[ "$(grep -c . "$T/always")" -ge 2 ]' 'always'
waits_for '[ "$(state_of three services.2.restarts)" -ge 2 ]' 'on failure'
run afw status three --json
is "$(json services.1.state) $(json services.1.restarts) $(json services.1.why)" \
	'exited 0 exited with code 3' 'never'
is "$(json services.3.state) $(json services.3.restarts)" 'exited 0' \
	'not where it is done'
is "$(json services.4.state) $(json services.5.state)" 'ready ready' \
	'and others are ready after a while, or when they listen'
dir=$(session_dir three)
size=$(cat "$dir"/service-flood.log* | wc -c)
ok_cmd "a flood's file has an end ($size bytes)" test "$size" -lt 2300000
is "$(afw logs three --service flood | sort -u)" $'a line that is whole\nend' \
	'and whole lines'

# Where the guard is killed, too, the next start finds what is left.
flood=$(state_of three services.6.pid)
guard=$(awk '/^PPid:/ { print $2 }' "/proc/$flood/status")
kill -9 "$(state_of three supervisor_pid)" "$guard"
exit_is 0 'a service that has lost its guard' afw start three
ok_cmd 'is ended by the next start' has_ended "$flood"
exit_is 0 'all of these' afw rm --stop three

# In other surroundings.
cat >"$ini" <<END
[service.walls]
command = sh -c 'echo x >inside; echo x >$HOME/outside; echo done; sleep 1000'
ready = log:done
END
if command -v tmux >/dev/null; then
	exit_is 0 'backend tmux' afw new five --backend tmux -- cat
	is "$(state_of five services.0.state)" ready 'has services, too'
	ok_cmd 'which can write' test -e "$HOME/outside"
	exit_is 0 'and are stopped' afw rm --stop --trash five
	rm -f "$HOME/outside"
fi
printf 'allow_degraded = yes\n%s\n' "$(cat "$ini")" >"$ini"
run afw new four --sandbox landlock -- cat
if [ "$code" -eq 0 ]; then
	ok_cmd 'sandbox landlock lets it write in the worktree' \
		test -e "$(state_of four worktree)/inside"
	nok_cmd 'and nowhere else' test -e "$HOME/outside"
	exit_is 0 'and is left' afw rm --stop --trash four
else
	skip 3 "no landlock here: $err"
fi
done_testing
