#!/bin/bash
# The values of -e and --env-file reach only the harness; the harness has no
# descriptor except its terminal.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
secret=s3cretValue42
printf 'FROM_FILE=f1leValue43\n# comment\nexport QUOTED=a b=c\r\n\n' >"$T/env"
export FROM_HERE=hereValue44 TMUX=/x,1,2 KITTY_WINDOW_ID=1
# As in an OpenCode that afw runs, and that starts another agent.
export AF_SESSION_ID=0123456789abcdef0123456789abcdef
export OPENCODE=1 OPENCODE_CONFIG_CONTENT='{}'
cat >"$T/show" <<'END'
#!/bin/bash
env >"$1.env"
ls -l /proc/$$/fd >"$1.fd"
ps -o pid=,pgid=,sid=,tpgid= $$ >"$1.ids"
stty size >"$1.size"
grep -E '^Sig(Blk|Ign)' /proc/self/status >"$1.sig"
touch "$1.done"
exec cat
END
chmod +x "$T/show"

exec 8</etc/passwd 9<>"$T/nine"
exit_is 0 'a session with secrets' afw new one -e "TOKEN=$secret" \
	--env-file "$T/env" -e FROM_HERE -- "$T/show" "$T/out"
exec 8<&- 9>&-
waits_for '[ -e "$T/out.done" ]' 'runs'
env=$(<"$T/out.env")
like "$env" "TOKEN=$secret" '-e NAME=VALUE is given'
like "$env" 'FROM_FILE=f1leValue43' '--env-file is given'
like "$env" $'QUOTED=a b=c\n' 'as it stands there, without CR'
like "$env" 'FROM_HERE=hereValue44' '-e NAME takes it from here'
like "$env" 'AF_SESSION_ID=[0-9a-f]{32}' 'the session is named'
unlike "$env" $'(^|\n)(TMUX|KITTY_WINDOW_ID)=' 'what is of this terminal is not'
unlike "$env" 'OPENCODE_CONFIG' "nor another agent's configuration"
is "$(grep -c . "$T/out.fd")" "$(grep -cE 'total|/dev/pts/|show|/proc/' "$T/out.fd")" \
	'it has no descriptor but its terminal and its script'
unlike "$(<"$T/out.fd")" 'passwd|nine|lock|socket' 'none of ours'
read -r pid pgid sid tpgid <"$T/out.ids"
is "$sid $pgid $tpgid" "$pid $pid $pid" 'it leads its session, in the foreground'
# 32 and 33 are glibc's own: its posix_spawn (make's) leaves them ignored,
# and its signal() leaves them as they are.
like "$(<"$T/out.sig")" $'SigBlk:\t0+\nSigIgn:\t0+(180000000)?$' \
	'no signal is blocked or ignored'

run afw exec one -- env
unlike "$out" 'TOKEN|FROM_FILE|FROM_HERE' 'they are not for other commands'
exit_is 0 'status' afw status one --json
supervisor=$(json supervisor_pid)
guard=$(awk '/^PPid:/ { print $2 }' "/proc/$(json pid)/status")
for value in "$secret" f1leValue43 hereValue44; do
	run grep -rlaF "$value" "$DATA" "$RUN"
	is "$out" '' "$value is in no file of afw's"
	run grep -laF "$value" "/proc/$supervisor/environ" "/proc/$supervisor/cmdline"
	is "$out" '' "nor in the supervisor's environment or arguments"
done
run grep -haoE '"env_names":\[[^]]*\]' "$DATA"/sessions/*/spec.json
is "$out" '"env_names":["FROM_FILE","QUOTED","TOKEN","FROM_HERE"]' \
	'the names are kept'
# Nor in their memory, nor may others look there: root may, who asks here.
if [ -n "${SANITIZE-}" ]; then
	skip 3 'AddressSanitizer keeps what was freed'
elif [ "$(id -u)" = 0 ]; then
	# First: to read its memory may count as dirty, with some kernels.
	own=$(awk '/^Private_Dirty:/ { print $2 }' "/proc/$guard/smaps_rollup")
	for pid in $supervisor $guard; do
		is "$(perl "$ROOT/tests/memory_has.pl" "$pid" "$secret")$?" 0 \
			'it is wiped from memory'
	done
	ok_cmd "its guard takes little memory ($own kB)" test "$own" -lt 200
else
	nok_cmd 'no process can read it' cat "/proc/$supervisor/maps"
	nok_cmd 'and not the memory of its guard' cat "/proc/$guard/maps"
	skip 1 'the guard cannot be measured'
fi
exit_is 0 'stop' afw stop one
exit_is 0 'start' env -u FROM_HERE afw start one
like "$err" 'TOKEN was given at its start and is not set now' \
	'a later start says what is missing'
run grep -rlaF "$secret" "$DATA" "$RUN"
is "$out" '' 'still in no file'
is "$(find "$DATA" "$RUN" -perm /077 ! -type l | head)" '' \
	"nobody else may look into afw's files"

refused 2 'env:1: .*neither NAME=VALUE' 'a bad name' afw new two -e 1X=3 -- cat
refused 2 'env:2: .*nor the name of a variable that is set' 'no value' \
	afw new two -e A=1 -e NOT_SET_AT_ALL -- cat
printf 'A=1\0\nB=2\n' >"$T/nul"
refused 2 'nul holds a NUL byte' 'nothing that is not text' \
	afw new two --env-file "$T/nul" -- cat
refused 1 'no-such-file' 'no file' afw new two --env-file "$T/no-such-file" -- cat
is "$(ls "$DATA/sessions" | wc -l)" 1 'nothing was made'
done_testing
