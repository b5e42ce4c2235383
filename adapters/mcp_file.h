/*
 * mcp_file.h - the MCP servers of one session, as {"mcpServers": {NAME:
 * SERVER}}, the form that most agents take. SERVER is
 * 	{"command": PROGRAM, "args": [...], "env": {KEY: "${NAME}"}}
 * 	{"url": URL, "type": "http" or "sse", "headers": {KEY: VALUE}}
 *
 * It is stored in spec.json and in files and arguments of the harness, so it
 * must not contain secret values: a value of env is exactly "${NAME}", one of
 * headers has at least one "${NAME}", and everything else has none. The harness
 * gets the variables in its environment (-e); each adapter makes its harness
 * insert them, or leaves the server out and reports it.
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
 * Parses the servers of a file: {NAME: SERVER}, only keys from above, type
 * always set ("stdio", "http", "sse"). To be deleted; NULL with err
 * (ERR_USAGE).
 */
cJSON *mcp_file_parse(const char *text, size_t len, struct err *err);

/* Checks servers from another source in the same way; sets their type. */
int mcp_file_check(cJSON *servers, struct err *err);

/* Appends to out the names of all variables that one server uses, each once. */
void mcp_file_variables(const cJSON *server, struct strv *out);

/*
 * Returns the NAME of a value that is exactly "${NAME}", to be freed; else
 * NULL.
 */
char *mcp_file_variable(const char *value);

#endif
