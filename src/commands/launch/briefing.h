/*
 * briefing.h - what a new session's harness is given beside its task: a
 * system prompt, instructions, MCP servers; from the command line, else from
 * the harness's section of the configuration.
 */
#ifndef AFW_COMMANDS_LAUNCH_BRIEFING_H
#define AFW_COMMANDS_LAUNCH_BRIEFING_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "config/config.h"
#include "session/spec.h"

struct args;

#define BRIEFING_TEXT_MAX ((size_t)32 * 1024)

/*
 * Fills system_prompt, instructions and mcp (mcp_servers.h) of s, whose
 * harness_config is there already; the options are system-prompt,
 * system-prompt-file, instructions and mcp; prompt is the template's, or NULL.
 * env ("K=V", of -e and --env-file) gets the variables that MCP servers want
 * and that are set here, so that they count as given. Reads small files.
 */
int briefing_read(const struct args *args, const struct config *config,
		  struct spec *s, const struct buf *prompt, struct strv *env,
		  struct err *err);

/* It becomes an argument: text, and not too much of it; what is told of with
 * the failure (ERR_USAGE). */
int briefing_check(const char *what, const char *text, size_t len,
		   struct err *err);

#endif
