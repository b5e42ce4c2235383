/* mcp_servers.h - which MCP servers a new session's harness is given: those of
 * [mcp.NAME], and those of a file. */
#ifndef AFW_COMMANDS_LAUNCH_MCP_SERVERS_H
#define AFW_COMMANDS_LAUNCH_MCP_SERVERS_H

#include "config/config.h"
#include "session/spec.h"

/* Whether [mcp.NAME] can be given to any harness. */
int mcp_servers_check(const struct config *c, struct err *err);

/*
 * Fills mcp of s, whose harness and harness_config are there already. file
 * ({"mcpServers": …}, or NULL) counts more: of two with one name it has the
 * say. env ("K=V") gets the variables that they want and that are set here; one
 * that is not is a warning for those of the configuration (the session goes
 * without that server), and an error for those of the file.
 */
int mcp_servers_choose(const struct config *c, const char *file, struct spec *s,
		       struct strv *env, struct err *err);

#endif
