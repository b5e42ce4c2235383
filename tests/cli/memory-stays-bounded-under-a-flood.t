#!/bin/bash
# Whatever an agent prints, and however much: its supervisor keeps only the
# screen, a bounded history and the unwritten part of the transcript.
. "$(dirname "$0")/../lib.sh"
without_sanitizers 'their memory is not ours'
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2

exit_is 0 'an agent that floods' afw new flood -- perl -e '
	$| = 1;
	print "ready\n";
	<STDIN>;
	# A run of attributes for each letter, marks on letters, text, and a
	# string that never ends.
	my $colour = join("", map { "\e[3" . ($_ % 8) . "mx" } 1 .. 70) . "\r\n";
	my $marks = "e\xcc\x81o\xcc\x88" x 30 . "\r\n";
	print $colour x 20000, $marks x 20000, ("text " x 15 . "\r\n") x 50000;
	print "\e]52;c;" . "QUJD" x 1000000 . "\a\r\nflooded\r\n";
	sleep 1000'
waits_for 'afw capture flood | grep -q ready' 'it is there'
supervisor=$(state_of flood supervisor_pid)
high() { awk '/^VmHWM/ { print $2 }' "/proc/$supervisor/status"; }
before=$(high)
exit_is 0 'it is let go' afw send --keys flood enter
waits_for 'afw capture flood | grep -q flooded' 'all is read'
grown=$(($(high) - before))
ok_cmd 'little of 17 MB was kept at once' [ "$grown" -lt 5000 ]
diag "$before kB, and $grown more"
done_testing
