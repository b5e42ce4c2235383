#!/bin/bash
# A capture that is too large for one message loses old lines, not new ones.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'a session with much colour' afw new one -- perl -e '
	for my $i (1 .. 3000) {
		print "line $i ", join("", map { "\e[3" . ($_ % 7) . "mx" } 1 .. 100), "\n";
	}
	sleep 1000'
waits_for 'afw capture one | grep -q "line 3000"' 'all is printed'
exit_is 0 'all of it' afw capture -e -S 100000 one
like "$out" 'line 3000' 'has the newest line'
exit_is 0 'afterwards' afw stop one
exit_is 0 'as it was at the end' afw capture -S 100000 one
like "$out" 'line 3000' 'has the newest line, too'
done_testing
