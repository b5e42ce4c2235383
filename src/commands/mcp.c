/* mcp.c - afw mcp: the tools of the session in which it is started, for any
 * agent that can start an MCP server. */
#include <stdlib.h>
#include <unistd.h>

#include "commands/command.h"
#include "wire/program.h"

static int cmd_mcp(const struct args *args, struct err *err)
{
	char *program = program_find("afw-supervisor");
	char *argv[] = {program, (char[]){"mcp"}, NULL};

	if (!getenv("AF_DOOR")) {
		err_set(err, ERR_NOT_RUNNING,
			"mcp: this is not started by an agent of a session");
		err_hint(err, "the agents that afw knows get it by "
			      "`bridge = yes`; others start `afw mcp` "
			      "themselves");
	} else {
		execv(program, argv);
		err_errno(err, "mcp: run %s", program);
	}
	free(program);
	return -1;
}

const struct command command_mcp = {
    .name = "mcp",
    .usage = "",
    .summary = "serve a session's own agent its tools, by MCP",
    .here = true,
    .run = cmd_mcp,
};
