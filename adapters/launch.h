/*
 * launch.h - helpers of the adapters for making a harness's command line. Only
 * launch_write(), launch_write_json() and launch_conversation() use the file
 * system.
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
 * What to start a harness with. The spec has the input of every adapter:
 * system_prompt and instructions (texts; launch_prompt() joins them if a
 * harness has one place for both), mcp (checked by mcp_file.h; never with
 * values of variables), command (the user's own arguments). An adapter that
 * cannot pass one of them to its harness says so in launch.degraded. It changes
 * no tracked file of the worktree and no configuration of the user: its files
 * are in home.
 */
struct launch_request {
	const struct spec *spec;
	const struct rules *rules;
	const char *home;	   /* the session's private home (0700) */
	const struct strv *places; /* where the harness has directories
				      elsewhere: file_map(); or NULL */
	const char *door;	   /* path of the agent door */
	const char *const *hook;   /* argv prefix of the hook command, ends
				      with NULL: {"/…/afw-supervisor",
				      "hook"}; the event's name is added */
	const char *const *
	    environ_now; /* the harness's environment, "K=V", NULL-terminated */
	bool resume;	 /* continue conversation, or the last */
	const char *conversation; /* the harness's own id as last known (from
				     state.json or the spec), or NULL */
	const char *fork; /* the conversation of which the new one is a copy;
			     NULL: none */
	bool trusted;	  /* the user trusts this repository (afw
			     trust): trust dialogs may be
			     answered */
};

/* May start zeroed; launch_finish() frees. */
struct launch {
	struct strv argv;
	struct strv env;    /* "K=V" to add, "K" to remove; the sandbox maps
			       a V that is a path (places) */
	char *conversation; /* if the adapter chose the id, or NULL */
	bool resumed;	    /* false: a new conversation is started */
	char *why_fresh; /* why it was not resumed though requested, or NULL */
	struct strv degraded; /* what does not work, for people */
	/* Where the harness stores its conversations in this environment
	 * ($CLAUDE_CONFIG_DIR, ~/.codex): struct record's dir. NULL: not
	 * read */
	char *record_dir;
};
void launch_finish(struct launch *l);

/* The program and its first arguments: the rules' command, else program. */
int launch_command(const struct launch_request *rq, const char *program,
		   struct launch *out, struct err *err);

/* True if one of the user's own arguments is flag or flag=… */
bool launch_has_flag(const struct launch_request *rq, const char *flag);

/* Returns a path as the harness has it; to be freed. */
char *launch_path(const struct launch_request *rq, const char *path);

/* True if its HOME is the session's private one, which the agent can change. */
bool launch_has_own_home(const struct launch_request *rq);

/* Sets record_dir to dir, which it frees; without the links of the user, as
 * reading follows none (record.h). */
void launch_set_record_dir(const struct launch_request *rq, char *dir,
			   struct launch *out);

/* Returns the hook command for event, quoted for sh; to be freed. */
char *launch_hook(const struct launch_request *rq, const char *event);

/*
 * Adds that command for event to hooks, in the form that Claude Code and Gemini
 * CLI share. timeout is in the harness's own unit. Returns the hook, owned by
 * hooks, so that the caller can add members.
 */
cJSON *launch_add_hook(const struct launch_request *rq, cJSON *hooks,
		       const char *event, int timeout);

/*
 * Writes the object with the hooks of all events of the rules (the form of
 * launch_add_hook()) into a settings file of the session, and adds the
 * arguments of the rules' `settings`, if any. timeout 0: the harness's own. If
 * the user's own arguments have that option, hooks are off. Does nothing
 * without hooks.
 */
int launch_add_settings(const struct launch_request *rq, cJSON *settings,
			int timeout, struct launch *out, struct err *err);

/*
 * Replaces home/name by the text, or the object as JSON (0600); returns its
 * path as the harness has it, to be freed, or NULL. Blocks for the write; no
 * fsync: each start writes it again.
 */
char *launch_write(const struct launch_request *rq, const char *name,
		   const char *text, struct err *err);
char *launch_write_json(const struct launch_request *rq, const char *name,
			const cJSON *object, struct err *err);

/* Returns the spec's system prompt followed by its instructions, for a harness
 * that has one place for both. To be freed; NULL if there is neither. */
char *launch_prompt(const struct launch_request *rq);

/* Adds the arguments that let it work in the session's other worktrees, {dir}
 * in template being the path of one. */
int launch_add_dirs(const struct launch_request *rq, const char *template,
		    struct launch *out, struct err *err);

/* The name of the settings file in the session's home. */
#define LAUNCH_SETTINGS "settings.json"

/* The name of the MCP server with afw's own tools (spec.bridge). */
#define LAUNCH_BRIDGE "afw"

/*
 * Returns the spec's MCP servers (mcp_file.h) whose variables the harness will
 * have, and the bridge, if enabled; the others are named in out->degraded. To
 * be deleted; NULL if there is none.
 */
cJSON *launch_mcp(const struct launch_request *rq, struct launch *out);

/* Adds the arguments for a file of them, {mcp} in template being its path; none
 * if there are no servers. */
int launch_add_mcp(const struct launch_request *rq, const char *template,
		   struct launch *out, struct err *err);

/*
 * How to resume the conversation of rq, if it is known and stored, or start
 * one, or a copy of rq->fork; out->why_fresh is why it was not resumed.
 */
struct launch_conversation {
	const char *resume; /* the argument before its id: "--resume" */
	const char *fresh;  /* the same for a new id made by afw; NULL: none */
	/* What copies it: the argument in place of resume, and one after its
	 * id; or NULL. */
	const char *fork, *fork_flag;
	/* If the user's own arguments have one of these, afw adds nothing; NULL
	 * ends. */
	const char *const *flags;
	const struct record_kind *record; /* NULL: the id is enough */
	const char
	    *why_not; /* follows "conversation ID": why it is not stored */
};
void launch_conversation(const struct launch_request *rq,
			 const struct launch_conversation *c,
			 struct launch *out);

/* Appends template's words to argv, {name} in them replaced by value. */
int launch_template(const char *template, const char *name, const char *value,
		    struct launch *out, struct err *err);

#endif
