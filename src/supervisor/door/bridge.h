/*
 * bridge.h - the way from an agent to its tools (afw-tools(8)): MCP between
 * the harness, in its sandbox, and a helper outside of it.
 *
 *	harness - stdio - `afw-supervisor mcp` - two FIFOs - afw-tools
 *
 * What runs inside only copies bytes. It makes the FIFOs in the session's own
 * home and tells their name through the agent door; the supervisor hands them
 * to a helper of that connection's own, and is not in the way from then on.
 */
#ifndef AFW_SUPERVISOR_DOOR_BRIDGE_H
#define AFW_SUPERVISOR_DOOR_BRIDGE_H

#include "supervisor/supervisor.h"

#define BRIDGE_NAME_LEN 16 /* hex digits */

/* The door told of FIFOs of that name, which the harness may have made up. */
void bridge_connect(struct supervisor *sv, const char *name);

/* Adds that the agent waits for help, by its own word (af_subtask_state),
 * which is believed, to what activity_explain() told. */
void bridge_explain(const struct supervisor *sv, cJSON *out);

/*
 * The program's other side, `afw-supervisor mcp`: an MCP server on standard
 * input and output. Ends with its input, or with the helper; returns the exit
 * code, 1 with a line on standard error where no helper came.
 */
int bridge_relay(void);

#endif
