#!/bin/bash
# A connection that is cut in the middle of each command, a machine that falls
# silent, and one prompt for one passphrase. What is true after a cut, before
# and after afw there has done it:
#
#	command		code	before		after
#	ls, status	255	-		-
#	new		255	no session	the session is there
#	send		8	not delivered	delivered
#	exec		255	not run		run
#	stop		255	running		stopped
#	commit		255	not committed	committed
#	fetch, -u	255	no branch here	no branch here
#	conflicts	255	-		-
#	merge		255	nothing		nothing: it was a dry run
#	rm		255	there		removed
#	attach, dashboard	255, the session goes on
#
# merge and its other steps: work-comes-back-from-another-machine.t.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/box.sh"

make_repo "$T/repo"
git clone -q --bare "$T/repo" "$T/box/bare"
git clone -q "$T/box/bare" "$T/box/repo"
cd "$T/repo" || exit 2
export AFW_HOST=ssh://box$T/box/repo

# The afw there waits before or after the command in $T/box/which.
mkdir "$T/box/bin"
cat >"$T/box/bin/afw" <<END
#!/bin/sh
hold() { echo \$\$ >"$T/box/pid"; mkdir "$T/box/held"; read -r _ <"$T/box/hold"; }
read -r when which <"$T/box/which"
[ "\$3" = "\$which" ] || exec "$BUILD/afw" "\$@"
[ "\$when" = before ] && { hold; exit; }
"$BUILD/afw" "\$@"
hold
END
chmod +x "$T/box/bin/afw"
echo - - >"$T/box/which"
sed -i "s|PATH=$BUILD:|PATH=$T/box/bin:$BUILD:|" "$T/box/sshd"
mkfifo "$T/box/hold"
exec 9<>"$T/box/hold"

# cut WHEN WHICH CODE CMD...: cuts the connection before or after that command
# of CMD's is run there.
cut()
{
	local pid code=0 when=$1 which=$2 want=$3
	shift 3
	echo "$when $(printf %s "$which" | od -An -tx1 | tr -d ' \n')" >"$T/box/which"
	rm -rf "$T/box/held"
	"$@" >"$T/out" 2>"$T/err" </dev/null &
	pid=$!
	waits_for '[ -d "$T/box/held" ]'
	hang_up
	echo >&9
	wait "$pid" || code=$?
	err=$(cat "$T/err")
	is "$code" "$want" "$*: cut $when $which"
	like "$err" 'the connection to ssh://box was lost' 'is said'
	echo - - >"$T/box/which"
}

# there FILE: what exec prints of it.
there() { afw exec one -- cat "$1" 2>"$T/null"; }
phase() { afw status --json one >"$T/s"; json phase "$T/s"; }

# -- before -------------------------------------------------------------------

cut before new 255 afw new one -- cat
is "$(afw ls -q)" '' 'nothing is made'
afw new one -- cat >"$T/log" 2>&1
cut before ls 255 afw ls
cut before status 255 afw status one
cut before send 8 afw send one -m first
cut before exec 255 afw exec one -- sh -c 'echo x >file'
is "$(there file)" '' 'nothing is run'
afw exec one -- sh -c 'echo x >file'
cut before stop 255 afw stop one
is "$(phase)" running 'it is running'
cut before commit 255 afw commit one -m work
is "$(git -C "$T/box/repo" log -1 --format=%s af/one)" first 'nothing is committed'
cut before diff 255 afw fetch one
cut before fetch 255 afw fetch -u one
cut before fetch 255 afw conflicts one
cut before status 255 afw merge one
cut before rm 255 afw rm --stop one
is "$(afw ls -q)" one 'it is there'
is "$(git for-each-ref --format='%(refname)' refs/heads refs/afw/work)" \
	refs/heads/main 'nothing is made here'

# -- after --------------------------------------------------------------------

cut after send 8 afw send one --raw -m second
like "$err" 'unknown whether the message arrived' 'and that it may have arrived'
waits_for 'afw logs one | grep -q second'
unlike "$(afw logs one)" first 'one was delivered'
cut after exec 255 afw exec one -- sh -c 'echo y >file'
is "$(there file)" y 'it was run'
idle='afw status --json one >"$T/s"; json activity "$T/s" | grep -q idle'
waits_for "$idle"
cut after commit 255 afw commit one -m work
is "$(git -C "$T/box/repo" log -1 --format=%s af/one)" work 'it was committed'
cut after fetch 255 afw fetch -u one
cut after diff 255 afw fetch one
cut after fetch 255 afw conflicts one
cut after merge 255 afw merge one
is "$(git log -1 --format=%s main)$(git branch --list 'af/*')" first \
	'nothing is changed here'
waits_for "$idle"
exit_is 0 'the same command' afw merge one
cut after stop 255 afw stop one
is "$(phase)" stopped 'it was stopped'
cut after rm 255 afw rm one
is "$(afw ls -q)" '' 'it was removed'
cut after new 255 afw new one -- cat
is "$(afw ls -q)" one 'it was made'

# -- on a terminal --------------------------------------------------------------

for command in 'attach one' dashboard; do
	tmux_start 100 30 bash -c "afw $command; echo \"code \$?\"; stty -a | grep -o ' icanon'; read -r _"
	[ "$command" = dashboard ] && tmux_wait_for one || tmux_wait_for 'Ctrl'
	hang_up
	tmux_wait_for 'code 255' "$command: 255"
	tmux_wait_for 'was lost' 'and afw says why'
	tmux_wait_for ' icanon' 'the terminal is as it was'
	tmux_stop
done
is "$(phase)" running 'the session goes on'

# -- a machine that falls silent ------------------------------------------------

mkdir "$T/soon"
cat >"$T/soon/ssh" <<END
#!/bin/sh
exec "$T/bin/ssh" -oConnectTimeout=2 -oServerAliveInterval=1 -oServerAliveCountMax=2 "\$@"
END
chmod +x "$T/soon/ssh"
PATH=$T/soon:$PATH
# silence CMD...: the machine stops when CMD is running there.
silence()
{
	local pid pid1 code=0 sshd
	hang_up
	rm -rf "$T/box/held"
	"$@" >"$T/out" 2>"$T/err" </dev/null &
	pid=$!
	waits_for '[ -d "$T/box/held" ]'
	pid1=$(cat "$T/box/pid") sshd=''
	while pid1=$(ps -o ppid= -p "$pid1" | tr -d ' ') &&
		[[ $(ps -o comm= -p "$pid1") == sshd* ]]; do
		sshd+=" $pid1"
	done
	# shellcheck disable=SC2086
	kill -STOP $sshd
	wait "$pid" || code=$?
	# shellcheck disable=SC2086
	kill -KILL $sshd
	echo >&9
	is "$code" 255 "$*: silence ends it"
	like "$(cat "$T/err")" 'was lost' 'and afw says it'
}
echo "before $(printf ls | od -An -tx1 | tr -d ' \n')" >"$T/box/which"
silence afw ls
echo "after $(printf diff | od -An -tx1 | tr -d ' \n')" >"$T/box/which"
silence afw fetch one
echo - - >"$T/box/which"
hang_up
cp "$T/box/ssh" "$T/box/ssh-good"
sed -i '/^Host box/,/ProxyCommand/s/ProxyCommand.*/ProxyCommand sleep 100/' "$T/box/ssh"
for command in ls 'new two -- cat' 'fetch one' 'merge one'; do
	# shellcheck disable=SC2086
	run afw $command
	[[ $command == new* ]] && want=1 || want=255
	is "$code" $want "a machine that accepts and hangs: $command ends"
	like "$err" 'timed out' 'and ssh says why'
done
cp "$T/box/ssh-good" "$T/box/ssh"

# -- a passphrase ----------------------------------------------------------------

cp "$T/box/key" "$T/box/locked"
ssh-keygen -q -p -P '' -N secret -f "$T/box/locked" >"$T/null"
sed -i "s|IdentityFile .*|IdentityFile $T/box/locked|" "$T/box/ssh"
for command in 'new asked -- cat' 'fetch one'; do
	hang_up
	tmux_start 100 30 bash -c "afw $command; echo \"code \$?\"; read -r _"
	tmux_wait_for 'Enter passphrase for key' "$command: asks"
	tmux_type secret
	tmux_keys Enter
	tmux_wait_for 'code 0' 'and needs no second answer'
	tmux_stop
done
box_end
done_testing
