#!/bin/bash
# Hostile lines through the agent door, and hostile clients on the control
# socket, do no harm to the session or to other clients.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

exit_is 0 'a session' afw new one -- cat
exit_is 0 'status' afw status one --json
supervisor=$(json supervisor_pid) id=$(json id)
dir=$DATA/sessions/$id door=$DATA/sessions/$id/home/door sock=$DATA/sessions/$id/control
works()
{
	exit_is 0 "$1" afw capture one
	kill -0 "$supervisor" || fail 'the supervisor is running'
}
rss() { awk '/^VmRSS/ {print $2}' "/proc/$supervisor/status"; }
# Its descriptors, which only root may list; its sockets, which anyone may.
fds()
{
	if [ "$(id -u)" = 0 ]; then
		ls "/proc/$supervisor/fd" | wc -l
	else
		grep -c " $sock\$" /proc/net/unix
	fi
}

before=$(rss)
head -c 1000000 /dev/zero | tr '\0' 'x' >"$door"
works 'a line of 1 MB without an end'
head -c 3000000 /dev/urandom >"$door"
works '3 MB of noise'
{
	echo
	echo '{"hook":"Stop"}'
	echo '{"hook":"NoSuchHook","payload":{"a":[1,2,{"b":null}]}}'
	echo '{"hook":{"hook":1},"payload":7}'
	echo '{"hook":"Stop","hook":"Stop"}'
	echo '["hook"]'
	echo '{"cmd":"stop"}'
	printf '{"hook":"a\0b"}\n'
	printf '%0.s[' {1..2000}; echo
	for i in {1..2000}; do echo "garbage $i"; done
} >"$door"
works 'garbage and unknown hooks'
[ "$(stat -c %s "$dir/supervisor.log")" -lt 600000 ]
ok $? 'its log is bounded'
[ $(($(rss) - before)) -lt $((8000 * AFW_SLOW)) ]
ok $? "its memory too ($before to $(rss) KiB)"
AF_DOOR=$door run "$BUILD/afw-supervisor" hook Stop
is "$code" 0 'a hook command works'
run timeout 60 env AF_DOOR="$T/nothing" "$BUILD/afw-supervisor" hook Stop
is "$code$out$err" 0 'and is silent where there is no door'

echo mine >"$T/file"
AF_DOOR=$T/file run "$BUILD/afw-supervisor" hook Stop
is "$code$(<"$T/file")" 0mine 'and does not write into a file that is not a door'

rm "$door"
works 'without its door'
ln -s /etc/passwd "$door"
run timeout 60 env AF_DOOR="$door" "$BUILD/afw-supervisor" hook Stop
is "$code" 0 'a hook does not hang on what is in its place'
exit_is 0 'stop' afw stop one
exit_is 0 'start' afw start one
[ -p "$door" ]
ok $? 'a symbolic link in its place is replaced'
[ -s /etc/passwd ] || fail 'and not what it points at'
rm "$door"
mkdir -p "$door/sub"
exit_is 0 'stop' afw stop one
exit_is 0 'start with a directory in its place' afw start one
[ -p "$door" ]
ok $? 'replaces that too'
supervisor=$(state_of one supervisor_pid)

# The control socket.
cat >"$T/client.pl" <<'END'
use strict; use warnings; use IO::Socket::UNIX; use Socket;
my ($how, $path) = @ARGV;
$SIG{PIPE} = 'IGNORE';
sub conn { IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $path) }
sub frame { pack('N', length $_[0]) . $_[0] }
if ($how eq 'garbage') {
	my $s = conn(); sysread $s, my $hello, 4096;
	syswrite $s, join('', map { chr int rand 256 } 1 .. 65536);
	1 while sysread $s, my $x, 65536;
} elsif ($how eq 'length') {
	for my $len (0xffffffff, 0x7fffffff, 1 + (3 << 20), 0) {
		my $s = conn(); sysread $s, my $hello, 4096;
		syswrite $s, pack('N', $len);
		1 while sysread $s, my $x, 65536;
	}
} elsif ($how eq 'requests') {
	for my $r ('{}', '{"cmd":7}', '{"cmd":"nonsense","seq":1}',
		'{"cmd":"attach","cols":-1,"rows":99999999}',
		'{"cmd":"start","seq":2,"env":["A=b"]}',
		'{"cmd":"resize","cols":0,"rows":0}', '{"cmd":"input","data":"x"}',
		'{"cmd":"capture","history":-5}', '{"cmd":"keys"}',
		'{"cmd":"capture","history":99999999999999999999}',
		'{"cmd":"send","text":""}', '{"cmd":"subscribe","events":{}}',
		'{"cmd":"stop","timeout_ms":"x","seq":{}}x') {
		my $s = conn(); sysread $s, my $hello, 4096;
		syswrite $s, frame($r);
		sysread $s, my $answer, 65536;
	}
} elsif ($how eq 'many') {
	for (1 .. 100) { fork || do { my $s = conn(); sleep 1000; exit } }
	my @all = grep { $_ } map { conn() } 1 .. 100;
	print "up\n"; $| = 1; print "";
	<STDIN>;
} elsif ($how eq 'fds') {
	my $s = conn(); sysread $s, my $hello, 4096;
	for (1 .. 500) { syswrite $s, frame('{"cmd":"status","seq":1}'); sysread $s, my $x, 65536 }
} elsif ($how eq 'deaf') {
	my $s = conn();
	for (1 .. 200000) { defined syswrite($s, frame('{"cmd":"capture","colours":true,"history":2000,"seq":1}')) or last }
}
END
fds=$(fds)
for how in garbage length requests fds deaf; do
	timeout $((60 * AFW_SLOW)) perl "$T/client.pl" "$how" "$sock"
	isnt $? 124 "$how: the client is answered or dropped"
	works "$how: others are answered"
done
coproc MANY { exec perl "$T/client.pl" many "$sock"; }
many=$MANY_PID
read -r -t 90 _ <&"${MANY[0]}" # it has connected all
waits_for '[ "$(fds)" -gt 60 ]' 'hundreds of idle connections at once'
[ "$(fds)" -lt 100 ]
ok $? "are bounded ($(fds) descriptors)"
works 'a new client is accepted, and an idle one is dropped'
like "$(<"$dir/supervisor.log")" \
	"process $many is connected 16 times already" 'one process has its share'
kill $(pgrep -P "$many") "$many"
wait "$many" 2>/dev/null
waits_for '[ "$(fds)" -le "$fds" ]' 'all descriptors are closed again'
works 'and it works as before'

# A supervisor that does not answer: no command waits for ever.
kill -STOP "$supervisor"
# It would wait for 5 s.
for _ in 1 2 3; do
	run timeout 5 afw ls
	[ "$code" != 0 ] || break
done
is "$code" 0 'ls needs no supervisor'
for i in {1..8}; do timeout 60 afw capture one >/dev/null 2>&1 & done
start=$(now_ms)
run timeout 60 afw capture one
is "$code" 7 'capture says that it does not answer'
like "$err" 'did not answer|does not answer' 'in one line'
wait $(jobs -p) 2>/dev/null
kill -CONT "$supervisor"
waits_for 'afw capture one' 'then it answers again'

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$T" "${DATA%/*}" "$DATA" "$DATA/sessions" "$dir" &&
		chmod 777 "$sock"
	setpriv --reuid 65534 --regid 65534 --clear-groups perl -e '
		use IO::Socket::UNIX;
		my $s = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $ARGV[0]) or exit 3;
		my $n = sysread $s, my $x, 4096; exit($n ? 4 : 0)' "$sock"
	is $? 0 'another user is turned away without a word'
	like "$(<"$dir/supervisor.log")" 'uid 65534 was refused' 'which is logged'
	chmod 700 "$DATA" "$DATA/sessions" "$dir"
else
	skip 2 'needs root'
fi
works 'at the end'

# Its lock is deleted: no command starts another beside it, or removes its files.
agent=$(state_of one pid)
# And its place on the board is damaged (the magic of the first slot).
printf '\0\0\0\0' | dd of="$DATA/sessions.board" bs=1 seek=8 conv=notrunc 2>/dev/null
is "$(afw ls -o state | tail -n 1)" idle 'a damaged board: ls shows what the agent does'
rm "$dir/lock"
for cmd in start resume; do
	exit_is 0 "its lock is deleted: $cmd" timeout 60 afw $cmd one
	is "$out" 'one: running already' 'sees it on the board'
done
works 'it is reached'
unlike "$(afw reconcile)" lost 'and reconcile finds nothing lost'
nok_cmd 'it is not made again' test -e "$dir/lock"
kill -0 "$agent"
ok $? 'the agent is running'
kill "$supervisor"
waits_for '! kill -0 "$agent" 2>/dev/null' 'it ends by a signal'
for cmd in start resume rm; do
	refused 4 'lock was deleted' "then $cmd says so" timeout 60 afw $cmd one
	like "$err" 'hint: end its afw-supervisor .* make an empty file' \
		'and what helps'
done
: >"$dir/lock"
exit_is 0 'with the file in its place it starts' afw start one
exit_is 0 'stop' afw stop one
done_testing
