#!/usr/bin/perl
# hold_lock.pl DIR...: holds the session locks of the directories, as a
# supervisor does, until it is killed. Prints "held" when it has them all.
use strict;
use warnings;
use Fcntl;
use constant F_OFD_SETLK => 37;

my @held;
for my $dir (@ARGV) {
	sysopen(my $fh, "$dir/lock", O_RDWR | O_CREAT, 0600)
	    or die "hold_lock: $dir: $!\n";
	# struct flock on 64-bit Linux: type, whence, start, len, pid
	my $lock = pack('s s x4 q q i x4', F_WRLCK, 0, 0, 0, 0);
	fcntl($fh, F_OFD_SETLK, $lock)
	    or die "hold_lock: $dir: $!\n";
	push @held, $fh;
}
$| = 1;
print "held\n";
sleep;
