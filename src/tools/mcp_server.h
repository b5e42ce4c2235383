/*
 * mcp_server.h - a server of the Model Context Protocol: JSON-RPC 2.0, one
 * object a line (modelcontextprotocol.io, "Lifecycle", "stdio", "Tools";
 * versions 2024-11-05 to 2025-11-25). Requests are answered one after the
 * other, in order; later ones wait in the pipe.
 */
#ifndef AFW_TOOLS_MCP_SERVER_H
#define AFW_TOOLS_MCP_SERVER_H

#include <stddef.h>

#include "base/buf.h"
#include "tools/tool.h"

#define MCP_LINE_MAX ((size_t)1024 * 1024)

/* Appends the answer to one line, with its newline, to out: nothing for a
 * notification or a blank line. Any other line is answered. */
void mcp_answer(struct toolbox *t, const char *line, size_t len,
		struct buf *out);

/*
 * Reads lines from in (nonblocking) and answers to out. Returns 0 when in ends;
 * -1 when the other end of stop is closed, or an answer is not read for 30 s. A
 * line of over MCP_LINE_MAX bytes is skipped and answered with an error.
 */
int mcp_serve(struct toolbox *t, int in, int out, int stop);

#endif
