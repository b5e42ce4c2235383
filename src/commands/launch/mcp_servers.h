/* mcp_servers.h - chooses the MCP servers of a new session's harness from
 * [mcp.NAME] and from a file. */
#ifndef AFW_COMMANDS_LAUNCH_MCP_SERVERS_H
#define AFW_COMMANDS_LAUNCH_MCP_SERVERS_H

#include "config/config.h"
#include "session/spec.h"

/* Returns 0 if [mcp.NAME] can be used with any harness. */
int mcp_servers_check(const struct config *c, struct err *err);

/*
 * Sets mcp of s, whose harness and harness_config are set already. A server in
 * file ({"mcpServers": …}, or NULL) overrides a configured one of the same
 * name. Appends to env ("K=V") the variables that the servers need and that are
 * set here. If a variable is not set, that is a warning for a configured
 * server, which the session then lacks, and an error for a server of the file.
 */
int mcp_servers_choose(const struct config *c, const char *file, struct spec *s,
		       struct strv *env, struct err *err);

#endif
