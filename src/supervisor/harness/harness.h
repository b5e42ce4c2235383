/* harness.h - the harness's process: start, input, output, end. */
#ifndef AFW_SUPERVISOR_HARNESS_HARNESS_H
#define AFW_SUPERVISOR_HARNESS_HARNESS_H

#include "adapters/launch.h"
#include "base/tree.h"
#include "supervisor/supervisor.h"

#define HARNESS_INPUT_MAX ((size_t)2 * 1024 * 1024)

struct harness_start {
	struct strv env; /* the whole environment, "K=V"; it is taken */
	bool resume;
	bool if_any; /* that there may be no conversation is no surprise */
	bool fresh;  /* start afresh if the conversation cannot be resumed */
	bool trusted;
	struct launch launch; /* of harness_launch() */
};

/* Starts its process, which its sandbox may hold (sv->release_fd). Blocks until
 * exec has happened or failed. */
int harness_launch(struct supervisor *sv, struct harness_start *hs,
		   struct err *err);
/* The same of a command as it is: no adapter, no sandbox, dir by its name. */
int harness_launch_command(struct supervisor *sv, const struct strv *argv,
			   const struct strv *env, const char *dir,
			   struct err *err);
/* Lets it go: the session runs. *resumed: it continues. */
void harness_release(struct supervisor *sv, struct harness_start *hs,
		     bool *resumed);

/* Sets in env what all that runs in the session has, and takes out what is of
 * the terminal of who started it. */
void harness_env(const struct supervisor *sv, struct strv *env);

/* 0, or -1 with err: it does not run, or is being ended. */
int harness_check_running(const struct supervisor *sv, struct err *err);

/* Queues bytes for the harness; returns how many it took. */
size_t harness_write(struct supervisor *sv, const char *data, size_t len);
/* The same with all of them or none: ERR_REFUSED where it has not read so
 * much for so long that they do not fit. */
int harness_type(struct supervisor *sv, const struct buf *keys,
		 struct err *err);
/* True where the terminal tells whether it has taken what was written, and
 * has not yet: key_request.c. */
bool harness_write_is_open(const struct supervisor *sv);

/* Only for a backend that has no size of its own (size). */
void harness_resize(struct supervisor *sv, int cols, int rows);

/* Reads what is there, at most max bytes. */
void harness_read(struct supervisor *sv, size_t max);
/* Where it has printed little since the last time, what it prints may wait (the
 * kernel holds 64 KB of it) until harness_resume(), or until something is
 * typed. */
void harness_pause(struct supervisor *sv);
void harness_resume(struct supervisor *sv);
/* Nothing more of what it prints is read, until it is held no longer. */
void harness_hold(struct supervisor *sv, bool held);

/* TERM to the whole tree, after grace_ms KILL. May be called again; what a
 * person asks for (stop, suspend) then counts more than what a signal did, and
 * ENDING_NONE only brings the KILL forward. Does nothing if none was started,
 * but with sv->alone. */
void harness_stop(struct supervisor *sv, enum ending why, int64_t grace_ms);

/* "lost: ..." of an end that a signal to the supervisor brings. */
void harness_down_words(int signo, char *out, size_t size);

/* The harness's tree: its processes, time and memory. */
void harness_measure(struct supervisor *sv, struct tree_usage *out);

/* SIGCHLD: reaps; when the main process and its tree are gone, the
 * supervisor's end begins. */
void harness_reap(struct supervisor *sv);

/* Kills whatever is left, at once; for the supervisor's own end. */
void harness_finish(struct supervisor *sv);

#endif
