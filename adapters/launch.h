/*
 * launch.h - what adapters share when they put a harness's command line
 * together. Only launch_write() and launch_write_text() touch the file
 * system.
 */
#ifndef AFW_ADAPTERS_LAUNCH_H
#define AFW_ADAPTERS_LAUNCH_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "adapters/adapter.h"

/* The program and its first arguments: the rules' command, else program. */
int launch_command(const struct launch_request *rq, const char *program,
		   struct launch *out, struct err *err);

/* The harness's own extra arguments, as the user gave them. */
void launch_extra(const struct launch_request *rq, struct launch *out);

/* True where one of the user's own arguments is flag or flag=… */
bool launch_has_flag(const struct launch_request *rq, const char *flag);

/* The hook command for event, quoted for sh; to be freed. */
char *launch_hook(const struct launch_request *rq, const char *event);

/*
 * Adds that command to hooks as event's, in the shape that Claude Code and
 * Gemini CLI share. timeout is in the harness's own unit. Returns the hook,
 * which stays hooks', for what else the harness has it say.
 */
cJSON *launch_add_hook(const struct launch_request *rq, cJSON *hooks,
		       const char *event, int timeout);

/* The value of NAME in the environment that the harness will have. */
const char *launch_getenv(const struct launch_request *rq, const char *name);

/*
 * Replaces home/name by the object as JSON (0600); returns its path, to be
 * freed, or NULL. Blocks for the write; no fsync: it is made anew at each
 * start.
 */
char *launch_write(const struct launch_request *rq, const char *name,
		   const cJSON *object, struct err *err);

/* The same for a text as it is. */
char *launch_write_text(const struct launch_request *rq, const char *name,
			const char *text, struct err *err);

/* The spec's system prompt and, behind it, its instructions: for a harness
 * that has one place for both. To be freed; NULL where there is neither. */
char *launch_prompt(const struct launch_request *rq);

/*
 * The spec's MCP servers (mcp.h) whose variables the harness will have; the
 * others are left out and named in out->degraded. To be deleted; NULL where
 * none is left.
 */
cJSON *launch_mcp(const struct launch_request *rq, struct launch *out);

/*
 * Goes on with the conversation of rq, or starts one with an id of ours:
 * --resume ID or --session-id ID, which Claude Code and Gemini CLI share.
 * kept: the harness still has it; why_not: the words behind "conversation ID"
 * where it has not. flags (NULL ends): the user's own of these leave the choice
 * to them. What could not be is in out->degraded.
 */
struct launch_conversation {
	const char *const *flags;
	bool (*kept)(const char *record_dir, const char *id);
	const char *why_not;
};
void launch_conversation(const struct launch_request *rq,
			 const struct launch_conversation *c,
			 struct launch *out);

/* Appends template's words to argv, {name} in them replaced by value. */
int launch_template(const char *template, const char *name, const char *value,
		    struct launch *out, struct err *err);

#endif
