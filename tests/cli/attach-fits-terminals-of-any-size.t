#!/bin/bash
# The harness has the size of the terminal that was last typed into; a terminal
# of another size shows the part that fits; a read-only one never sets the size.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
cat >"$T/sized" <<'END'
#!/usr/bin/perl
# Says its size at the start and when it changes, and each line it is given.
$| = 1;
sub show { chomp(my $size = `stty size`); print "size $size ", '-' x 60, "END\n" }
$SIG{WINCH} = \&show;
show();
while (1) {
	my $n = sysread STDIN, my $line, 1000;
	print "got $line" if $n;
	last if defined $n && $n == 0;
}
END
chmod +x "$T/sized"
exit_is 0 'a session' afw new one -- "$T/sized"
waits_for 'afw capture one | grep -q "size "' 'has said its size'

tmux_run 100 30 afw attach one
ok_cmd 'a terminal attaches' tmux_wait_for 'size 30 100'
tmux_resize 90 25
ok_cmd 'its resize reaches the harness' tmux_wait_for 'size 25 90'
tmux_resize 30 8
ok_cmd 'a small one as well' tmux_wait_for 'size 8 30'
tmux_resize 100 30
ok_cmd 'and back' tmux_wait_for 'size 30 100'

# A second terminal, smaller, watching only.
two()
{
	tmux -S "$T/tmux/two" -f "$T/tmux/conf" "$@"
}
second()
{
	two capture-pane -p
}
two new-session -d -x 40 -y 10 -- env afw attach --read-only one
waits_for 'second | grep -q "size 30 100"' 'a smaller, read-only terminal'
is "$(second | awk 'length > 40')" '' 'is clipped to its width'
is "$(tmux_screen | grep -c 'size 10 40')" 0 \
	'does not decide the size'
two send-keys 'nothing' Enter
tmux_type 'hello'
tmux_keys Enter
ok_cmd 'the other types' tmux_wait_for 'got hello'
waits_for 'second | grep -q "got hello"' 'and it follows'
is "$(tmux_screen | grep -c nothing)" 0 'its own keys went nowhere'
server=$(two display-message -p '#{pid}')
two kill-server

# A second terminal that types takes the size; the first is clipped, until
# the user types there again.
wait_for 'has_ended "$server"'
two new-session -d -x 50 -y 12 -- env afw attach one
waits_for 'second | grep -q "size 12 50"' 'one more takes the size'
ok_cmd 'the first shows what fits' tmux_wait_for 'size 12 50'
tmux_type 'me again'
tmux_keys Enter
ok_cmd 'the terminal that is typed into sets the size again' tmux_wait_for 'size 30 100'
ok_cmd 'and the keys have arrived' tmux_wait_for 'got me again'
two kill-server
ok_cmd 'if one detaches, the other stays' tmux_wait_for 'got me again'
tmux_type 'last'
tmux_keys Enter
ok_cmd 'as it was' tmux_wait_for 'got last'
tmux_keys 'C-\'
ok_cmd 'until it detaches' tmux_wait_for 'detached from one'
tmux_stop

# What was printed wraps as in tmux, and nothing of it is lost.
for ((i = 0; i < 40; i++)); do
	printf 'line %d: %s 漢字\n' $i "$(seq -s. $((i * 7 % 60)))"
done >"$T/text"
exit_is 0 'another' afw new text -- sh -c 'cat "$1"; exec cat' sh "$T/text"
waits_for 'afw capture text | grep -q "line 39"' 'has printed it'
two new-session -d -x 120 -y 40 -- sh -c 'cat "$1"; exec cat' sh "$T/text"
wait_for 'second | grep -q "line 39"'
same_as_tmux()
{
	two resize-window -x "$1" -y "$2"
	tmux_run "$1" "$2" afw attach text
	waits_for '[ "$(json cols <(afw capture text --json))" = '"$1"' ]' "$1 columns"
	is "$(afw capture text --history 1000)" \
		"$(two capture-pane -p -S - | sed 's/ *$//')" \
		"$1x$2: screen and history are as in tmux"
	tmux_stop
}
same_as_tmux 33 12
same_as_tmux 70 50
same_as_tmux 120 40
is "$(afw logs text | tr -d '\r')" "$(<"$T/text")" 'and logs has each line whole'
two kill-server
exit_is 0 'stop' afw stop text one
done_testing
