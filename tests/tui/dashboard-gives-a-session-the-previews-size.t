#!/bin/bash
# With resize = yes the selected session gets the preview's size.
. "$(dirname "$0")/dash.sh"

mkdir -p "$XDG_CONFIG_HOME/afw"
screen_session second
second=$supervisor_pid
rm "$T/show"
screen_session first
size() { afw capture "$1" --json >"$T/size" && echo "$(json cols "$T/size")x$(json rows "$T/size")"; }
is "$(size first)" 120x40 'the size of a session without a terminal'
lines 'before'
dash 100 60
see before 'it is shown'
keys g G g
is "$(size first)" 120x40 'its size is its own'
keys q
waits_for tmux_dead 'without the option'

printf '[dashboard]\nresize = yes\nsort = name\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
dash 100 60
waits_for '[ "$(size first)" = 100x53 ]' 'with it, the selected one gets the size of the preview'
is "$(size second)" 120x40 'and no other'
tmux_resize 60 20
waits_for '[ "$(size first)" = 80x24 ]' 'but never one in which a question does not fit'

mkfifo "$T/in"
"$BUILD/tests/tools/onpty" -s 90x30 afw attach first <"$T/in" >"$T/screen" 2>&1 &
attached=$!
exec {in}>"$T/in"
waits_for '[ "$(size first)" = 90x30 ]' 'it has the size of a terminal that is attached'
tmux_resize 110 60
see '── first' 'a window of another size'
keys G
selected_is second 'another session'
waits_for '[ "$(size second)" = 110x53 ]' 'which gets its size'
keys g
selected_is first 'the attached one'
lines 'after'
see after 'is shown'
control=$(session_dir first)/control
cat >"$T/resize.pl" <<'END2'
use strict; use warnings; use IO::Socket::UNIX; use Socket;
my ($path, $cols) = @ARGV;
my $s = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $path) or die;
my $r = qq({"cmd":"resize","seq":1,"unattended":true,"cols":$cols,"rows":40});
sysread $s, my $hello, 65536;
syswrite $s, pack('N', length $r) . $r;
sysread $s, my $answer, 65536;
print substr $answer, 4;
END2
like "$(perl "$T/resize.pl" "$control" 100)" 'it is attached' 'nothing resizes it'
is "$(size first)" 90x30 'it keeps the size of its terminal'
exec {in}>&-
afw stop first >/dev/null
wait "$attached"
like "$(perl "$T/resize.pl" "$(session_dir second)/control" 79)" 'too small' 'nor a session to less than 80x24'
kill -KILL "$second"
end
