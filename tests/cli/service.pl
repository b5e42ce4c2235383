#!/usr/bin/perl
# service.pl SOCKET LOG: a coordination service on a unix socket: MCP's
# tools/list and tools/call by HTTP, a request a connection. Writes each to
# LOG, a line: the Authorization header, a blank, the body. What it does with a
# call is what the tool is called.
use strict;
use warnings;
use IO::Socket::UNIX;

my ($path, $log) = @ARGV;
my $server = IO::Socket::UNIX->new(Local => $path, Listen => 8)
    or die "service: $path: $!\n";
$| = 1;
print "ready\n";
$SIG{CHLD} = 'IGNORE';
while (my $c = $server->accept) {
	next if fork;
	my ($length, $token, $body) = (0, '-', '');
	while (defined(my $line = <$c>)) {
		$length = $1 if $line =~ /^content-length: (\d+)/i;
		$token = $1 if $line =~ /^authorization: (.*?)\r?$/i;
		last if $line =~ /^\r?\n$/;
	}
	read($c, $body, $length);
	open(my $out, '>>', $log) or die;
	print $out "$token $body\n";
	close $out;
	my ($id) = $body =~ /"id":(\d+)/;
	my ($tool) = $body =~ /"name":"(\w+)"/;
	my $status = '200 OK';
	my $answer = qq({"jsonrpc":"2.0","id":$id,"result":);
	if (!$tool) {
		$answer .= '{"tools":[{"name":"hello","inputSchema":{"type":"object"}}]}}';
	} elsif ($tool eq 'hello') {
		$answer .= '{"content":[{"type":"text","text":"hello"}]}}';
	} elsif ($tool eq 'broken') {
		$status = '500 No';
	} elsif ($tool eq 'garbage') {
		$answer = 'garbage';
	} elsif ($tool eq 'other') {
		$answer = '{"jsonrpc":"2.0","id":0,"result":{"content":[]}}';
	} elsif ($tool eq 'refused') {
		$answer = qq({"jsonrpc":"2.0","id":$id,"error":{"code":1,"message":"not you"}});
	} elsif ($tool eq 'big') {
		$answer = 'x' x 2000000;
	} elsif ($tool eq 'slow') {
		1 while read($c, $body, 1); # until who asks gives up
		exit;
	}
	print $c "HTTP/1.1 $status\r\nContent-Length: ", length $answer,
	    "\r\nConnection: close\r\n\r\n", $answer;
	close $c;
	exit;
}
