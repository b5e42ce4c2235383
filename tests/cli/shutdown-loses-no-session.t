#!/bin/bash
# An orderly shutdown: TERM to all processes, in any order, KILL a moment later,
# and the runtime directory is deleted. All sessions that were running are
# restored by resume --all; sessions that had ended, or been stopped, are not.
# tests/run starts it early: it takes long.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit
of() { state_of "$2" "$1"; }
phases() { local n; for n; do printf '%s ' "$(of phase "$n")"; done; }
lives() { grep -qs '^State:.*[RSDTt] (' "/proc/$1/status"; }

# agent CODE: says that it is up; ends so on TERM ("": not at all).
cat >"$T/agent" <<'END'
#!/bin/bash
[ -n "$1" ] && trap 'exit $1' TERM || trap '' TERM HUP
echo "up $1"
while :; do read -r -t 0.05 x; done
END
chmod +x "$T/agent"

backends=pty
! command -v tmux >/dev/null || backends='pty tmux'
ran=()
for b in $backends; do
	for how in 143 0 1 '' cat; do
		name=$b-${how:-stays}
		run=("$T/agent" "$how")
		[ "$how" != cat ] || run=(cat)
		exit_is 0 "new $name" afw new "$name" --backend $b -- "${run[@]}"
		ran+=("$name")
		[ "$how" = cat ] ||
			wait_for 'afw capture '"$name"' | grep -q ^up'
	done
done
# One that was started in another.
exit_is 0 'stop one' afw new inner -- cat
exit_is 0 'stop it' afw stop inner
exit_is 0 'another starts it' afw new outer -- sh -c 'afw start inner; exec cat'
waits_for '[ "$(of phase inner)" = running ]' 'it runs'
exit_is 0 'stop the other' afw stop outer
waits_for '[ "$(of phase inner)" = stopped ]' 'it is stopped too'
exit_is 0 'and again' afw start outer
waits_for '[ "$(of phase inner)" = running ]' 'it runs again'
ran+=(inner outer)
# Sessions that must not be restored.
exit_is 0 'new done' afw new 'done' -- cat
exit_is 0 'stop done' afw stop 'done'
exit_is 0 'new ended' afw new ended -- sh -c 'sleep 0.2'
pid=$(of supervisor_pid ended)
exit_is 0 'wait for its end' afw wait ended --for stopped --timeout 240s
waits_for '! lives '"$pid" 'its supervisor waits for no signal for long'
is "$(phases ended)" 'stopped ' 'and it is stopped'

# shut_down ORDER: what init does.
shut_down()
{
	local name harness=() supervisor=() server=() pid
	for name in "${ran[@]}"; do
		harness+=("$(of pid "$name")")
		supervisor+=("$(of supervisor_pid "$name")")
		[ ! -S "$RUN/$(of id "$name").tmux" ] ||
			server+=("$(tmux -S "$RUN/$(of id "$name").tmux" \
				display-message -p '#{pid}')")
	done
	case $1 in
	harness)
		since=$(now_ms)
		kill -TERM "${harness[@]}"
		waits_for '[ "$(phases pty-143 pty-0)" = "error stopped " ]' \
			'harness first: it looks as if they ended by themselves'
		kill -TERM "${supervisor[@]}" "${server[@]}" 2>"$T/null"
		took=$(($(now_ms) - since))
		;;
	all) # what stands between the two, too, in the order of pids
		kill -TERM $(own_pids | grep -vx $$ | sort -nu) 2>"$T/null"
		;;
	supervisor)
		kill -TERM "${supervisor[@]}" "${harness[@]}" "${server[@]}" \
			2>"$T/null"
		;;
	server)
		kill -TERM "${server[@]}" "${harness[@]}" "${supervisor[@]}" \
			2>"$T/null"
		;;
	esac
	for name in "${ran[@]}"; do
		case $name in *-stays) continue ;; esac
		within "$DEADLINE" '[ "$(of phase '"$name"')" = error ]' ||
			[ "$took" -gt 2500 ] ||
			diag "$name: $(of phase "$name")"
	done
	for pid in $(own_pids); do end "$pid"; done
	wait_for '! pgrep -f "$T/agent"'
	for pid in "${supervisor[@]}"; do wait_for "has_ended $pid"; done
	rm -rf "$RUN"
}
# end PID: KILL, unless it is this script's own.
end()
{
	case $(readlink "/proc/$1/exe") in
	*/afw* | */cat | */tmux*) kill -KILL "$1" 2>"$T/null" ;;
	*) ! grep -qsz "^$T/agent" "/proc/$1/cmdline" ||
		kill -KILL "$1" 2>"$T/null" ;;
	esac
}

for order in harness supervisor server all; do
	took=0
	shut_down $order
	if [ "$took" -gt 2500 ]; then
		# They have ended by themselves, before the shutdown.
		skip 6 "this machine needs $took ms for its signals"
		for name in "${ran[@]}"; do
			run afw start "$name"
			[ "$code" = 0 ] || fail "$name starts again: $err"
		done
		continue
	fi
	is "$(phases "${ran[@]}")" "$(printf 'error %.0s' "${ran[@]}")" \
		"$order first: all that ran failed"
	for name in "${ran[@]}"; do
		of error_reason "$name"
	done >"$T/why"
	is "$(grep -vc '^lost: ' "$T/why")" 0 "$order first: all are lost" ||
		diag "$(<"$T/why")"
	grep -q '^lost: its supervisor was ended (signal 15)$' "$T/why"
	ok $? "$order first: and say why"
	is "$(phases 'done' ended)" 'stopped stopped ' \
		"$order first: those that had ended are as they were"
	exit_is 0 "$order first: resume --all" afw resume --all
	unlike "$out" '(done|ended):' "$order first: only the lost"
	is "$(phases "${ran[@]}")" "$(printf 'running %.0s' "${ran[@]}")" \
		"$order first: all run again"
	for name in "${ran[@]}"; do
		case $name in *-cat | inner | outer) continue ;; esac
		wait_for 'afw capture '"$name"' | grep -q ^up'
	done
done

# So it can be suspended.
can_resume "$T/agent 143"
exit_is 0 'restart' afw restart pty-143
rm "$XDG_CONFIG_HOME/afw/afw.ini"
wait_for 'afw capture pty-143 | grep -q ^up'
# A person's stop counts, before the signal and after it.
pid=$(of supervisor_pid pty-stays)
kill -TERM "$pid"
exit_is 0 'stop of a session that is ending' afw stop -t 100ms pty-stays
is "$(phases pty-stays)" 'stopped ' 'is a stop'
exit_is 0 'suspend' afw suspend pty-143
exit_is 0 'stop all' afw stop "${ran[@]}" -t 300ms
exit_is 0 'resume --all' afw resume --all
is "$out" 'pty-143: resumed its conversation' 'brings back what was suspended alone'
exit_is 0 'stop' afw stop -t 300ms pty-143

# Its signal and the end of its agent reach a supervisor at the same moment:
# it does not wait for the grace period of what has ended.
mkdir -p "$XDG_CONFIG_HOME/afw"
echo 'stop_timeout = 4m' >"$XDG_CONFIG_HOME/afw/afw.ini"
for b in $backends; do
	exit_is 0 "$b: new" afw new "$b-both" --backend "$b" -- cat
	pid=$(of pid "$b-both") its=$(of supervisor_pid "$b-both")
	kill -STOP "$its"
	kill -TERM "$pid"
	wait_for "! lives $pid"
	kill -TERM "$its"
	kill -CONT "$its"
	waits_for '[ "$(phases $b-both)" = "error " ]' \
		"$b: both at the same moment: it ends at once"
	like "$(of error_reason "$b-both")" '^lost: ' "$b: and is lost"
done
done_testing
