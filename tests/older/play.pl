#!/usr/bin/perl
# play.pl RECORDING SESSION_DIR: a supervisor of an older afw, as recorded: holds
# the session's lock, greets on its control socket, and gives to each request the
# reply that was recorded; to one that was not, the error of an unknown request.
# Ends with its standard input. What it was asked is in SESSION_DIR/asked.
use strict;
use warnings;
use Fcntl;
use IO::Select;
use IO::Socket::UNIX;
use JSON::PP;
use constant F_OFD_SETLK => 37;

my ($recording, $dir) = @ARGV;
my ($hello, %reply);
open my $in, '<', $recording or die "play: $recording: $!\n";
while (my $line = <$in>) {
	my $o = decode_json($line);
	$hello = $o->{hello} if $o->{hello};
	$reply{$o->{cmd}} = $o->{reply} if $o->{cmd};
}
sysopen(my $lock, "$dir/lock", O_RDWR | O_CREAT, 0600) or die "play: $!\n";
# struct flock on 64-bit Linux: type, whence, start, len, pid
my $whole = pack('s s x4 q q i x4', F_WRLCK, 0, 0, 0, 0);
fcntl($lock, F_OFD_SETLK, $whole)
    or die "play: lock $dir: $!\n";
chdir $dir or die "play: $dir: $!\n"; # its path may be too long for a socket
unlink 'control';
my $socket = IO::Socket::UNIX->new(Local => 'control', Listen => 8) or die "play: $!\n";
open my $asked, '>', 'asked' or die;
$asked->autoflush;

sub frame { my $text = encode_json($_[0]); return pack('N', length $text) . $text }

my $all = IO::Select->new($socket, \*STDIN);
my %buffer;
$| = 1;
print "ready\n";
while (1) {
	for my $fh ($all->can_read) {
		if ($fh == $socket) {
			my $client = $socket->accept or next;
			$all->add($client);
			syswrite $client, frame($hello);
			next;
		}
		my $n = sysread $fh, my $bytes, 65536;
		exit if !$n && fileno $fh == 0;
		if (!$n) {
			$all->remove($fh);
			close $fh;
			next;
		}
		my $b = \($buffer{$fh} //= '');
		$$b .= $bytes;
		while (length $$b >= 4 && length $$b >= 4 + unpack 'N', $$b) {
			my $o = decode_json(substr $$b, 4, unpack 'N', $$b);
			substr($$b, 0, 4 + unpack 'N', $$b) = '';
			print $asked "$o->{cmd}\n";
			my $r = $reply{$o->{cmd}} || {ok => JSON::PP::false, code => 2,
				error => "unknown request '$o->{cmd}'"};
			syswrite $fh, frame({%$r, seq => $o->{seq}});
		}
	}
}
