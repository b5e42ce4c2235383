#!/usr/bin/perl
# svg.pl COLS < SCREEN: what `tmux capture-pane -e -p` gives, as a picture: a
# text element for each run of one colour, a box where it has a background.
use strict;
use warnings;
use open qw(:std :encoding(UTF-8));

my $cols = shift;
my ($w, $h, $top) = (8.4, 18, 12);
my @base = split ' ', q(#2e3436 #ef2929 #8ae234 #fce94f #729fcf #ad7fa8 #34e2e2 #d3d7cf
    #888a85 #ef2929 #8ae234 #fce94f #729fcf #ad7fa8 #34e2e2 #eeeeec);
my ($fore, $back) = ('#d3d7cf', '#1d2021');

sub colour256 {
	my $n = shift;
	return $base[$n] if $n < 16;
	return sprintf '#%02x%02x%02x', (8 + ($n - 232) * 10) x 3 if $n > 231;
	$n -= 16;
	return sprintf '#%02x%02x%02x', map { $_ ? 55 + 40 * $_ : 0 }
	    int($n / 36), int($n / 6) % 6, $n % 6;
}

my %now;
sub sgr {
	my @n = map { $_ eq '' ? 0 : $_ } split /;/, shift, -1;
	@n = (0) unless @n;
	while (defined(my $n = shift @n)) {
		if ($n == 0) { %now = () }
		elsif ($n == 1) { $now{bold} = 1 }
		elsif ($n == 2) { $now{dim} = 1 }
		elsif ($n == 4) { $now{line} = 1 }
		elsif ($n == 7) { $now{reverse} = 1 }
		elsif ($n == 22) { delete @now{qw(bold dim)} }
		elsif ($n == 24) { delete $now{line} }
		elsif ($n == 27) { delete $now{reverse} }
		elsif ($n == 39) { delete $now{fore} }
		elsif ($n == 49) { delete $now{back} }
		elsif ($n >= 30 && $n <= 37) { $now{fore} = $base[$n - 30] }
		elsif ($n >= 90 && $n <= 97) { $now{fore} = $base[$n - 82] }
		elsif ($n >= 40 && $n <= 47) { $now{back} = $base[$n - 40] }
		elsif ($n >= 100 && $n <= 107) { $now{back} = $base[$n - 92] }
		elsif ($n == 38 || $n == 48) {
			my $key = $n == 38 ? 'fore' : 'back';
			if (shift(@n) == 5) { $now{$key} = colour256(shift @n) }
			else { $now{$key} = sprintf '#%02x%02x%02x', splice @n, 0, 3 }
		}
	}
}

my %entity = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;');
my @rows = <STDIN>;
pop @rows while @rows && $rows[-1] =~ /^\s*$/;
my ($width, $height) = ($cols * $w + 2 * $top, @rows * $h + 2 * $top);
print <<"END";
<svg xmlns="http://www.w3.org/2000/svg" width="$width" height="$height" viewBox="0 0 $width $height">
<rect width="$width" height="$height" rx="6" fill="$back"/>
<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
END
for my $row (0 .. $#rows) {
	my ($x, $y) = (0, $top + $row * $h);
	for my $part (split /(\e\[[0-9;]*m)/, $rows[$row] =~ s/\n//r) {
		if ($part =~ /^\e\[([0-9;]*)m$/) { sgr($1); next }
		$part =~ s/\e.//g;
		my $n = length $part or next;
		my ($f, $b) = ($now{fore} // $fore, $now{back} // '');
		($f, $b) = ($b || $back, $f) if $now{reverse};
		printf qq(<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>\n),
		    $top + $x * $w, $y, $n * $w, $h, $b if $b;
		if ($part =~ /\S/) {
			my $text = $part =~ s/([&<>])/$entity{$1}/gr;
			printf qq(<text x="%.1f" y="%d" textLength="%.1f" fill="%s"%s%s%s>%s</text>\n),
			    $top + $x * $w, $y + 14, $n * $w, $f,
			    $now{bold} ? ' font-weight="bold"' : '',
			    $now{dim} ? ' opacity="0.6"' : '',
			    $now{line} ? ' text-decoration="underline"' : '', $text;
		}
		$x += $n;
	}
}
print "</g>\n</svg>\n";
