/*
 * mcp_server.h - the Model Context Protocol, the server's side of it: JSON-RPC
 * 2.0, an object a line (modelcontextprotocol.io, "Lifecycle", "stdio",
 * "Tools"; versions 2024-11-05 to 2025-11-25). One request after the other, in
 * their order: what is asked meanwhile waits in its pipe.
 */
#ifndef AFW_TOOLS_MCP_SERVER_H
#define AFW_TOOLS_MCP_SERVER_H

#include <stddef.h>

#include "base/buf.h"
#include "tools/tool.h"

#define MCP_LINE_MAX ((size_t)1024 * 1024)

/* The answer to one line, with its newline, appended to out: nothing to a
 * notification, or to a blank line. Whatever the line is, there is one. */
void mcp_answer(struct toolbox *t, const char *line, size_t len,
		struct buf *out);

/*
 * Reads lines from in (nonblocking), answers to out, until in ends: 0; until
 * nobody listens on stop any more, or an answer is not taken for 30 s: -1. A
 * line of over MCP_LINE_MAX bytes is answered with an error, and skipped.
 */
int mcp_serve(struct toolbox *t, int in, int out, int stop);

#endif
