/*
 * supervisor.h - the process that holds one session together.
 *
 * One thread, one loop. The harness's output goes through the screen model
 * once; from there it reaches attached clients, the transcript, the activity
 * and the sender. Each part has a file; this struct is what they share, and
 * nobody outside src/supervisor sees it.
 */
#ifndef AFW_SUPERVISOR_SUPERVISOR_H
#define AFW_SUPERVISOR_SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <cjson/cJSON.h>

#include "activity/activity.h"
#include "activity/observer.h"
#include "activity/question.h"
#include "adapters/adapter.h"
#include "adapters/screen/rules.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/pace.h"
#include "screen/screen.h"
#include "session/spec.h"
#include "session/state.h"
#include "supervisor/sender/sender.h"
#include "terminal/terminal.h"

struct part;	 /* part.h */
struct peer;	 /* one connection of the control socket: peer.h */
struct attached; /* one terminal that shows the session: attach.h */

#define CHILDREN_MAX 8 /* at once, beside the harness */

/* What the end of the harness is for. */
enum ending {
	ENDING_NONE,
	ENDING_STOP,
	ENDING_SUSPEND,
	ENDING_PARENT, /* what it was started in ends: as a stop */
	ENDING_DOWN,   /* a signal that nobody asked for */
};

struct supervisor {
	struct loop *loop;
	const struct part *const *parts; /* what it is made of; NULL ends */
	char *dir, *home;		 /* sessions/<id>, or NULL: no session
					    of afw's; and its home/ */
	char *record_dir;		 /* launch.record_dir */
	char *door_path;		 /* the FIFO for its hooks: door.h */
	int lock_fd;			 /* the lock is held till death */
	struct spec spec;
	struct state state;
	const struct adapter *adapter;
	struct rules *rules;

	/* the harness */
	const struct terminal_backend *backend;
	struct terminal *terminal;	   /* NULL: not started, or gone */
	struct terminal *pending_terminal; /* what it will be: see release_fd */
	struct loop_io *terminal_io, *errors_io;
	bool held;  /* harness_hold() */
	bool alone; /* none was started: what else is below us is ended */
	pid_t pid;
	struct buf input;	    /* for the harness, not taken yet */
	uint64_t written;	    /* bytes that ever were in there */
	size_t printed;		    /* bytes since harness_pause() */
	bool exited;		    /* the main process is gone */
	bool gave_up;		    /* on processes that cannot be killed */
	int left_behind;	    /* so many */
	int kill_rounds, kill_left; /* since when so few are left */
	bool starting;	     /* services are waited for, then it is started */
	int release_fd;	     /* sandbox.h, holds; else -1 */
	bool stop_requested; /* told to end before there was one */
	char *lost;	     /* the terminal went away under it: why; or NULL */
	enum ending ending;
	int wait_status;
	int down_signal;      /* that told us to end; 0: none came */
	int64_t end_began_at; /* monotonic ms: it began to end, unasked; 0 */
	int64_t kill_at;      /* monotonic ms: when TERM becomes KILL; 0 */
	int64_t hang_up_at;   /* when a HUP comes in between */
	struct loop_timer *ending_timer;

	/* what it shows and does */
	struct observer observer;
	struct screen *screen;		 /* the observer's */
	struct activity_fuser *activity; /* the observer's */
	struct verdict verdict;
	struct question question; /* the approval that is up */
	struct sender *sender;
	struct loop_timer *publish_timer;
	int64_t publish_at; /* monotonic ms: the next */
	bool needs_publish; /* state has changed since it was written */
	bool needs_save;    /* and so that the board alone is not enough */
	bool unsaved;	    /* it could not be written: once more, soon */
	struct err why_unsaved;

	/* who talks to it */
	struct peer *peers;
	/* Does what a client asks, and replies. */
	void (*request)(struct peer *p, const cJSON *request);
	struct attached *attached;

	struct children *children; /* what we run beside the harness */

	/* the parts' own (PART_OWN in part.h) */
	struct bridge *bridge;
	struct check *check;
	struct consent *consent;
	struct conversation *conversation;
	struct counting *counting;
	struct turn *turn;
	struct ctrl_z *ctrl_z;
	struct door *door;
	struct headless *headless;
	struct idle *idle;
	struct keys *keys;
	struct answer *answer;
	struct policy *policy;
	struct listener *listener;
	struct notifier *notify;
	struct post *post;
	struct receipts *receipts;
	struct recorder *recorder;
	struct services *services;
	struct start *start;
	struct monitor *monitor;
};

extern const struct part *const session_parts[];

/*
 * Runs one session, made of those parts, until its harness is gone: takes the
 * lock's descriptor and a connected control socket from the afw that starts
 * it. Returns the process's exit code.
 */
int supervisor_run(const struct part *const *parts, const char *session_dir,
		   int lock_fd, int control_fd);

/* Its process, of sv->parts: who it is, its loop, its parts' init; after -1,
 * too, it is to be closed if it has a loop. */
int supervisor_open(struct supervisor *sv, loop_signal_fn signalled,
		    struct err *err);
void supervisor_close(struct supervisor *sv);
/* Loads the session in sv->dir, whose lock is held. */
int supervisor_load(struct supervisor *sv, struct err *err);

/* publish.c */
void publish_init(struct supervisor *sv);

/* Shows what describes the moment on the board (board.h), soon: 10 times a
 * second at most; _seldom: twice, for what a spinner changes. _keep() writes
 * state.json too: for what must outlive us. */
void publish_soon(struct supervisor *sv);
void publish_seldom(struct supervisor *sv);
void publish_lasting(struct supervisor *sv);
/* Shows it now; with state.json, durable for what must survive a crash. */
void publish_now(struct supervisor *sv);
void publish_state(struct supervisor *sv, bool durable);
/* Moves the phase, writes it durably (but starting), tells everybody. A move
 * that the table does not have is a bug: it is logged and refused. */
int publish_phase(struct supervisor *sv, enum phase to, const char *reason);

/* An event (taken) for the history and for who has subscribed to its name. */
void publish_event(struct supervisor *sv, const char *event, cJSON *o);

/* Something of it does not work: the state says so from now on, and the log;
 * the same is said once, and not for ever another. */
void publish_degraded(struct supervisor *sv, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* One line into supervisor.log. */
void publish_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
