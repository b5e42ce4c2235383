/*
 * tool.h - the tools that an agent gets through its bridge (afw-tools(8)). They
 * run outside its sandbox, so that it gets no network, database or secrets: its
 * arguments are only text, never an unchecked path, command or pattern.
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
	((size_t)256 * 1024) /* longer results are cut, with a note */

/* The index that af_context_search made, in memory. */
struct context;
void context_destroy(struct context *c); /* may be NULL */

/* What the tools know of the session; owned by tools_main.c. */
struct toolbox {
	struct spec spec;
	const char *dir; /* the session's */
	const char *run; /* AFW_RUN */
	char *data_dir;
	struct context *context; /* made at its first use; or NULL */
	cJSON *seen; /* what af_wait returned last, NAME: STATE; or NULL */
};

struct tool_arg {
	const char *name; /* NULL ends */
	const char *help;
	bool required;
	bool number;		    /* otherwise a string */
	const char *const *choices; /* or NULL */
};

enum tool_kind {
	TOOL_READS,    /* changes nothing */
	TOOL_NOTES,    /* changes data that afw stores */
	TOOL_GOES_OUT, /* reads from outside this machine */
	TOOL_ACTS_OUT, /* changes something outside this machine */
};

struct tool {
	const char *name, *help;
	enum tool_kind kind;
	struct tool_arg args[TOOL_ARGS];
	/* True if it is useful in this session; NULL: always. */
	bool (*offered)(const struct toolbox *t);
	const char *missing; /* why it is not */
	/* The same for an argument, or a choice of one; NULL: always. */
	bool (*has)(const struct toolbox *t, const char *name);
	/* Runs it with checked args. Appends its answer, a text; or -1. */
	int (*run)(struct toolbox *t, const cJSON *args, struct buf *out,
		   struct err *err);
};

extern const struct tool tool_subtask_state, tool_spec_read,
    tool_context_search, tool_context_get, tool_memory_note, tool_memory_recall,
    tool_issues, tool_ci_status, tool_sessions, tool_message, tool_wait;

/* Returns a string argument, or ""; borrowed. */
static inline const char *tool_text(const cJSON *args, const char *name)
{
	return json_str_or(args, name, "");
}

/* Returns {"tools": [...]}, the result of MCP's tools/list; to be deleted. */
cJSON *tools_list(const struct toolbox *t);

/* Appends an object a line for each tool: name, offered, why. */
void tools_explain(const struct toolbox *t, struct buf *out);

/*
 * Runs a tool and returns the result of MCP's tools/call, to be deleted. A
 * mistake in the arguments, and a failure, is a result too ("isError"), so that
 * the model sees it. NULL with err if there is no such tool.
 */
cJSON *tools_call(struct toolbox *t, const char *name, const cJSON *args,
		  struct err *err);

/* Returns the result of a failed call: isError, with the text of err. */
cJSON *tools_error(const char *name, const struct err *err);

#endif
