#!/bin/bash
# afw new: system prompt, instructions and MCP servers reach the harness; values
# of variables are only in its environment.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw"
cat >"$T/agent" <<'END'
#!/bin/sh
[ "$1" != --version ] || exit 0
for arg; do
	case $arg in
	*/instructions.md) echo "instructions <$(cat "$arg")>" ;;
	*/mcp.json) echo "mcp <$(cat "$arg")>" ;;
	*) echo "arg <$arg>" ;;
	esac
done >"$T/given"
echo "token $TOKEN" >>"$T/given"
mv "$T/given" "$T/given.$AF_SESSION"
exec cat
END
chmod +x "$T/agent"
export T
cat >"$XDG_CONFIG_HOME/afw/afw.ini" <<END
[harness.mine]
command = $T/agent
system_prompt = --system {system_prompt}
instructions = --read {instructions}
mcp = --mcp {mcp}
instructions_file = ~/mine.md
[harness.poor]
command = $T/agent
[harness.plain]
command = $T/agent
mcp = --mcp {mcp}
mcp_inherits = yes
END
echo 'always be brief' >"$HOME/mine.md"
echo 'this one at length' >"$T/one.md"
printf 'two\n"lines"' >"$T/prompt"
cat >"$T/mcp.json" <<'END'
{"mcpServers": {"tickets": {"command": "tickets", "args": ["--ro"],
	"env": {"TOKEN": "${TOKEN}"}}}}
END
given()
{
	wait_for "[ -e $T/given.$1 ]"
	cat "$T/given.$1"
}

exit_is 0 'new with all of them' afw new one -a mine --instructions "$T/one.md" \
	--system-prompt-file "$T/prompt" --mcp "$T/mcp.json" -e TOKEN=very-secret
given one >"$T/got"
like "$(<"$T/got")" $'<--system>\narg <two\n"lines">' 'the system prompt'
like "$(<"$T/got")" 'instructions <this one at length>' 'the instructions'
like "$(<"$T/got")" 'mcp <.*"tickets".*"TOKEN":"\$\{TOKEN\}"' \
	'the MCP servers, with the name of the variable'
like "$(<"$T/got")" 'token very-secret' 'its value in the environment'
is "$(git -C "$T/.af_worktrees/repo-one" status --porcelain)" '' \
	'the worktree is as it was'
like "$(grep -rl '{TOKEN}' "$XDG_DATA_HOME")" 'spec.json' \
	'the specification has its name'
is "$(grep -rl very-secret "$XDG_DATA_HOME")" '' 'no file of afw has its value'

exit_is 0 'stop' afw stop one
rm "$T/given.one" "$T/one.md"
exit_is 0 'a later start' afw start one -e TOKEN=other
given one >"$T/got"
like "$(<"$T/got")" 'instructions <this one at length>' \
	'has what the first was given'
exit_is 0 'stop' afw stop one
rm "$T/given.one"
run afw start one
like "$err" 'TOKEN was given at its start and is not set now' \
	'a missing variable is reported'
like "$err" 'MCP server tickets is left out: TOKEN is not set' 'and its server'
unlike "$(given one)" '--mcp' 'which is not given'

# -- changed later
echo 'shorter now' >"$T/short.md"
rm "$T/given.one"
exit_is 0 'restart with other instructions' afw restart one \
	--instructions "$T/short.md" -e TOKEN=other
like "$(given one)" 'instructions <shorter now>' 'gives it those'
like "$(<"$T/given.one")" '"tickets"' 'and the servers as before'
sed 's/tickets/bugs/g' "$T/mcp.json" >"$T/bugs.json"
rm "$T/given.one"
exit_is 0 'with other servers' afw restart one --mcp "$T/bugs.json" -e TOKEN=x
like "$(given one)" 'instructions <shorter now>.*"bugs"' 'gives it those'
unlike "$(<"$T/given.one")" '"tickets"' 'alone'
: >"$T/empty"
rm "$T/given.one"
exit_is 0 'with an empty file' afw restart one --instructions "$T/empty" -e TOKEN=x
unlike "$(given one)" 'instructions <' 'takes them away'
exit_is 2 'a file that is not there' afw restart one --mcp "$T/nowhere"
is "$(state_of one phase)" running 'changes nothing'
exit_is 0 'rm' afw rm --stop one

exit_is 0 'new with what the configuration has' afw new two -a mine
like "$(given two)" 'instructions <always be brief>' 'has those instructions'
exit_is 0 'new with a harness that takes nothing' afw new three -a poor \
	--system-prompt x --instructions "$HOME/mine.md"
like "$err" 'poor takes no system prompt: not given' 'says so'
like "$err" 'poor takes no instructions: not given' 'both are reported'
exit_is 0 'rm' afw rm --stop two three

# It inserts no variables: its servers have its own.
cat >"$T/more.json" <<'END'
{"mcpServers": {"tickets": {"command": "tickets", "env": {"TOKEN": "${TOKEN}"}},
	"other": {"command": "other", "env": {"KEY": "${TOKEN}"}},
	"web": {"url": "http://localhost/", "headers": {"X": "${TOKEN}"}}}}
END
exit_is 0 'new with an agent that inserts no variables' afw new own -a plain \
	--mcp "$T/more.json" -e TOKEN=very-secret
given own >"$T/got"
like "$(<"$T/got")" 'mcp <.*"tickets":\{"command":"tickets","type":"stdio"\}\}\}>' \
	'gives it a server that finds its variable in the environment'
unlike "$(<"$T/got")" 'other|web|\{TOKEN' 'and none that would not'
like "$err" 'server other is left out: plain passes.*server web is left out' \
	'both are reported'
exit_is 0 'rm' afw rm --stop own

refused()
{
	exit_is 2 "$1" afw new bad -a mine "${@:3}"
	like "$err" "$2" 'and says why'
}
refused 'a system prompt twice' 'given twice' --system-prompt x \
	--system-prompt-file "$T/prompt"
refused 'a file that is not there' 'instructions: .*No such file' \
	--instructions "$T/nowhere"
head -c 40000 /dev/zero | tr '\0' x >"$T/long"
refused 'a text that is too long' 'system prompt' \
	--system-prompt-file "$T/long"
printf 'a\033[2J' >"$T/esc"
refused 'control characters' 'control' --instructions "$T/esc"
printf '\377' >"$T/latin"
refused 'what is not UTF-8' 'UTF-8' --instructions "$T/latin"
sed 's/"${TOKEN}"/"very-secret"/' "$T/mcp.json" >"$T/literal.json"
refused 'a secret in the file' "'tickets': TOKEN: its value must be" \
	--mcp "$T/literal.json"
unlike "$err" very-secret 'without its value'
refused 'a variable that is not set' 'wants TOKEN, which is not set' \
	--mcp "$T/mcp.json"
is "$(afw ls --json)" '[]' 'nothing was made'

# -- [mcp.NAME] -------------------------------------------------------------

ini=$XDG_CONFIG_HOME/afw/afw.ini
cat >>"$ini" <<'END'
[mcp.tickets]
command = old-tickets 'a b'
env = TOKEN
[mcp.docs]
url = https://docs.example.org/mcp
headers = Authorization: Bearer ${DOCS}
  X-More: ${TOKEN} and more
END
exit_is 0 'new with [mcp.NAME]' afw new four -a mine -e TOKEN=very-secret
like "$err" "server 'docs' is left out: DOCS is not set" \
	'warns about a server without its variable'
like "$(given four)" '"command":"old-tickets","args":\["a b"\],"env":\{"TOKEN":"\$\{TOKEN\}"\}' \
	'the agent has the other'
unlike "$(given four)" '"docs"' 'and that alone'
export DOCS=also-secret
exit_is 0 'with both, and a file' afw new five -a mine --mcp "$T/mcp.json" \
	-e TOKEN=very-secret
like "$(given five)" '"docs":.*"Authorization":"Bearer \$\{DOCS\}","X-More":"\$\{TOKEN\} and more"' \
	'the one of the configuration'
like "$(given five)" '"command":"tickets"' 'of two servers with one name that of the file is used'
unlike "$(given five)" 'old-tickets' 'alone'
is "$(grep -rlE '(very|also)-secret' "$XDG_DATA_HOME")" '' 'no file has a value'
exit_is 0 'a command of ones own' afw new six -- cat
is "$err" '' 'gets none, without a warning'
exit_is 0 'rm' afw rm --stop four five six
echo 'command = x' >>"$ini"
exit_is 1 'a server that is both' afw new bad -a mine
like "$err" 'afw.ini:[0-9]+: \[mcp.docs\] has both command and url' 'is told'
sed -i '$d; s/^url.*/command = x/' "$ini"
exit_is 1 'headers of a command' afw new bad -a mine
like "$err" "'docs': headers: only for a server with a url" 'are reported'
done_testing
