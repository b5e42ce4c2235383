#!/usr/bin/perl
# hints.pl FOLLOWED EXCUSED - which hints of the source no test has followed.
#
# A hint is a string that names a command in backquotes: "`afw rm %s` ...".
# FOLLOWED has a line for each command that a test ran as it was printed: the
# text that it was printed in, a TAB, the command. EXCUSED has a line for each
# hint that cannot be followed there: a part of its text, a TAB, the reason.
# Prints what is in neither, what is excused for nothing, and hints whose
# command is not in backquotes.
use strict;
use warnings;
use FindBin;

chdir "$FindBin::Bin/.." or die;
my $program = qr/(?:afw|git|podman|cat|chmod|kill|rm|umount)/;
my $afw = join '|', qx(cat src/commands/command.c) =~ /X\("[^"]*", \w+, (\w+)\)/g;
my $git = 'add|branch|commit|config|fetch|init|log|merge|push|remote|reset|' .
    'stash|status|switch|worktree';
my $bare = qr/\b(?:afw (?:$afw)\b|git (?:-C|$git)\b(?! itself)|chmod|umount|rm ')/;

# What printf makes of a format, as a pattern.
sub pattern
{
	my $text = shift;
	$text =~ s/\\n/\n/g;
	$text =~ s/\\(["\\])/$1/g;
	return join '', map { /^%./ && $_ ne "%%" ? '.*?' : $_ eq '%%' ? '%' : quotemeta }
	    split /(%[-.*0-9]*(?:l*[du]|zu|[sxo])|%%)/, $text;
}

sub lines
{
	open my $f, '<', shift or die "$!";
	return map { chomp; [split /\t/, $_, 2] } <$f>;
}

# file:line, text and whether a function for hints gets it, of each string.
sub strings
{
	my @found;
	for my $file (glob '{src,src/*,src/*/*,adapters,adapters/*,tui,tui/*,worktrees,worktrees/*}/*.c') {
		open my $f, '<', $file or die "$file: $!";
		my $s = do { local $/; <$f> };
		$s =~ s{("(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*')|(/\*.*?\*/)}
			{ $1 // $2 =~ s/[^\n]/ /gr }gse;
		my ($line, $counted) = (1, 0);
		while ($s =~ /("(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*)/g) {
			my ($literal, $at) = ($1, $-[0]);
			my $between = substr $s, $counted, $at - $counted;
			my $text = join '', $literal =~ /"((?:[^"\\\n]|\\.)*)"/g;
			my ($start) = sort { $b <=> $a }
			    map { 1 + rindex $s, $_, $at } ';', '{', '}';
			my $hint = substr($s, $start, $at - $start) =~
			    /(?:err_hint|output_hint|create_err_exists)\(|hint =/;
			$line += $between =~ tr/\n//;
			$counted = $at;
			push @found, ["$file:$line", $text, $hint];
		}
	}
	return @found;
}

my @followed = lines($ARGV[0]);
my @excused = lines($ARGV[1]);
my %used;
for (strings()) {
	my ($where, $text, $hint) = @$_;
	my $outside = $text =~ s/`[^`]*`//gr;

	my ($excuse) = grep { index($text, $_->[0]) >= 0 } @excused;

	$used{$excuse->[0]} = 1 if $excuse;
	next if $excuse || $text =~ /^usage: /;
	print "$where: not in backquotes: $text\n" if $hint && $outside =~ $bare;
	my @commands = $text =~ /`($program(?: [^`]*)?)`/g or next;
	for my $command (@commands) {
		my ($all) = map { pattern($_) }
		    grep { index($_, "`$command`") >= 0 } split /\\n/, $text;
		my $one = pattern($command);
		print "$where: nobody follows `$command`: $text\n"
		    unless grep { $_->[1] =~ /^$one$/s && $_->[0] =~ /$all/s }
		    @followed;
	}
}
print "excused, but not in the source: $_->[0]\n"
    for grep { !$used{$_->[0]} } @excused;
