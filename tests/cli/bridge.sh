# bridge.sh - the test script itself is the agent of a session, and an MCP client
# of its bridge. Source it after lib.sh and afw_env, in a repository $T/repo.

# agent NAME [OPTION...]: makes a session whose MCP client is this script,
# through two FIFOs in the worktree.
agent()
{
	local name=$1
	shift
	exit_is 0 "$name" afw new "$name" "$@" -- sh -c "mkfifo in out
		\"$BUILD/afw-supervisor\" mcp <in >out 2>why; echo gone >>why; cat"
	tree=$T/.af_worktrees/repo-$name
	wait_for '[ -p "$tree/out" ]'
	exec {to}<>"$tree/in" {from}<>"$tree/out"
	_id=0
}

# ask METHOD PARAMS: sends a request; sets out to the answer.
ask()
{
	_id=$((_id + 1))
	send_line '{"jsonrpc":"2.0","id":'$_id',"method":"'"$1"'","params":'"${2:-{\}}"'}'
}

# send_line LINE: sends LINE as it is; sets out to the next line that comes.
send_line()
{
	printf '%s\n' "$1" >&"$to"
	out=''
	IFS= read -r -t "$DEADLINE" out <&"$from" || fail "an answer to $1"
}

# use TOOL ARGUMENTS: calls a tool; sets said to its text and bad to isError, if
# they are there.
use()
{
	ask tools/call "{\"name\":\"$1\",\"arguments\":${2:-{\}}}"
	said=$(_json result.content.0.text) bad=$(_json result.isError)
}

field() { json "$1" /dev/stdin <<<"$said"; }

# Closes the client's connection.
disconnect() { exec {to}>&- {from}>&-; }
