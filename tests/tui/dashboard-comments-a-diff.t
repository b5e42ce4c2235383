#!/bin/bash
# Comments on the diff, in its view and in the preview's tab: written, marked lines,
# changed, resolved, deleted, and sent as one message.
. "$(dirname "$0")/dash.sh"
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20 DEMO_LOG=$T/log
seq 60 >lines
git add . && git commit -qm 'some lines'
exit_is 0 'a session' afw new one -a demo
exit_is 0 'it is ready' afw wait one --for idle -t 240s
tree=$T/.af_worktrees/repo-one
sed -i 's/^3$/three/; s/^50$/\tfifty/' "$tree/lines"
printf '\0\1' >"$tree/picture"
mkdir -p "$T/bin"
printf '#!/bin/bash\nprintf "\\nsecond line" >>"$1"\n' >"$T/bin/ed-itor"
chmod +x "$T/bin/ed-itor"
export EDITOR=$T/bin/ed-itor
# comments MEMBER: of all comments, a line each.
comments()
{
	afw review one --json | perl -MJSON::PP -e '
		for my $c (@{decode_json(join "", <STDIN>)}) {
			print join("|", map { ref $c->{$_} eq "ARRAY" ? join ",", @{$c->{$_}} : $c->{$_} } @ARGV), "\n" }' "$@"
}

dash 100 40
tmux_wait_for one
keys d
see 'FILE ' 'd shows the diff'
keys x
see 'go to a comment first' 'x needs a comment'
keys / t h r e e Enter
see '+three' 'a line is chosen'
keys c
see 'comment on line 3:' 'c asks for a comment on it'
tmux_type 'Write 3.'
keys Enter
see 's sends all' 'it is stored'
see '| [1] not sent' 'and shown'
see '|   Write 3.' 'with its text'
like "$(tmux_screen)" $'\+three\n\| \[1\] not sent\n\|   Write 3\.' 'below its line'
is "$(comments file line lines text)" 'lines|3|+three|Write 3.' 'it is the same for afw review'

# A second one, on marked lines, with several lines of text.
keys / f i f t y Enter
see '+       fifty' 'another line'
keys v k c
see 'comment on line 50:' 'v marks lines'
tmux_type 'Both:'
keys C-g
see 'second line' 'Ctrl-G opens the editor'
keys Enter
see '| [2] not sent' 'it is stored'
is "$(comments lines text | tail -2)" $'-50,+\tfifty|Both:\nsecond line' 'with its tab, and two lines'
keys / s e c o n d Enter
keys c
see 'comment 2:' 'c on a comment changes it'
keys C-u
tmux_type 'One line'
keys Enter
see '|   Both:' 'its first line stays'
see '|   One line' 'the second is another'

# The whole file, from the table.
keys f
see '> lines' 'the table'
keys j c
see 'comment on the file:' 'a file is commented'
tmux_type 'no pictures'
keys Enter
see 's sends all' 'stored'
wait_for '[ "$(comments file | tail -1)" = picture ]'

# In the preview's tab.
keys q
gone 'what one has changed' 'q leaves'
keys 2
see '| [3] not sent' 'the tab shows them, too'
keys PageDown
see 'c comment' 'the keys are in the tab'
keys / p i c t u r e s Enter D
see 'Delete comment 3?' 'D asks'
keys y
gone '| [3]' 'and deletes'
keys / + t h r e e Enter
keys c
see 'comment on line 3:' 'a line is commented in the tab'
tmux_type '[[lines 1]]'
keys Enter
see '| [4] not sent' 'stored'
keys Escape
gone 'Esc back' 'back in the list'

# Sent.
keys d
see '── what one has changed' 'the view again'
see '| [4] not sent' 'shows all'
keys s
see 'Send one the comments' 's asks'
keys y
see 'one: accepted' 'the receipt is shown'
see '| [1] sent' 'they are sent'
is "$(sed 1d "$T/log")" 'Review of your changes: 3 comments.

1. lines, line 3:
> +three
Write 3.

2. lines, line 50 before the change:
> -50
> +	fifty
Both:
One line

3. lines, line 3:
> +three
[[lines 1]]' 'as one message'
exit_is 0 'the turn ends' afw wait one -t 240s
exit_is 0 'and its end is seen' afw review one --json
keys q
gone '── what one has changed' 'q leaves'
keys d
see '── what one has changed' 'it is read again'
see '| [1] answered in turn' 'they show the turn that answered'
keys / W r i t e Enter x
gone '| [1]' 'x resolves'
is "$(comments state | head -1)" resolved 'and that is stored'

# The session goes away while a comment is written.
keys / f i f t y Enter
keys c
tmux_type 'too late'
see 'too late' 'a comment is written'
exit_is 0 'the session is removed' afw rm --stop one
keys Enter
see 'one' 'which is reported'
like "$(tmux_screen)" 'too late|is gone|no session' 'and the text stays'
keys Escape
done_testing
