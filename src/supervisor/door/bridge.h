/*
 * bridge.h - connects an agent to its tools (afw-tools(8)): MCP between the
 * harness, in its sandbox, and a helper outside of it.
 *
 * harness - stdio - `afw-supervisor mcp` - two FIFOs - afw-tools
 *
 * The side in the sandbox only copies bytes. It makes the FIFOs in the
 * session's home and sends their name through the agent door. The supervisor
 * passes them to a new helper for this connection and does not handle the
 * bytes.
 */
#ifndef AFW_SUPERVISOR_DOOR_BRIDGE_H
#define AFW_SUPERVISOR_DOOR_BRIDGE_H

#include "supervisor/supervisor.h"

#define BRIDGE_NAME_LEN 16 /* hex digits */

/* Connects the FIFOs of that name, which came through the door; the harness may
 * have invented it. */
void bridge_connect(struct supervisor *sv, const char *name);

/* If the agent has reported that it needs help (af_subtask_state), and the
 * verdict uses that, replaces the explanation of activity_explain(). */
void bridge_explain(const struct supervisor *sv, cJSON *out);

/*
 * Runs the program's other side, `afw-supervisor mcp`: an MCP server on
 * standard input and output. Ends with its input, or with the helper. Returns
 * the exit code: 1, with a line on standard error, if no helper could be
 * started.
 */
int bridge_relay(void);

#endif
