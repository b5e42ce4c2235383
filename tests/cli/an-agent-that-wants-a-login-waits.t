#!/bin/bash
# While an agent asks to log in, its session is waiting, and its task stays queued:
# nothing is typed into the dialog. The screens are those of the real programs.
. "$(dirname "$0")/../lib.sh"
afw_env
mkdir -p "$T/bin"
export PATH="$T/bin:$PATH"
make_repo "$T/repo"
cd "$T/repo" || exit 2
exit_is 0 'trust' afw trust -y

# agent NAME: a program of that name that shows standard input, keeps each byte
# that it gets in $T/NAME.typed, and shows $T/NAME.then when that is there.
agent()
{
	cat >"$T/$1.screen"
	# Not in bash: a read with a timeout may lose the byte that comes just then.
	cat >"$T/bin/$1" <<-END
	#!/usr/bin/perl
	my \$own = "$T/$1";
	END
	cat >>"$T/bin/$1" <<-'END'
	system 'stty', '-echo', '-icanon';
	$| = 1;
	sub show { open my $f, '<', shift or die; print <$f> }
	show("$own.screen");
	for (;;) {
		vec(my $in = '', 0, 1) = 1;
		if (select($in, undef, undef, 0.1) > 0) {
			exit unless sysread STDIN, my $keys, 4096;
			open my $f, '>>', "$own.typed" or die;
			print $f $keys;
		}
		next unless -e "$own.then";
		print "\033[H\033[2J";
		show("$own.then");
		unlink "$own.then";
	}
	END
	chmod +x "$T/bin/$1"
}

# waits NAME SAYING: with a task, it is waiting with that question.
waits()
{
	exit_is 0 "$1 starts" afw new "$1" -a "$1" -m "a task for $1"
	waits_for "afw status $1 --json >$T/s &&
		[ \"\$(json activity $T/s)\" = waiting_for_input ] &&
		[[ \$(json detail $T/s) == '$2' ]]" 'and asks to log in' \
		"afw status -v $1; afw capture $1"
	is "$(json queued "$T/s")" 1 'its task is queued'
	refused 9 'asks something first' 'another message is refused' \
		afw send "$1" 'a message'
	ok_cmd 'nothing was typed' [ ! -e "$T/$1.typed" ]
}

agent droid <<'END'
│ Welcome to Factory CLI                                                     │
╰────────────────────────────────────────────────────────────────────────────╯

Please login with your Factory account to continue.

> Login
  Exit
END
waits droid 'Please login with your Factory account to continue.'

agent amp <<'END'
No API key found. Starting login flow...
Would you like to log in to Amp? [(y)es, (n)o]:
END
waits amp 'Would you like to log in to Amp?'

agent auggie <<'END'
   New to Augment? You can create an account from the login page.

 → Login to continue

   Press return to open your browser
END
waits auggie 'Login to continue'

agent copilot <<'END'
Please use /login to sign in to use Copilot
 ~/repo [main]
╻▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
┃
╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
 ← open sidebar · Interactive
END
waits copilot 'Please use /login to sign in to use Copilot'

agent qwen <<'END'
  │ Select Authentication Method                                         │
  │                                                                      │
  │ › Alibaba ModelStudio                                                │
END
waits qwen 'Select Authentication Method'

# After the login its composer is there, and the task is typed.
cat >"$T/auggie.then" <<'END'
Get started with Auggie
────────────────────────────────────────
› 
────────────────────────────────────────
 ? to show shortcuts
END
waits_for 'grep -qs "a task for auggie" "$T/auggie.typed"' \
	'after the login the task is typed' 'afw status -v auggie; afw capture auggie'
done_testing
