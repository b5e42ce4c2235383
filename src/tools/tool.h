/*
 * tool.h - the tools that an agent gets by its bridge (afw-tools(8)). They run
 * outside of its sandbox, so that network, database and secrets stay there:
 * what it gives them is text and nothing else, never a path, a command or a
 * pattern that is not checked.
 */
#ifndef AFW_TOOLS_TOOL_H
#define AFW_TOOLS_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "session/spec.h"

#define TOOL_ARGS     8
#define TOOL_TEXT_MAX ((size_t)16 * 1024) /* of one argument */
#define TOOL_RESULT_MAX                                                        \
	((size_t)256 * 1024) /* the rest is cut, and that is said */

/* The index that af_context_search made, in memory. */
struct context;
void context_destroy(struct context *c); /* NULL does nothing */

/* What they know of the session; owned by tools_main.c. */
struct toolbox {
	struct spec spec;
	const char *dir; /* the session's */
	const char *run; /* AFW_RUN */
	char *data_dir;
	struct context *context; /* made when first asked for; or NULL */
};

struct tool_arg {
	const char *name; /* NULL ends */
	const char *help;
	bool required;
	bool number;		    /* else a string */
	const char *const *choices; /* or NULL */
};

enum tool_kind {
	TOOL_READS,    /* changes nothing */
	TOOL_NOTES,    /* changes what afw keeps */
	TOOL_GOES_OUT, /* asks something outside of this machine */
	TOOL_ACTS_OUT, /* changes something there */
};

struct tool {
	const char *name, *help;
	enum tool_kind kind;
	struct tool_arg args[TOOL_ARGS];
	/* Whether it is of use in this session; NULL: always. */
	bool (*offered)(const struct toolbox *t);
	const char *missing; /* why it is not */
	/* Whether this argument, or this choice of one, is; NULL: each. */
	bool (*has)(const struct toolbox *t, const char *name);
	/* args have been checked. Appends its answer, a text; or -1. */
	int (*run)(struct toolbox *t, const cJSON *args, struct buf *out,
		   struct err *err);
};

extern const struct tool tool_subtask_state, tool_spec_read,
    tool_context_search, tool_context_get, tool_memory_note, tool_memory_recall,
    tool_issues, tool_ci_status, tool_web_search, tool_sessions, tool_message;

/* A string argument, or "". */
static inline const char *tool_text(const cJSON *args, const char *name)
{
	return json_str_or(args, name, "");
}

/* {"tools": [...]}, as MCP's tools/list wants it; to be deleted. */
cJSON *tools_list(const struct toolbox *t);

/* Appends an object a line for each tool: name, offered, why. */
void tools_explain(const struct toolbox *t, struct buf *out);

/*
 * Runs one: its result as MCP's tools/call wants it, to be deleted. A mistake
 * in the arguments, and a failure, is a result too ("isError"), so that the
 * model sees it. NULL with err if there is no such tool.
 */
cJSON *tools_call(struct toolbox *t, const char *name, const cJSON *args,
		  struct err *err);

/* The result of a call that failed: isError, with the text of err. */
cJSON *tools_error(const char *name, const struct err *err);

#endif
