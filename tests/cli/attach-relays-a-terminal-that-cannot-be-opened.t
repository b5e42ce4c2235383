#!/bin/bash
# A terminal that cannot be opened again (here: /dev/pts is hidden) is not
# handed over; its bytes are sent through the socket instead.
. "$(dirname "$0")/../lib.sh"
afw_env
[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null ||
	skip_all 'needs root and mount namespaces to hide /dev/pts'
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session' afw new one -- sh -c \
	'stty -echo raw; printf "ready\r\n"; exec cat -v'
waits_for 'afw capture one | grep -q ready' 'is there'

cat >"$T/hidden" <<END
mount -t tmpfs none /dev/pts || exit 1
stty -g >$T/before
afw attach one
stty -g >$T/after
echo "attach ended with \$?"
exec cat
END
tmux_start 80 20 unshare -m sh "$T/hidden"
ok_cmd 'it is attached' tmux_wait_for ready
tmux_keys 'h' 'i' Up C-a
ok_cmd 'keys go through' tmux_wait_for 'hi^[[A^A'
tmux_keys 'C-\'
ok_cmd 'the detach key works' tmux_wait_for 'attach ended with 0'
is "$(<"$T/after")" "$(<"$T/before")" 'the terminal is as before'
exit_is 0 'it continues' afw status one
done_testing
