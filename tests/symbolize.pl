#!/usr/bin/perl
# symbolize.pl [FILE...] - copies its input and adds function and line to the
# frames of the sanitizers, "#1 0x55d9be8af1d8 (/build/afw+0x11d8)". They could
# do it themselves, but would then read all debug information at the end of each
# process that has a leak of tests/lsan.supp: four fifths of the time it takes.
use strict;
use warnings;

while (<>) {
	if (m{^(\s*#\d+ 0x[0-9a-f]+)\s+\((/.+)\+(0x[0-9a-f]+)\)} && -e $2) {
		my ($frame, $file, $at) = ($1, $2, $3);
		if (open my $tool, '-|', 'addr2line', '-Cfpe', $file, $at) {
			my $where = <$tool>;
			$_ = "$frame $where" if $where && $where !~ /^\?\? /;
		}
	}
	print;
}
