#!/bin/bash
# Hosts of afw.ini, and their sessions in the lists of this machine: with a real
# sshd, this machine with another home, data and PATH (box.sh).
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/box.sh"

make_repo "$T/repo"
git clone -q "$T/repo" "$T/box/repo"
cd "$T/repo" || exit 2
url=ssh://box$T/box/repo
mkdir -p "$T/config/afw"
ini=$T/config/afw/afw.ini

# box NAME: another machine, as box.sh makes it: `ssh NAME`.
box()
{
	mkdir -p "$T/$1/home" "$T/$1/run"
	chmod 700 "$T/$1/run"
	sed "s,$T/box/\(home\|run\|\b\$\),$T/$1/\1,g; s,AF_TEST_ID=$T/box,AF_TEST_ID=$T/$1," \
		"$T/box/sshd" >"$T/$1/sshd"
	sed "s/^Host box/Host $1/; s,$T/box/sshd,$T/$1/sshd,; /^Host away/,\$d" \
		"$T/box/ssh" >>"$T/ssh-more"
	git clone -q "$T/repo" "$T/$1/repo"
}
cp "$T/box/ssh" "$T/ssh-first"
for name in cpu tpu; do box $name; done
cat "$T/ssh-more" >>"$T/box/ssh"

# -- which hosts there are ------------------------------------------------------

printf '[host.gpu]\nurl = %s\n' "$url" >"$ini"
run afw config host.gpu.url
is "$out" "$url" 'a host is a section of afw.ini'
exit_is 0 'its name is its address' afw -H gpu new one -- cat
run afw -H gpu ls -q
is "$out" one 'for every command'
run afw -H here ls -q
is "$out" '' 'here is this machine'
refused 2 "host 'gpo'.*did you mean 'gpu'" 'a name that is mistyped' \
	afw -H gpo ls
refused 2 "host 'x'.*\[host.NAME\]" 'one that is unknown' afw -H x ls
printf '[host.gpu]\nurl = %s\n[host.gpu]\nurl = ssh://other\n' "$url" >"$ini"
refused 1 'afw.ini:4: .*two sections have one name' 'two hosts with one name' \
	afw config host
for name in here local; do
	printf '[host.%s]\nurl = %s\n' $name "$url" >"$ini"
	refused 1 'afw.ini:2: .*this machine has that name' "the name $name" \
		afw config host
done
printf '[host.gpu]\nurl = http://x\n' >"$ini"
refused 1 'afw.ini:2: .*ssh://' 'an address that is none' afw config host
printf '[host.a:b]\nurl = %s\n' "$url" >"$ini"
refused 1 'afw.ini:2: .*letters, digits' 'a colon in the name' afw config host
printf '[host.gpu]\nurl = %s\n' "$url" >"$ini"
mkdir .af
printf '[host.evil]\nurl = ssh://evil\n' >.af/afw.ini
git add .af
git commit -qm hosts
refused 1 "'url' is for the user to choose" 'a repository has no hosts' \
	afw trust --yes
git rm -rqf .af
git commit -qm none

# -- one list ---------------------------------------------------------------------

for name in gpu cpu tpu; do
	printf '[host.%s]\nurl = ssh://%s%s\n' $name "${name/gpu/box}" \
		"$T/${name/gpu/box}/repo"
done >"$ini"
afw new mine -- cat >"$T/log"
for name in cpu tpu; do afw -H $name new one -- cat >"$T/log"; done
exit_is 0 'ls lists this machine and three hosts' afw ls -o name,host,branch
is "$(sort <<<"$out" | xargs)" \
	'NAME HOST BRANCH mine here af/mine one cpu af/one one gpu af/one one tpu af/one' \
	'the same name on each'
unlike "$out" "$T/repo" 'in one repository: it has one name'
run afw ls -q
is "$(sort <<<"$out" | xargs)" 'cpu:one gpu:one mine tpu:one' 'the names have a host'
run afw ls --json
is "$(json_of mine host)" null 'JSON: this machine has no name'
is "$(grep -o '"host":[^,}]*' <<<"$out" | sort | xargs)" \
	'host:cpu host:gpu host:tpu host:null' 'the others have'
run afw ls --count
is "$out" 4 'and counts'
run afw ls --here -q
is "$out" mine '--here: this machine alone'

# -- the name of a session ----------------------------------------------------------

run afw status --json gpu:one
is "$(json worktree)" "$T/box/.af_worktrees/repo-one" 'gpu:one is that of gpu'
run afw status --json mine
is "$(json name)" mine 'a name of here is of here'
refused 4 "session 'one' is on several hosts" 'a name of several hosts' \
	afw status one
like "$err" 'hint: .*gpu:one' 'and which they are'
exit_is 0 'new HOST:NAME' afw new tpu:only -- cat
run afw -H tpu ls -q
like "$out" 'only' 'makes it there'
run afw status --json only
is "$(json name)" only 'a name that one host alone has'
exit_is 0 'exec' afw exec only -- pwd
is "$out" "$T/tpu/.af_worktrees/repo-only" 'is run there'
tmux_start 100 24 afw exec --attach tpu:only -- bash --norc
tmux_wait_for 'shell   Ctrl-\ leaves' 'exec --attach keeps a terminal there'
tmux_type 'echo "in $PWD"'
tmux_keys Enter
tmux_wait_for "in $T/tpu/.af_worktrees/repo-only" 'beside that session'
tmux_keys 'C-\'
tmux_wait_for 'detached from only: shell' 'which the same key leaves'
tmux_stop
exit_is 8 'send' afw send tpu:only --raw -m 'gpu:one is not a name here'
waits_for 'afw logs only | grep -q "gpu:one is not"' 'and what it prints'
refused 2 'on different machines' 'names of two machines' \
	afw conflicts mine tpu:only
exit_is 0 'a command that can be run for each' afw stop mine tpu:only gpu:one
run afw ls -o name,host,state
is "$(grep stopped <<<"$out" | sort | xargs)" \
	'mine here stopped one gpu stopped only tpu stopped' 'is'
exit_is 3 'the exit code of a part is that of all' afw start tpu:none mine
exit_is 0 'and the others are done' afw start only gpu:one
exit_is 0 'flags of sessions of two machines' afw flag pin mine gpu:one
run afw ls -o name,host,flags
is "$(grep pinned <<<"$out" | sort | xargs)" 'mine here pinned one gpu pinned' 'are set on each'
exit_is 0 'a note of one there' afw flag note gpu:one 'ask Bob'
exit_is 0 'and it is snoozed' afw flag snooze gpu:one 1h
run afw ls
unlike "$out" ' gpu ' 'then it is hidden here, too'
like "$err" 'hint: 1 snoozed' 'which is said'
like "$(afw ls --archived)" ' gpu .*\[pinned, snoozed until .*\[ask Bob\]' 'with all that is known'
exit_is 0 'show' afw flag show gpu:one
like "$(afw ls)" ' gpu .*\[ask Bob\]' 'lists it again'
exit_is 0 'wait' afw wait --for idle,working --timeout 60s mine only gpu:one
refused 9 'on another machine.*afw fetch HOST:NAME' 'try of one there' \
	afw try gpu:one
exit_is 0 'as the hint says' afw fetch gpu:one
exit_is 0 'its branch' git branch -D af/one
refused 3 'there is no .host.gpx.*did you mean .gpu' 'a host that is mistyped' \
	afw status gpx:one
refused 3 "no session 'nowhere'" 'a session that is nowhere' afw status nowhere
refused 3 "no session 'nowhere'" 'nor there' afw status gpu:nowhere
id=$(afw -H tpu ls --json | "$BUILD/tests/tools/jsonget" 0.id)
run afw status --json "${id:0:8}"
is "$(json id)" "$id" 'an id'
exit_is 0 'rm' afw rm --stop tpu:only
run afw -H tpu ls -q
is "$out" one 'removes it there'
waits_for 'afw send --raw cpu:one -m "a needle"; afw grep needle | grep -q "^cpu:one .*needle"' \
	'grep names the host of each line'
run afw grep --json needle
is "$(sed q <<<"$out" | "$BUILD/tests/tools/jsonget" host)" cpu 'and in JSON'
exit_is 0 'of one session' afw grep needle cpu:one
exit_is 0 'since' afw since 1h
like "$out" 'mine.*gpu:.*one.*cpu:.*one.*tpu:.*one' 'has a part for each host'
run afw since 1h --json
is "$(json hosts.0.host) $(json hosts.2.sessions.0.name)" 'gpu one' 'and in JSON'
# offered WORD...: what bash offers; a colon is a word.
offered()
{
	bash -c 'source <(afw completion bash); COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1)); _afw; echo "${COMPREPLY[*]}"' bash "$@"
}
is "$(offered afw status gpu : '')" one 'completion asks the host of the word'
is "$(offered afw status tp)" tpu: 'and no other'
cd "$T" || exit 2
run afw status --json gpu:one
is "$(json name)" one 'from outside of a repository, too'
cd "$T/repo" || exit 2

# -- a host that is cut, or silent ------------------------------------------------

# Each connection to cpu and tpu goes through two processes, whose ids are in its
# file; which of sshd's own has it, differs with its version.
for name in cpu tpu; do
	cat >"$T/$name/reach" <<-END
	#!/bin/bash
	[ ! -e "$T/$name/down" ] || exit 1
	pass() { echo \$BASHPID >>"$T/$name/pids" && exec cat; }
	pass | env AF_TEST_ID=$T $sshd -i -f $T/$name/sshd | pass
	END
	chmod +x "$T/$name/reach"
	sed -i "s,ProxyCommand .*$T/$name/sshd,ProxyCommand $T/$name/reach," \
		"$T/box/ssh"
done
all_sshd() { xargs -r kill "-$1" <"$T/$2/pids" 2>"$T/null" || :; }
# shows RE WHAT; goes RE WHAT: the screen has a line, or no longer.
shows() { waits_for "tmux_screen | grep -qE '$1'" "$2" tmux_screen; }
goes() { waits_for "! tmux_screen | grep -qE '$1'" "$2" tmux_screen; }
hang_up
tmux_start 120 30 afw ls -w
shows 'one +tpu' 'ls -w has the hosts'
shows 'mine +here' 'and this machine'
touch "$T/tpu/down"
all_sshd KILL tpu
shows 'tpu: unreachable for [0-9]s: ' 'a cut is noticed'
shows 'one +tpu' 'its rows stay'
exit_is 0 'ls, meanwhile' afw ls -q
like "$err" '^afw: tpu: unreachable: .' \
	'has one line'
like "$out" 'gpu:one' 'and the others'
unlike "$out" 'tpu:one' 'without its sessions'
afw -H cpu new later -- cat >"$T/log"
shows 'later +cpu' 'the others go on'
rm "$T/tpu/down"
goes 'unreachable' 'it is found again'
afw -H tpu rm --stop one >"$T/log"
goes 'one +tpu' 'a session that is removed'
all_sshd STOP cpu
start=$(now_ms)
exit_is 0 'ls of a host that is silent' afw ls -q
ok $(($(now_ms) - start > 9000)) 'ends'
is "$err" 'afw: cpu: unreachable: no answer' 'and says so'
shows 'cpu: unreachable for [0-9]+s: no answer' 'ls -w notices it, too'
all_sshd CONT cpu
goes 'unreachable' 'until it answers'
tmux_keys q
tmux_stop

# -- a host that prints anything ---------------------------------------------------

until_gone='while echo "{\"now\":\"2026-11-30T00:00:00Z\"}"; do sleep 0.5; done'
# evil LINE...: what `afw` of the machine tpu prints, before it waits.
evil()
{
	{
		echo '#!/bin/sh'
		echo "cat <<'END'"
		printf '%s\n' "$@"
		echo END
		echo "$until_gone"
	} >"$T/tpu/bin/afw"
}
mkdir "$T/tpu/bin"
touch "$T/tpu/bin/afw"
chmod +x "$T/tpu/bin/afw"
sed -i "s,PATH=$BUILD:,PATH=$T/tpu/bin:," "$T/tpu/sshd"
hang_up
printf '[host.tpu]\nurl = ssh://tpu%s/tpu/repo\n' "$T" >"$ini"
now="{\"now\":\"$(TZ=UTC0 printf '%(%FT%T.000Z)T' $((EPOCHSECONDS - 7200)))\"}"
old=$(TZ=UTC0 printf '%(%FT%T.000Z)T' $((EPOCHSECONDS - 7200 - 600)))
# row NAME [MORE]: the line of a session of 10 minutes, by a clock of two hours ago.
row()
{
	local id
	id=$(printf %s "$1" | md5sum)
	echo "{\"id\":\"${id%% *}\",\"name\":\"$1\",\"phase\":\"stopped\",\"activity\":null,\"created_at\":\"$old\",\"repository\":\"/x\",\"repository_name\":\"repo\"${2-}}"
}
evil "$now" "$(row late)" "$now"
exit_is 0 'a clock that is two hours slow' afw ls -o name,age,host
like "$out" 'late +1[01]m +tpu' 'changes no age'
evil "$now" "$(row a ',"branch":"\u001b]0;x\u0007\u009b2J","said":"a\nmine here","host":"here","pid":1')" "$now"
run afw ls -o name,host,branch,says
like "$(od -An -c <<<"$out" | tr -d ' \n')" 'atpu\?]0;x\?\?2Jamine' \
	'no control character is printed, and no line is made up'
run afw ls --json
like "$out" '"host":"tpu"' 'it cannot be of another host'
# bad WHAT RE LINE...
bad()
{
	local what=$1 re=$2
	shift 2
	evil "$now" "$@" "$now"
	run afw ls -q
	is "$code $err" "0 afw: tpu: unreachable: $re" "$what"
}
bad 'a line that is no JSON' 'it sent something that is not a list of sessions' '$(touch /x)'
bad 'a name that is none' 'it sent something that is not a session' "$(row '$(x)')"
bad 'a line without an end' 'it sent a line that is too long' \
	"{\"x\":\"$(printf '%070000d' 0)\""
for i in {1..90}; do
	row "s$i" ",\"x\":\"$(printf '%060000d' 0)\""
done >"$T/many"
{ printf '#!/bin/sh\necho %q\ncat %q\n%s\n' "$now" "$T/many" "$until_gone"; } >"$T/tpu/bin/afw"
run afw ls -q
like "$err" '^afw: tpu: unreachable: it has too many sessions' 'too many sessions'
printf '#!/bin/sh\nprintf "\\033[2Jno\\nhint: no\\n" >&2\nexit 3\n' >"$T/tpu/bin/afw"
run afw ls -q
like "$(od -An -c <<<"$err" | tr -d ' \n')" '^afw:tpu:unreachable:hint:no' \
	'what it prints as its error is printable'
hang_up

# -- no connection without a question ------------------------------------------------

sed -i "/^Host tpu/a \\\tStrictHostKeyChecking ask\n\tUserKnownHostsFile $T/none" \
	"$T/box/ssh"
run afw ls -q
is "$err" 'afw: tpu: unreachable: Host key verification failed.' \
	'an unknown host key is not asked about'
sed -i "s,ProxyCommand $T/tpu/reach,ProxyCommand sleep 1000," "$T/box/ssh"
run afw ls -q
is "$err" 'afw: tpu: unreachable: no answer' 'a host that accepts and hangs'

hang_up
box_end
done_testing
