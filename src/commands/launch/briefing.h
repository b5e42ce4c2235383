/*
 * briefing.h - what a new session's harness gets in addition to its task: a
 * system prompt, instructions and MCP servers; from the command line, else from
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
 * Sets system_prompt, instructions and mcp (mcp_servers.h) of s, whose
 * harness_config is set already; the options are system-prompt,
 * system-prompt-file, instructions and mcp. prompt is the template's, or NULL.
 * Appends to env ("K=V", of -e and --env-file) the variables that MCP servers
 * need and that are set here, as if they had been given. Reads small files.
 */
int briefing_read(const struct args *args, const struct config *config,
		  struct spec *s, const struct buf *prompt, struct strv *env,
		  struct err *err);

/*
 * Replaces those of instructions and mcp that args has, of a session that was
 * made before; an empty file takes the instructions away.
 */
int briefing_change(const struct args *args, const struct config *config,
		    struct spec *s, struct strv *env, struct err *err);

/* Refuses a text that cannot be an argument of the harness, because it is not
 * text or too long (ERR_USAGE). what: names it in the error. */
int briefing_check(const char *what, const char *text, size_t len,
		   struct err *err);

#endif
