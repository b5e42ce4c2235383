#!/bin/bash
# An agent that nothing on the screen describes but its composer reports its turns
# by hooks, whose events and settings file a section names; its conversation is
# resumed by the id that they report.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir "$XDG_CONFIG_HOME/afw"
cat >"$T/agent" <<'END'
#!/usr/bin/perl
use strict;
use JSON::PP;
use FindBin;
my $dir = $FindBin::Bin;
open my $in, '<', $ENV{PEACH_SETTINGS} or die "no settings: $!";
my $settings = decode_json(do { local $/; <$in> });
$settings->{update} eq 'never' or die;
sub fire {
	my ($event, %payload) = @_;
	my $command = $settings->{hooks}{$event}[0]{hooks}[0]{command} or return;
	open my $hook, '|-', 'sh', '-c', $command;
	print $hook encode_json({session_id => 'talk-1', %payload});
	close $hook;
}
system 'stty raw -echo';
$| = 1;
print "@ARGV\r\n" if @ARGV;
print "\e[?2004h> ";
fire('Up');
my $text = '';
while (sysread STDIN, my $key, 1) {
	if ($key eq "\e") {
		sysread STDIN, $key, 1 until $key eq '~';
	} elsif ($key =~ /[\r\n]/) {
		print "\r\e[K> ";
		fire('Asked', prompt => $text);
		select undef, undef, undef, 0.05 while -e "$dir/hold";
		if ($text eq 'break') {
			fire('Broke', error => 'it broke');
		} else {
			fire('Ended', last_assistant_message => "you said $text");
		}
		$text = '';
	} else {
		$text .= $key;
		print $key;
	}
}
END
chmod +x "$T/agent"
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
[harness.peach]
command = $T/agent
resume = $T/agent --go-on {conversation}
env = PEACH_SETTINGS={settings}
settings_json = {"update": "never"}
composer = ^>( .*)?\$
hook_idle = Up
hook_prompt = Asked
hook_done = Ended
hook_failed = Broke
END
activity_is()
{
	afw status one --json >"$T/.status" &&
		[ "$(json activity "$T/.status")" = "$1" ]
}
exit_is 0 'a session' afw new one -a peach
waits_for 'activity_is idle' 'is idle'
: >"$T/hold"
exit_is 0 'a message' afw send one 'hello peach'
like "$out" '^one: accepted' 'is accepted: a hook reports it'
ok_cmd 'it works' activity_is working
rm "$T/hold"
waits_for 'activity_is completed' 'and has ended'
is "$(json said "$T/.status")" 'you said hello peach' 'with an answer'
is "$(json conversation "$T/.status")" talk-1 'in a conversation'
exit_is 0 'a message that is waited for' afw send one -w again
is "$out" 'you said again' 'prints the answer'
exit_is 1 'one that fails' afw send one -w break
like "$out$err" 'it broke' 'says why'
exit_is 0 'suspend' afw suspend one
exit_is 0 'resume' afw resume one
waits_for 'afw capture one | grep -q -- "--go-on talk-1"' 'by the id'
done_testing
