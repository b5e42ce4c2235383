#!/bin/bash
# A repository's configuration that is not trusted yet: the form shows that, and
# has a key that shows and trusts it.
. "$(dirname "$0")/dash.sh"
mkdir -p .af "$XDG_CONFIG_HOME/afw"
printf '[harness.demo]\ncommand = %s\n' "$ROOT/share/demo-agent" \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
printf 'setup = true\ncpy = .env\n' >.af/afw.ini
chmod go-w .af .af/afw.ini

dash 100 24
keys n
see 'is not trusted and not used: Ctrl-T shows it and asks' 'the form says it'
gone 'setup: true' 'and does not use it'
keys Tab
tmux_type one
keys Enter
see "new 'one': " 'a session is refused'
see 'is not trusted, or was changed since' 'in words'
see 'Ctrl-T shows and trusts it' 'with the key that helps'
unlike "$(tmux_screen)" '[{]"|exit_code|afw trust|--untrusted' 'and not in JSON, nor with a command'
keys n
see 'new session in repo' 'the form has what was typed'
keys C-t
see "unknown key 'cpy'" 'a mistake in it is reported before anything is asked'
printf 'setup = true\n' >.af/afw.ini
keys C-t
see 'Trust this configuration, and agents to work in' 'Ctrl-T asks'
see 'setup = true' 'below what it is'
keys n Enter
see 'repo is not trusted' 'n is a no'
see 'Ctrl-T shows it' 'and it is as before'
keys C-t
tmux_wait_for 'Trust this configuration'
keys y Enter
see 'repo is trusted' 'y trusts it'
see 'setup: true' 'the form uses it'
gone 'Ctrl-T' 'and has nothing more to say'
see 'Name     one' 'the typed text is still there'
keys Enter
names_are one 'the session is made'
see 'works in repo-one' 'and its screen is shown'
keys q
waits_for tmux_dead 'q leaves'
end
