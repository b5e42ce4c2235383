#!/bin/bash
# Processes below a session's supervisor cannot press keys, answer questions,
# attach, trust, or stop other sessions, however they are started; they may send
# messages, read the state, and end their own session.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

# An agent that runs the commands in the file NAME.do.
cat >"$T/agent" <<'END2'
#!/bin/bash
exec {nap}<> <(:)
while :; do
	[ -e "$1.do" ] || { read -rt 0.02 -u "$nap" _; continue; }
	mv "$1.do" "$1.now"
	bash "$1.now" >"$1.out" 2>&1 </dev/null
	echo $? >"$1.code.new"
	mv "$1.code.new" "$1.code"
done
END2
chmod +x "$T/agent"
# inside NAME COMMAND: in code and out.
inside()
{
	rm -f "$T/$1.code"
	printf '%s\n' "$2" >"$T/$1.new"
	mv "$T/$1.new" "$T/$1.do"
	wait_for "[ -s '$T/$1.code' ]"
	code=$(<"$T/$1.code") out=$(<"$T/$1.out")
}
no() # NAME COMMAND WHAT
{
	inside "$1" "$2"
	is "$code" 9 "$3"
	like "$out" 'what runs in a session may not do that' 'which is reported'
}

exit_is 0 'a session' afw new victim -- cat
exit_is 0 'an agent' afw new agent -- "$T/agent" "$T/agent"
no agent 'afw send victim --keys y' 'it types no keys into another'
no agent 'env -u AF_SESSION_ID -u AF_SESSION afw send victim --keys y' \
	'without a trace of its session in the environment neither'
no agent 'afw send agent --keys y' 'and not into itself'
no agent 'afw send victim --approve' 'it approves nothing'
no agent 'afw send victim --deny' 'and does not deny'
no agent 'afw send victim --always --yes' 'and adds no rule'
no agent "afw send victim --raw '!id'" 'and does not send a text that may be a command'
no agent 'afw interrupt victim' 'and does not interrupt'
no agent 'afw stop victim' 'it stops no other'
no agent 'afw suspend victim' 'and does not suspend it'
no agent 'afw exec -n shell victim -- true' 'it starts no shell in another'
no agent 'afw exec -n shell agent -- true' 'and not in its own'
no agent 'script -qec "afw attach victim" /dev/null </dev/null; exit 9' \
	'it does not attach'
no agent 'afw trust --yes' 'it trusts nothing'
no agent '(setsid bash -c "(afw send victim --keys y; echo \$? >$PWD/far) 2>$PWD/said &"); 
	exec {nap}<> <(:); until [ -s "$PWD/far" ]; do read -rt 0.02 -u "$nap" _; done
	cat "$PWD/said"; exit $(<"$PWD/far")' 'forked twice it is no further away'
like "$(afw capture victim)" '^[[:space:]]*$' 'nothing was typed'

# A size in which a question would not fit: only a terminal that shows the session
# sets it.
cat >"$T/resize.pl" <<'END2'
use strict; use warnings; use IO::Socket::UNIX; use Socket;
my $s = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => shift) or die;
my $r = '{"cmd":"resize","seq":1,"cols":20,"rows":1}';
sysread $s, my $hello, 65536;
syswrite $s, pack('N', length $r) . $r;
sysread $s, my $answer, 65536;
print substr $answer, 4;
END2
size() { afw capture victim --json >"$T/size" && json rows "$T/size"; }
was=$(size) control=$(session_dir victim)/control
inside agent "perl '$T/resize.pl' '$control'"
like "$out" 'not attached' 'it gives no other its size'
like "$(perl "$T/resize.pl" "$control")" 'not attached' \
	'and neither does a program of the user that hides it'
is "$(size)" "$was" 'the size stays'

inside agent 'afw send victim hello'
isnt "$code" 9 'it may send'
waits_for 'afw capture victim | grep -q hello' 'which arrives'
inside agent 'afw capture victim; afw ls'
is "$code" 0 'and look'

inside agent "afw new child -- $T/agent $T/child"
is "$code" 0 'it starts a session of its own'
no child 'afw send agent --keys y' 'that one types nothing into its parent'
no child 'afw stop agent' 'and does not stop it'
no agent 'afw send child --keys y' 'and the parent does not type into that'
inside agent 'afw stop child'
is "$code" 0 'but stops it'
afw wait victim -t 240s --for idle >"$T/null"
no agent 'afw undo victim 1' 'it undoes no turn of another'
exit_is 0 'the user types' afw send victim --keys y
exit_is 0 'and stops' afw stop victim
no agent "afw send victim --when-idle --raw '!id'" \
	'a possible command is not kept for the next start either'
like "$(afw send --list victim 2>&1)" 'no message' 'it is not in the queue'
inside agent 'afw send victim --when-idle hello'
is "$code" 0 'a message is kept'
echo 'afw stop agent' >"$T/last"
mv "$T/last" "$T/agent.do"
exit_is 0 'it may stop itself' afw wait agent --for stopped --timeout 240s
done_testing
