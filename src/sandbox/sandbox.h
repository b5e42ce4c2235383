/*
 * sandbox.h - confines a harness: a table of functions for each tier.
 *
 * open() wraps the harness's command line, and fills the handle, which is
 * stored in the session's state.json: a later command passes it to exec() and
 * stop(), independent of the configuration at that time. A tier reports limits
 * that it cannot enforce in degraded, never silently.
 */
#ifndef AFW_SANDBOX_SANDBOX_H
#define AFW_SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <sys/types.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "base/mem.h"
#include "session/spec.h"

/* The command to confine; argv and env are changed in place. */
struct sandbox_start {
	const struct spec *spec;
	const char *dir; /* the session's directory: the agent can write only */
	const char *home;	 /* this one in it, its HOME */
	const struct strv *read; /* exec: more paths that it may read, if the
				    tier can still allow that; or NULL */
	struct strv *argv, *env;
	struct strv *degraded; /* reasons are added */
	int *fd; /* if it is set: becomes SANDBOX_FD of the command; the caller
		    closes it */
	int *hold;   /* for a tier with holds: see there */
	bool piped;  /* open: it has pipes instead of a terminal */
	bool at_top; /* it starts in the worktree, not in spec->subdir */
};

#define SANDBOX_FD 3

struct sandbox {
	const char *name;
	/* One line for the user: what it protects. */
	const char *promise;
	/* If env_pass is empty, our whole environment is passed in. */
	bool passes_env;
	/* HOME is a private one of the session. */
	bool private_home;
	/* A program that is missing here may exist inside. */
	bool own_programs;
	/*
	 * The sandbox exists only while the harness does, so the harness is
	 * started before its services, and held until these are ready: open
	 * sets hold, which becomes readable when the sandbox is ready; the
	 * caller closes it to let the harness continue.
	 */
	bool holds;
	/* Commits are made in a private git directory of the session. */
	bool private_git;
	/* Adds the paths inside of directories of the session and of its
	 * repository, for file_map(). home: the session's; NULL: it is left
	 * out. The member may be NULL: as outside. */
	void (*places)(const struct spec *spec, const char *home,
		       struct strv *out);
	/* Checks that the tier can be used here for that session. -1 with what
	 * is missing; adds limits that it cannot enforce to degraded. NULL: it
	 * always can. */
	int (*check)(const struct spec *spec, struct strv *degraded,
		     struct err *err);
	/* Starts a program in it and waits for its end: -1 with what is
	 * missing. Only for `afw doctor`, as it takes a second; dir is an empty
	 * directory for it. NULL: check is enough. */
	int (*try)(const struct spec *spec, const char *dir, struct err *err);
	/* Prepares the harness's start; adds to the object handle. NULL, as for
	 * exec: the command is run unchanged. */
	int (*open)(const struct sandbox_start *st, cJSON *handle,
		    struct err *err);
	/* Prepares a command beside the harness, with the same limits. handle
	 * is NULL if the session is not running. */
	int (*exec)(const struct sandbox_start *st, const cJSON *handle,
		    struct err *err);
	/* Makes the command that runs afw's own program inside; NULL: as
	 * outside. */
	void (*own_program)(struct strv *argv);
	/* Makes a command that runs afw's own program inside, without the
	 * agent's environment. NULL: it can run outside. */
	void (*probe)(const cJSON *handle, struct strv *argv);
	/* Returns a process below us that must outlive the harness, or 0. NULL:
	 * there is none. */
	pid_t (*helper)(const cJSON *handle);
	/* Cleans up after the harness has ended with that exit code. Returns
	 * the reason of the end, to be freed, or NULL. Blocks for seconds at
	 * most. May be NULL. */
	char *(*ended)(const cJSON *handle, int code);
	/* Ends what a killed supervisor left there, except plain processes; if
	 * grace_ms is below 0, only removes containers that have ended. Returns
	 * -1 if something is left. Blocks. May be NULL. */
	int (*stop)(const struct spec *spec, int64_t grace_ms);
};

extern const struct sandbox *const sandboxes[]; /* NULL ends */
const struct sandbox *sandbox_find(const char *name);

/*
 * Checks that spec's tier can be used here. ERR_FAILED with what is missing, or
 * if it cannot enforce every limit and the spec has no allow_degraded. Adds
 * these limits to degraded (may be NULL).
 */
int sandbox_check(const struct spec *spec, struct strv *degraded,
		  struct err *err);

/* Call the members of the tier that spec names (open, which checks once more),
 * or of the tier that opened the handle. open's handle is to be deleted; NULL
 * with err. */
cJSON *sandbox_open(const struct sandbox_start *st, struct err *err);
int sandbox_exec(const struct sandbox_start *st, const cJSON *handle,
		 struct err *err);

/* Calls places of the tier that spec names. */
void sandbox_places(const struct spec *spec, const char *home,
		    struct strv *out);

/* Ends what a session left whose supervisor has ended; the caller holds its
 * lock. handle is NULL if it was never opened. Blocks for little longer than
 * grace_ms, seconds more if a container must be removed. */
int sandbox_stop(const struct spec *spec, const cJSON *handle, int64_t grace_ms,
		 struct err *err);

/* Makes the session's private git directory with its paths in the sandbox, if
 * the tier has one (private_git) and it does not exist. Blocks. */
int sandbox_make_git_dir(const struct spec *spec, struct err *err);

/*
 * Appends the variables of our environment for the session's sandbox: all, or
 * those that every program needs, those of the harness (needs: names, as in
 * env_pass; NULL ends) and of spec->env_pass. Variables from -e are secret:
 * they are added only if secrets is true. Leaves out those of the caller's
 * repository (base/gitenv.h).
 */
void sandbox_env(const struct spec *spec, const char *const *needs,
		 bool secrets, struct strv *out);

/*
 * Moves st->env into a pipe, whose end is stored in *st->fd, for inside_env()
 * of confine/. If st->hold is set, into a socket, whose other end is stored
 * there: it is readable when the environment was read, and closing it lets the
 * command continue. No program outside the sandbox may get the agent's
 * environment: LD_PRELOAD in it could run a library. -1 with err.
 */
int sandbox_send_env(const struct sandbox_start *st, struct err *err);

/* Moves st->env into that pipe. -1 with err. */
int sandbox_write_env(const struct sandbox_start *st, int fd, struct err *err);

/* True if the variable is from -e, and not one that every program needs. */
bool sandbox_env_is_secret(const struct spec *spec, const char *name);

/* Returns the directory that is /tmp inside, and makes it if needed; to be
 * freed, or NULL with err. */
char *sandbox_tmp(const struct sandbox_start *st, struct err *err);

/*
 * True if a path (from PATH or a variable) may be made readable for the agent:
 * absolute, and not below a directory that the agent writes, which could make
 * it a link to a key.
 */
bool sandbox_can_grant(const struct sandbox_start *st, const char *path);

/*
 * Adds the user's files that it may read: those of sandbox_read and link in the
 * configuration, objects that the repository borrows, and files that variables
 * of its environment name (GOOGLE_APPLICATION_CREDENTIALS and the like: the
 * variable implies the file). Absolute paths, some of which may not exist.
 */
void sandbox_reads(const struct sandbox_start *st, struct strv *out);

/*
 * Returns the path of a program in PATH, without links, to be freed; NULL also
 * if the agent must not read it. Adds its files in the user's home to read:
 * everything that npm has installed with it, else its file.
 */
char *sandbox_program(const struct sandbox_start *st, const char *name,
		      struct strv *read);

/*
 * If the session has a private HOME: sets it, removes variables that lead to
 * the user's, and copies files there (relative to the user's HOME; NULL ends),
 * except those that are newer there.
 */
int sandbox_enter_home(const struct spec *spec, const char *home,
		       const char *const *files, struct strv *env,
		       struct err *err);

#endif
