#!/usr/bin/perl
# memory_has.pl PID PATTERN: prints "found" for each writable part of the
# process's memory that has it; exits with 3 where none could be read.
use strict;
use warnings;

my ($pid, $what) = @ARGV;
my $read = 0;
open my $maps, '<', "/proc/$pid/maps" or exit 2;
open my $mem, '<', "/proc/$pid/mem" or exit 2;
while (<$maps>) {
	no warnings 'portable';
	/^([0-9a-f]+)-([0-9a-f]+) rw/ or next;
	sysseek $mem, hex $1, 0 or next;
	sysread $mem, my $text, hex($2) - hex $1 or next;
	$read++;
	print 'found ' if $text =~ /$what/;
}
exit($read ? 0 : 3);
