/*
 * mcp_file.h - the MCP servers of one session, as {"mcpServers": {NAME:
 * SERVER}}, the form that most agents take. SERVER is
 *	{"command": PROGRAM, "args": [...], "env": {KEY: "${NAME}"}}
 *	{"url": URL, "type": "http" or "sse", "headers": {KEY: VALUE}}
 *
 * It ends in spec.json and in files and arguments of the harness's, so no
 * value that may be a secret can stand in it: a value of env is exactly
 * "${NAME}", one of headers has at least one "${NAME}", and everything else
 * has none. The variables come to the harness in its environment (-e); each
 * adapter lets its harness put them in, or leaves the server out and says so.
 *
 * Pure.
 */
#ifndef AFW_ADAPTERS_MCP_FILE_H
#define AFW_ADAPTERS_MCP_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "base/mem.h"

#define MCP_FILE_MAX	((size_t)64 * 1024)
#define MCP_SERVERS_MAX 32

/*
 * The servers of a file: {NAME: SERVER}, only keys from above, type always
 * set ("stdio", "http", "sse"); to be deleted. NULL with err (ERR_USAGE).
 */
cJSON *mcp_file_parse(const char *text, size_t len, struct err *err);

/* The same of servers that came from elsewhere; sets their type. */
int mcp_file_check(cJSON *servers, struct err *err);

/* The names of all variables that server (one) wants, appended to out, each
 * once. */
void mcp_file_variables(const cJSON *server, struct strv *out);

/*
 * The NAME of a value that is exactly "${NAME}", to be freed; else NULL.
 */
char *mcp_file_variable(const char *value);

#endif
