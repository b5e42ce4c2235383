# bridge.sh - a script that is itself the agent of a session, and speaks MCP
# with its bridge. Source after lib.sh, afw_env, and in a repository $T/repo.

# agent NAME [OPTION...]: a session whose agent is its MCP client: this script,
# by two FIFOs in its worktree.
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

# ask METHOD PARAMS: the answer is in out.
ask()
{
	_id=$((_id + 1))
	tell '{"jsonrpc":"2.0","id":'$_id',"method":"'"$1"'","params":'"${2:-{\}}"'}'
}

# tell LINE: as it is; the next line that comes is in out.
tell()
{
	printf '%s\n' "$1" >&"$to"
	out=''
	IFS= read -r -t "$DEADLINE" out <&"$from" || fail "an answer to $1"
}

# use TOOL ARGUMENTS: what the tool says is in said, whether it failed in bad.
use()
{
	ask tools/call "{\"name\":\"$1\",\"arguments\":${2:-{\}}}"
	said=$(json result.content.0.text) bad=$(json result.isError)
}

field() { "$BUILD/tests/tools/jsonget" "$1" <<<"$said"; }

# The client goes.
hang_up() { exec {to}>&- {from}>&-; }
