/*
 * spec.h - what a user asked a session to be: sessions/<id>/spec.json, written
 * by afw, read by the supervisor. It never has a secret's value: only the names
 * of environment variables.
 */
#ifndef AFW_SESSION_SPEC_H
#define AFW_SESSION_SPEC_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/mem.h"
#include "session/field.h"
#include "wire/worktree_request.h"

#define SPEC_VERSION  4 /* 2, 3, 4: limits that an older afw would ignore */
#define SPEC_WITH     5 /* with: an older afw would leave the others behind */
#define SPEC_WITH_MAX 15
#define SPEC_ID_LEN   32
#define SERVICES_MAX  16 /* of a session */
#define SPEC_FILE_MAX (256 * 1024)
#define SPEC_GIT_DIR  "git"
#define SPEC_SCRATCH  "scratch"

/* What a session keeps. */
#define SCROLLBACK_LINES    2000      /* above its screen */
#define TRANSCRIPT_BYTES    (8 << 20) /* of its output */
#define CHECKPOINTS_KEPT    50
#define CHECKPOINT_FILE_MAX (64 << 20) /* bytes; larger files are left out */

/* What the user has noted about it (session_flags.h). */
struct session_flags {
	bool pinned, archived, snoozed;
	int64_t snoozed_until; /* wall ms; 0: until it needs the user */
	/* state.notices and the word (word.h) when it was hidden */
	int64_t hidden_notices;
	int hidden_word;
	char *note;
};

/* All strings are owned by the spec; NULL if unknown. */
struct spec {
	char id[SPEC_ID_LEN + 1];
	char *name;
	char *repository; /* main worktree or bare repository, absolute */
	char *checkout;	  /* session_checkout_of() at creation, if it is not the
			     repository; or NULL */
	char *repository_name;
	char *worktree; /* absolute */
	char *worktree_id;
	uint64_t worktree_ino; /* at creation; 0: not made */
	char *place;  /* whose worktree it is: NULL: afw made it; "here",
			 "adopted": it is the user's, and nothing may move,
			 delete or overwrite it; SPEC_SCRATCH: a directory
			 without git beside this file */
	char *subdir; /* of the worktree, where commands start; or NULL */
	char *branch;
	char *checked_out; /* spec_read_head(): the branch of its worktree, if
			      it is another one, or "(no branch)"; else NULL */
	char *base;	   /* as named: "main", or a commit */
	int first_port; /* the first of its SESSION_PORTS (ports.h); 0: none */
	char *slug;	/* AFW_SLUG; NULL: an older afw made it */
	char *base_commit;
	char *harness;	     /* "claude", "generic", "demo" */
	char *backend;	     /* "pty" */
	char *sandbox;	     /* "none" */
	struct strv command; /* generic: the whole command; else extra arguments
				for the harness */
	struct strv overrides; /* options from its command line: KEY=VALUE */
	struct strv env_names; /* names given with -e and --env-file */
	struct strv linked;    /* symbolic links that were made in its worktree,
				  with the paths in it and in the repository */
	char *image;	       /* of a container */
	char *private_git;     /* its own git directory: SPEC_GIT_DIR beside the
				  spec's file; or NULL */
	char *profile; /* a template whose options alone it has; or NULL */
	char *after, *after_id; /* starts when the session with this name and id
				   has completed; or NULL */
	char *template_name;	/* the role that it was made from; or NULL */
	char *template_from;	/* the owner of that role: template_owner(); or
				   NULL */
	bool template_read_home; /* the role has files for a private home */
	char *system_prompt;	 /* text to add to the harness's own */
	char *instructions;	 /* text for the harness's project file */
	cJSON *with; /* other repositories that it works in: spec_of(); NULL:
			none; owned */
	cJSON *services; /* services beside the harness, in order: objects of
			    config/section.h; NULL: none; owned */
	cJSON *approve;	 /* rules for its approvals, in order: objects of
			    config/section.h; NULL: none; owned */
	cJSON *prices;	 /* of models, as at its last start: tokens_price();
			    NULL: none; owned */
	cJSON *mcp;    /* MCP servers by name, checked: adapters/mcp_file.h; no
			  values of variables; owned */
	cJSON *bridge; /* tools of the agent (tools/tool.h) and their settings;
			  NULL: none; owned */
	char *conversation; /* the harness's own id, known at start or later */
	cJSON *harness_config; /* the [harness.X] section and screen rules as
				  an object of lists of strings; see
				  adapters/adapter.h; owned */
	int cols, rows;	       /* size at the start */
			       /* The options that it needs while it runs. */
#define SPEC_OPTION(id, kind, member, ...) FIELD_TYPE_##kind member;
#include "config/options.def"
	struct session_flags flags;
	bool branch_given;  /* afw did not make it, and never deletes it */
	int64_t created_at; /* wall ms */
};

/* The members, and where they are written. */
extern const struct field spec_fields[];

void spec_finish(struct spec *s);
#define _spec_ CLEANUP(spec_finish)

/* session_dir is sessions/<id>. durable: acknowledged only when on disk. */
int spec_save(const struct spec *s, const char *session_dir, bool durable,
	      struct err *err);

/* Refuses a spec that is broken or of a newer version, and does not change it.
 * errno is ENOENT if there is none, EPROTONOSUPPORT if it is newer. */
int spec_load(struct spec *s, const char *session_dir, struct err *err);

/*
 * Sets checked_out by HEAD of the worktree. If git has renamed branch to it
 * (its log says so), sets branch instead, but not in a sandbox, where the agent
 * writes HEAD. The file keeps the first name. Returns whether one has changed.
 */
bool spec_read_head(struct spec *s);

/*
 * A session made with --with works in several repositories, each with a
 * worktree on a branch of the same name. What follows s itself is the first
 * one; the others are objects in s->with, in whose members spec_of() looks.
 */
size_t spec_count(const struct spec *s);

/*
 * Returns s as it is for its i-th repository; 0: s itself. id is of that
 * worktree alone, for the trash; worktree is NULL if it was not made yet.
 * Borrowed from s, and with->private_git from spec_set_private(): it is not
 * finished, and s must not change.
 */
struct spec spec_of(const struct spec *s, size_t i);

/* Fills places with the others' worktrees, for a request; borrowed from s. */
struct member_objects spec_others(const struct spec *s,
				  struct repo_place places[SPEC_WITH_MAX]);

/* Adds one that has no worktree yet. */
void spec_add_with(struct spec *s, const char *repository);

/* Stores what afw-worktree has answered to "create" for the i-th. */
void spec_set_with(struct spec *s, size_t i, const cJSON *answer);

/* Sets the private git directories, below the session's directory. */
void spec_set_private(struct spec *s, const char *session_dir);

/* Refuses a session with several; who: the command that knows the first alone.
 */
int spec_check_single(const struct spec *s, const char *who, struct err *err);

/* Returns the directory that has all of its worktrees, to be freed; NULL: it
 * has one. By the path alone, which a list has of every session. */
char *spec_common_directory(const struct spec *s);

/* Its worktree, for a request to afw-worktree; borrowed from s. */
struct repo_place spec_place(const struct spec *s);

/*
 * Opens (O_PATH) the worktree that was made for it, to run a program in it: the
 * directory itself, never a symlink or another file of that name. Returns -1
 * with errno; ENOENT if it is gone.
 */
int spec_open_worktree(const struct spec *s, struct err *err);

/*
 * Returns subdir of the worktree, or the worktree; to be freed. Not for the
 * repository's own commands: setup, services, git's hooks.
 */
char *spec_directory(const struct spec *s);

/* Opens it, and follows no link: -1 with errno. */
int spec_open_subdir(const struct spec *s, struct err *err);

/* Opens the directory in which a command of the session is started: in a
 * sandbox the worktree, from which the sandbox goes on to subdir. */
int spec_open_directory(const struct spec *s, struct err *err);

/* Returns the directory whose .af/ it is started with. */
const char *spec_checkout(const struct spec *s);

/* Returns whether a worktree was ever made for it: only this one may be moved
 * or removed. */
bool spec_has_worktree(const struct spec *s);

/* The same, or it works in the user's own worktree. */
bool spec_has_checkout(const struct spec *s);

/* Refuses a session without that. */
int spec_check_checkout(const struct spec *s, struct err *err);

/* Returns whether it has a directory without git, and that is not empty. */
bool spec_is_scratch(const struct spec *s);
bool spec_has_scratch_files(const struct spec *s, const char *session_dir);

/* Refuses a session without a worktree that afw made. */
int spec_check_own(const struct spec *s, struct err *err);

/* Returns the git directory of its worktree, to be freed; it may not exist. */
char *spec_git_entry(const struct spec *s);

/* Returns whether one of both has a sandbox. */
bool spec_any_sandbox(const struct spec *a, const struct spec *b);

/* Sets the variables of session_vars.h, or removes them. */
void spec_set_vars(const struct spec *spec, struct strv *env);

/*
 * Sets these, and AFW_SESSION, AFW_WORKSPACE, AFW_ROLE, AFW_BRANCH,
 * AFW_REPOSITORY and AFW_RUN in env, and removes those for which the session
 * has no value (afw(1), "ENVIRONMENT"). run: from its state; NULL if no harness
 * is running.
 */
void spec_set_env(const struct spec *spec, const char *run, struct strv *env);

#endif
