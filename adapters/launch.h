/*
 * launch.h - what adapters share when they put a harness's command line
 * together. Only launch_write(), launch_write_json() and
 * launch_conversation() touch the file system.
 */
#ifndef AFW_ADAPTERS_LAUNCH_H
#define AFW_ADAPTERS_LAUNCH_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "session/spec.h"

struct record_kind;
struct rules; /* compiled screen rules and settings: rules.h */

/*
 * What a harness is to be started with. The spec carries what is asked of
 * every adapter: system_prompt and instructions (texts; launch_prompt() joins
 * them where a harness has one place for both), mcp (checked by mcp_file.h;
 * values of variables are never in it), command (the user's own arguments). An
 * adapter that cannot give one of them to its harness says so in
 * launch.degraded. No tracked file of the worktree and no configuration of
 * the user's own is changed for any of it: what needs a file gets it in home.
 */
struct launch_request {
	const struct spec *spec;
	const struct rules *rules;
	const char *home;		/* the session's private home (0700) */
	const char *door;		/* path of the agent door */
	const char *const *hook;	/* argv prefix of the hook command, ends
					   with NULL: {"/…/afw-supervisor",
					   "hook"}; the event's name is added */
	const char *const *environ_now; /* environment the harness will have,
					   "K=V", NULL-terminated */
	bool resume;			/* continue conversation, or the last */
	const char *conversation;	/* the harness's own id as last known
					   (state.json, else the spec), or
					   NULL */
	bool trusted;			/* the user trusts this repository (afw
					   trust): trust dialogs may be
					   answered */
};

/* A zeroed one is empty; launch_finish() frees. */
struct launch {
	struct strv argv;
	struct strv env;      /* "K=V" to add, "K" to remove */
	char *conversation;   /* where the adapter chose the id, or NULL */
	bool resumed;	      /* false: it has to be a fresh start */
	char *why_fresh;      /* not resumed though that was asked for: why,
				 in words; else NULL */
	struct strv degraded; /* what does not work, for a person */
	/* Where the harness keeps its conversations in this environment
	 * ($CLAUDE_CONFIG_DIR, ~/.codex): struct record's dir. NULL: not
	 * read */
	char *record_dir;
};
void launch_finish(struct launch *l);

/* The program and its first arguments: the rules' command, else program. */
int launch_command(const struct launch_request *rq, const char *program,
		   struct launch *out, struct err *err);

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

/*
 * Replaces home/name by the text, or the object as JSON (0600); returns its
 * path, to be freed, or NULL. Blocks for the write; no fsync: it is made anew
 * at each start.
 */
char *launch_write(const struct launch_request *rq, const char *name,
		   const char *text, struct err *err);
char *launch_write_json(const struct launch_request *rq, const char *name,
			const cJSON *object, struct err *err);

/* The spec's system prompt and, behind it, its instructions: for a harness
 * that has one place for both. To be freed; NULL where there is neither. */
char *launch_prompt(const struct launch_request *rq);

/* The MCP server with afw's own tools (spec.bridge). */
#define LAUNCH_BRIDGE "afw"

/*
 * The spec's MCP servers (mcp_file.h) whose variables the harness will have;
 * the others are left out and named in out->degraded. And the bridge, where it
 * gets one. To be deleted; NULL where there is none.
 */
cJSON *launch_mcp(const struct launch_request *rq, struct launch *out);

/* Adds the arguments for a file of them, {mcp} in template being its path;
 * none where there are no servers. */
int launch_add_mcp(const struct launch_request *rq, const char *template,
		   struct launch *out, struct err *err);

/*
 * Goes on with the conversation of rq, where it is known and kept, or starts
 * one. What could not be is in out->why_fresh.
 */
struct launch_conversation {
	const char *resume; /* what stands in front of its id: "--resume" */
	const char *fresh;  /* and of one of ours for a new one; NULL: none */
	/* The user's own of these leave that choice to them; NULL ends. */
	const char *const *flags;
	const struct record_kind *record; /* NULL: the id will do */
	const char *why_not; /* behind "conversation ID": why it is not kept */
};
void launch_conversation(const struct launch_request *rq,
			 const struct launch_conversation *c,
			 struct launch *out);

/* Appends template's words to argv, {name} in them replaced by value. */
int launch_template(const char *template, const char *name, const char *value,
		    struct launch *out, struct err *err);

#endif
