#!/bin/bash
# A temporary error (a disk's EIO, no descriptor left) is never read as "there
# is nothing", and no file is moved aside for it: it is reported, the command
# fails, and everything that could be read is shown.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'they do not go with ptrace'
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
fault=$BUILD/tests/tools/fault_at
"$fault" -x true -r "$T" -- true 2>/dev/null || skip_all 'ptrace is not allowed'

# failing ERRNO PATH CALL CMD...: every CALL of afw's about PATH fails.
failing()
{
	local why=$1 path=$2 call=$3
	shift 3
	"$fault" -x afw -a -c "$call" -e "$why" -n 1 -s -r "$path" -- "$@"
}

exit_is 0 'a session' afw new one -- cat
exit_is 0 'is stopped' afw stop one
exit_is 0 'and another' afw new two -- cat
dir=$(session_dir one) sessions=$DATA/sessions
for how in '' --json -q; do
	exit_is 1 "ls $how: the list cannot be read" \
		failing EIO "$sessions" getdents afw ls $how
	[ -z "$out" ] && [[ $err == *"list sessions in $sessions: Input"* ]]
	ok $? 'it says so, and nothing else' || diag "$out $err"
done
exit_is 0 'one file cannot be read' failing EIO "$dir/spec.json" read \
	afw ls --json
like "$out" 'spec.json: Input/output error' 'ls names it'
like "$out" '"name":"two"' 'and shows the others'
exit_is 0 'and one lock makes no difference' failing EMFILE "$dir/lock" openat afw ls --json
like "$out" 'lock: Too many open files' 'ls says so'
refused 1 'Input/output error' 'rm while its record cannot be read' \
	failing EIO "$dir/spec.json" read afw rm "$(basename "$dir")"
like "$err" 'hint: that may pass' 'that is no reason to delete it by hand'
refused 1 'Input/output error' 'a start while the state cannot be read' \
	failing EIO "$dir/state.json" read afw start one
is "$(ls "$dir" | grep corrupt)" '' 'it is not put aside'
exit_is 0 'it can be started when it can be' afw start one
exit_is 0 'and stopped' afw stop one
refused 1 'Input/output error' 'its lock cannot be opened' \
	failing EIO "$dir/lock" openat afw start one
exit_is 0 'a message is kept' afw send one --when-idle -- hello
refused 1 'Input/output error' 'the queue cannot be read: no second one' \
	failing EIO "$dir/queue" getdents afw send one --when-idle -- again
run failing EIO "$dir/queue" read afw send one --list
[ "$code" = 1 ] && [[ $err == *'Input/output error'* ]]
ok $? 'and it is not empty' || diag "$code $out $err"
for what in events logs; do
	file=$dir/events.jsonl
	[ $what = events ] || file=$dir/transcript
	run failing EIO "$file" read afw $what one
	[ "$code" = 1 ] && [[ $err == *'Input/output error'* ]]
	ok $? "$what: what cannot be read is told" || diag "$code $out $err"
done
exit_is 0 'one goes' afw rm -t one
exit_is 0 'and two' afw rm -s -t two
trash=$DATA/trash
refused 1 'list .*trash: Input/output error' 'trash: the list cannot be read' \
	failing EIO "$trash" getdents afw trash ls
file=$trash/$(basename "$dir")/trash.json
run failing EIO "$file" read afw trash ls
[ "$code" = 1 ] && [[ $err == *'trash.json: Input/output error'* ]]
ok $? 'a file of it cannot be read: that is reported' || diag "$code $out $err"
like "$out" $'\ntwo ' 'the other is shown'
unlike "$out" $'\none ' 'that one is not'
exit_is 0 'and can be restored' failing EIO "$file" read afw trash restore two
done_testing
