/* harness.h - the harness's process: start, input, output, end. */
#ifndef AFW_SUPERVISOR_HARNESS_HARNESS_H
#define AFW_SUPERVISOR_HARNESS_HARNESS_H

#include "adapters/launch.h"
#include "base/tree.h"
#include "supervisor/supervisor.h"

#define HARNESS_INPUT_MAX ((size_t)2 * 1024 * 1024)

struct harness_start {
	struct strv env; /* the whole environment, "K=V"; taken over */
	bool resume;
	bool if_any; /* a missing conversation is not reported */
	bool fresh;  /* start from scratch if the conversation cannot be resumed
		      */
	bool trusted;
	char *fork;	      /* the conversation that it copies; NULL: none */
	struct launch launch; /* set by harness_launch() */
};

/* The reason for ending it. */
enum ending {
	ENDING_NONE,
	ENDING_STOP,
	ENDING_SUSPEND,
	ENDING_PARENT, /* the session that it was started in ends: a stop */
	ENDING_DOWN,   /* a signal without a request */
};

/* The way to its end: see harness_end.c. */
enum end_state {
	END_NONE,
	END_TERM_SENT, /* HUP at hang_up_at: interactive shells ignore TERM, but
			  end when their terminal closes */
	END_HUP_SENT,  /* KILL at kill_at */
	END_KILLING,   /* again and again */
	END_ABANDONED, /* KILL does not help: no longer waited for */
	END_OVER,
};

/* sv->end. Only harness_end.c changes it. */
struct harness_end {
	enum end_state state;
	enum ending why;
	bool exited; /* the main process, with wait_status */
	int wait_status;
	bool alone;	    /* no harness: processes left below are ended */
	char *lost;	    /* why its terminal was lost; or NULL */
	int down_signal;    /* ENDING_DOWN: the supervisor's; 0: none */
	int left_behind;    /* number of processes that were abandoned */
	int rounds, fewest; /* of KILL without a process less; their number */
	int64_t began_at;   /* it ended without a request; 0 */
	int64_t hang_up_at, kill_at;
	struct loop_timer *timer;
};

/* Starts its process, which its sandbox may hold before exec: see
 * harness_hold_fd().
 * Blocks until exec has happened or failed. */
int harness_launch(struct supervisor *sv, struct harness_start *hs,
		   struct err *err);
/* Starts a command unchanged: without adapter or sandbox, in dir. Blocks
 * likewise. */
int harness_launch_command(struct supervisor *sv, const struct strv *argv,
			   const struct strv *env, const char *dir,
			   struct err *err);
/* Lets the process continue: the session is running. *resumed: the conversation
 * was resumed. */
void harness_release(struct supervisor *sv, struct harness_start *hs,
		     bool *resumed);

/* Sets the variables that every process of the session has, and removes those
 * that belong to the terminal in which afw was called. */
void harness_env(const struct supervisor *sv, struct strv *env);

/* Returns the descriptor on which its sandbox reports that it holds it
 * (sandbox.h, holds); -1: it does not. */
int harness_hold_fd(const struct supervisor *sv);
/* Returns whether its login is a key that pays for each token. */
bool harness_pays_by_token(const struct supervisor *sv);

/* Returns the directory of its records (launch.record_dir), or NULL. */
const char *harness_record_dir(const struct supervisor *sv);

/* Returns -1 with err if it is not running, or is being ended. */
int harness_check_running(const struct supervisor *sv, struct err *err);

/* Queues bytes for the harness; returns how many it took. Does not block. */
size_t harness_write(struct supervisor *sv, const char *data, size_t len);
/* Queues all of keys or nothing. Fails with ERR_REFUSED if they do not fit,
 * because the harness does not read its input. */
int harness_type(struct supervisor *sv, const struct buf *keys,
		 struct err *err);
/* Returns how many queued bytes the terminal has not taken, and how many it has
 * taken since the start. */
size_t harness_unread(const struct supervisor *sv);
uint64_t harness_taken(const struct supervisor *sv);
/* Returns true if the terminal reports when it has taken bytes, and has not
 * done so yet: typist.c. */
bool harness_write_is_open(const struct supervisor *sv);

/* Sets the terminal's size. Only for a backend that has no size of its own
 * (size). */
void harness_resize(struct supervisor *sv, int cols, int rows);

/* Reads what is available, at most max bytes. */
void harness_read(struct supervisor *sv, size_t max);
/* harness_pause(): if it has printed little since the last call, its output is
 * not read (the kernel holds 64 KB of it) until harness_resume(), or until
 * something is typed. */
void harness_pause(struct supervisor *sv);
void harness_resume(struct supervisor *sv);
/* Stops reading its output while held is true. */
void harness_pause_output(struct supervisor *sv, bool held);

/* If a signal follows the harness's own end within this time, both have the
 * same cause. */
#define HARNESS_SHUTDOWN_MS 3000

/* Sends TERM to the whole tree, and KILL after grace_ms. Can be called again:
 * then a person's request (stop, suspend) overrides what a signal began, and
 * ENDING_NONE only brings the KILL forward. If none was started, ends what is
 * below the supervisor. */
void harness_stop(struct supervisor *sv, enum ending why, int64_t grace_ms);
/* The same for a signal to the supervisor; parent: from that of the session
 * that it was started in. */
void harness_stop_by_signal(struct supervisor *sv, int signo, bool parent);

/* Writes the reason "lost: ..." for an end that a signal to the supervisor
 * causes. */
void harness_lost_reason(int signo, char *out, size_t size);

/* Measures the harness's tree: processes, time and memory. */
void harness_measure(struct supervisor *sv, struct tree_usage *out);

/* Handles SIGCHLD: reaps processes. When the main process and its tree are
 * gone, the supervisor begins to end. */
void harness_reap(struct supervisor *sv);

/* Kills everything that is left, at once; for the supervisor's own end. */
void harness_finish(struct supervisor *sv);

#endif
