#!/usr/bin/perl
# supervisor.pl SOCKET ID DIR: the screen of a supervisor that is none. Holds
# the lock of DIR and serves `subscribe`: what is written to DIR/lines (rows
# of text) is sent as a screen event whenever the file DIR/lines.new appears
# (it is renamed to lines first). Prints "ready". Ends with its input.
use strict;
use warnings;
use Fcntl;
use IO::Select;
use IO::Socket::UNIX;
use JSON::PP;

my ($path, $id, $dir) = @ARGV;
my $json = JSON::PP->new->utf8;
my (%subscribed, %in);

sysopen(my $lock, "$dir/lock", O_RDWR | O_CREAT, 0600) or die $!;
my $flock = pack('s s x4 q q i x4', F_WRLCK, 0, 0, 0, 0);
fcntl($lock, 37, $flock) or die $!;
$SIG{PIPE} = 'IGNORE';
unlink $path;
my $server = IO::Socket::UNIX->new(Local => $path, Listen => 5) or die $!;
my $select = IO::Select->new($server, \*STDIN);

sub put
{
	my ($to, $message) = @_;
	my $text = $json->encode($message);
	syswrite $to, pack('N', length $text) . $text;
}

sub screen
{
	open my $f, '<:encoding(UTF-8)', "$dir/lines" or return;
	chomp(my @lines = <$f>);
	return {event => 'screen', cols => 80, rows => scalar(@lines),
		lines => \@lines, cursor => [0, $#lines],
		title => "title of $id"};
}

sub serve
{
	my $c = shift;
	my $n = sysread $c, $in{$c}, 65536, length $in{$c};
	if (!$n) {
		$select->remove($c);
		delete $subscribed{$c};
		close $c;
		return;
	}
	while (length $in{$c} >= 4) {
		my $len = unpack 'N', $in{$c};
		last if length $in{$c} < 4 + $len;
		my $rq = $json->decode(substr $in{$c}, 4, $len);
		substr($in{$c}, 0, 4 + $len) = '';
		put($c, {seq => $rq->{seq}, ok => JSON::PP::true});
		$subscribed{$c} = $c if $rq->{op} eq 'subscribe';
		my $screen = screen();
		put($c, $screen) if $screen;
	}
}

$| = 1;
print "ready\n";
while (1) {
	for my $h ($select->can_read(0.02)) {
		if ($h == $server) {
			my $c = $server->accept;
			$select->add($c);
			$in{$c} = '';
			put($c, {event => 'system:ready', v => 1, id => $id,
				 name => 'x', pid => $$});
		} elsif ($h == \*STDIN) {
			exit 0 unless sysread STDIN, my $x, 1;
		} else {
			serve($h);
		}
	}
	if (rename "$dir/lines.new", "$dir/lines") {
		put($_, screen()) for values %subscribed;
	}
}
