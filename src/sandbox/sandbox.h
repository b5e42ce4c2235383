/*
 * sandbox.h - what confines a harness: a table of functions, one for each
 * tier.
 *
 * open() turns the harness's command line into the one that is run, and fills
 * the handle, which stays in the session's state.json: a later command gives
 * it to exec() and stop(), whatever the configuration says by then. What a
 * tier cannot enforce it says in degraded, never in silence.
 */
#ifndef AFW_SANDBOX_SANDBOX_H
#define AFW_SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <sys/types.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "base/mem.h"
#include "session/spec.h"

/* Who is run in it; argv and env are rewritten in place. */
struct sandbox_start {
	const struct spec *spec;
	const char *dir;  /* of the session: the agent writes none of it but */
	const char *home; /* this in it, its HOME */
	const struct strv *read; /* exec: paths that it may read besides, if
				    the tier can allow that then; or NULL */
	struct strv *argv, *env;
	struct strv *degraded; /* is added to */
	int *fd;    /* where it is set: to be SANDBOX_FD of what argv is; the
		       caller closes it */
	int *hold;  /* of a tier that holds: see there */
	bool piped; /* open: it has pipes, no terminal */
};

#define SANDBOX_FD 3

struct sandbox {
	const char *name;
	/* One line for the user: what it gives. */
	const char *promise;
	/* Where env_pass is empty, all of our environment goes in. */
	bool passes_env;
	/* HOME is the session's own. */
	bool private_home;
	/* A program that is not here may be there. */
	bool own_programs;
	/*
	 * The walls are there only while the harness is, so that it has to be
	 * started before what runs beside it, and to be held until that is
	 * ready: open sets hold, which becomes readable when the walls stand;
	 * closed by the caller, it lets the harness go.
	 */
	bool holds;
	/* Commits are made in a git directory of the session's own. */
	bool private_git;
	/* Adds where directories of the session and of its repository are
	 * inside, as file_map() takes them. home: the session's; NULL: it is
	 * left out. NULL: as outside. */
	void (*places)(const struct spec *spec, const char *home,
		       struct strv *out);
	/* Is it usable here, for that session? -1 with what is missing; what
	 * it could not enforce is added to degraded. NULL: it always is. */
	int (*check)(const struct spec *spec, struct strv *degraded,
		     struct err *err);
	/* Starts something in it and waits for its end: -1 with what is
	 * missing. For `afw doctor`, because it takes a second; dir is an empty
	 * directory of its own. NULL: check knows it all. */
	int (*try)(const struct spec *spec, const char *dir, struct err *err);
	/* The harness's start; handle is an object to add to. NULL, as exec:
	 * it is run as it is. */
	int (*open)(const struct sandbox_start *st, cJSON *handle,
		    struct err *err);
	/* A command beside the harness, behind the same walls. handle is
	 * NULL where the session does not run. */
	int (*exec)(const struct sandbox_start *st, const cJSON *handle,
		    struct err *err);
	/* How afw's own program is run inside; NULL: as outside. */
	void (*own_program)(struct strv *argv);
	/* A command that runs afw's own program inside, for what goes without
	 * the environment. NULL: outside does. */
	void (*probe)(const cJSON *handle, struct strv *argv);
	/* A process that is to outlive the harness, below us; or 0. NULL:
	 * there is none. */
	pid_t (*helper)(const cJSON *handle);
	/* The harness is gone with that exit code: takes down what it was in,
	 * and says what else is known of it (or NULL; to be freed). Blocks for
	 * seconds at most. May be NULL. */
	char *(*ended)(const cJSON *handle, int code);
	/* Ends what a supervisor that was killed left there, but for plain
	 * processes of ours, or if grace_ms is below 0, removes what has ended.
	 * Returns -1 if something is left. Blocks. May be NULL. */
	int (*stop)(const struct spec *spec, int64_t grace_ms);
};

extern const struct sandbox *const sandboxes[]; /* NULL ends */
const struct sandbox *sandbox_find(const char *name);

/*
 * Is spec's tier usable here? ERR_FAILED with what is missing, and where it
 * could not enforce all without the spec's allow_degraded. That is added to
 * degraded (or NULL).
 */
int sandbox_check(const struct spec *spec, struct strv *degraded,
		  struct err *err);

/* The members, of the tier that spec names (open, which checks once more), or
 * that the handle was opened by. open's handle is to be deleted; NULL with
 * err. */
cJSON *sandbox_open(const struct sandbox_start *st, struct err *err);
int sandbox_exec(const struct sandbox_start *st, const cJSON *handle,
		 struct err *err);

/* places, of the tier that spec names. */
void sandbox_places(const struct spec *spec, const char *home,
		    struct strv *out);

/* Ends what a session left whose supervisor is gone; the caller holds its
 * lock. handle is NULL where it was never opened. Blocks for little longer
 * than grace_ms, seconds more where a container has to go. */
int sandbox_stop(const struct spec *spec, const cJSON *handle, int64_t grace_ms,
		 struct err *err);

/* Makes the session's own git directory as the sandbox will see it, if the tier
 * has one (private_git) and it is not there. Blocks. */
int sandbox_make_git_dir(const struct spec *spec, struct err *err);

/*
 * Appends what of our environment goes into the session's sandbox: all, or
 * what every program needs, the harness (needs: names, as in env_pass; NULL
 * ends) and spec->env_pass. What was given with -e is secret: it goes in only
 * where secrets is true. Nothing of the caller's repository (base/gitenv.h).
 */
void sandbox_env(const struct spec *spec, const char *const *needs,
		 bool secrets, struct strv *out);

/*
 * Moves st->env into a pipe that *st->fd becomes, for inside_env() of confine/;
 * if st->hold is set, into a socket whose other end that becomes, which can be
 * read when the environment is, and lets the command go when it is closed.
 * Before the sandbox is up no program may have the agent's environment: the
 * loader would run a library for it. -1 with err.
 */
int sandbox_pour_env(const struct sandbox_start *st, struct err *err);

/* Whether it was given with -e, and is none that every program needs. */
bool sandbox_env_is_secret(const struct spec *spec, const char *name);

/* The directory that is /tmp inside, made where it is not there; NULL with
 * err, or to be freed. */
char *sandbox_tmp(const struct sandbox_start *st, struct err *err);

/*
 * Whether a path (of PATH, of a variable) may be opened to the agent: absolute,
 * and not below what the agent writes. There it could be a link to a key.
 */
bool sandbox_can_grant(const struct sandbox_start *st, const char *path);

/*
 * What of the user's is to be read in it: what sandbox_read and link of the
 * configuration name, objects that the repository borrows, and the files that
 * variables of its environment name (GOOGLE_APPLICATION_CREDENTIALS and the
 * like: who has the variable is to have the file). Absolute paths, some of
 * which may not be there.
 */
void sandbox_reads(const struct sandbox_start *st, struct strv *out);

/*
 * Where PATH has a program, without links: NULL (also if it is not to be
 * opened to the agent), or to be freed. What of the user's it consists of is
 * added to read: what npm has installed with it, else its file.
 */
char *sandbox_program(const struct sandbox_start *st, const char *name,
		      struct strv *read);

/*
 * Where the session has a HOME of its own: sets it, removes what leads to the
 * user's, and copies files there (from the user's HOME on; NULL ends), but
 * those that are newer there.
 */
int sandbox_enter_home(const struct spec *spec, const char *home,
		       const char *const *files, struct strv *env,
		       struct err *err);

#endif
