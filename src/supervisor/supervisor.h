/*
 * supervisor.h - the process that runs one session.
 *
 * It has one thread and one loop. The harness's output passes through the
 * screen model once; from there it reaches attached clients, the transcript,
 * the activity and the sender. Each part has its own file; this struct is what
 * they share, and no file outside src/supervisor uses it.
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

#define CHILDREN_MAX 8 /* at the same time, besides the harness */
#define HANDED_MAX   4 /* running sessions that it was handed over to */

struct supervisor {
	struct loop *loop;
	const struct part *const *parts; /* ends with NULL */
	char *dir, *home; /* sessions/<id>; NULL: not a session of afw */
	char *door_path;  /* the FIFO for its hooks: door.h */
	int lock_fd;	  /* the lock, held until the process exits */
	struct spec spec;
	struct state state;
	const struct adapter *adapter;
	struct rules *rules;

	/* the harness */
	const struct terminal_backend *backend;
	struct terminal *terminal; /* NULL: not started, or gone */
	pid_t pid;
	bool starting;	     /* waits for services; then it is started */
	bool stop_requested; /* asked to end before the start */

	/* what the harness shows and does */
	struct observer observer;
	struct verdict verdict;
	struct question question; /* the approval that is up */
	struct sender *sender;

	/* its clients */
	struct peer *peers;
	/* Runs a client's request and replies. */
	void (*request)(struct peer *p, const cJSON *request);
	struct attached *attached;

	struct children *children; /* processes besides the harness */

	/* the parts' own data (PART_OWN in part.h) */
	struct publisher *publisher;
	struct harness *harness;
	struct harness_io *io;
	struct harness_end *end;
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
	struct answer *answer;
	struct interrupt *interrupt;
	struct at_limit *at_limit;
	struct stuck *stuck;
	struct hand_over *hand_over;
	struct login *login;
	struct budget *budget;
	struct spending *spending;
	struct policy *policy;
	struct listener *listener;
	struct notifier *notify;
	struct messages *messages;
	struct receipts *receipts;
	struct recorder *recorder;
	struct services *services;
	struct start *start;
	struct monitor *monitor;
	struct typist *typist;
};

extern const struct part *const session_parts[];

/*
 * Runs one session, made of those parts, until its harness has ended. Takes
 * over the lock's descriptor and a connected control socket from the afw that
 * starts it. Returns the process's exit code.
 */
int supervisor_run(const struct part *const *parts, const char *session_dir,
		   int lock_fd, int control_fd);

/* Sets up the process: its identity, its loop, the init hooks of sv->parts.
 * Returns -1 with err; even then supervisor_close() must be called if sv has a
 * loop. */
int supervisor_open(struct supervisor *sv, loop_signal_fn signalled,
		    struct err *err);
void supervisor_close(struct supervisor *sv);
/* Loads the session in sv->dir, whose lock is held. */
int supervisor_load(struct supervisor *sv, struct err *err);

/* publish.c */
/* publish_soon() writes the current values to the board (board.h) soon, at most
 * 10 times a second; publish_seldom() at most twice a second, for what a
 * spinner changes. publish_lasting() writes state.json too, for what must
 * outlive the process. */
void publish_soon(struct supervisor *sv);
void publish_seldom(struct supervisor *sv);
void publish_lasting(struct supervisor *sv);
/* Writes the board now; publish_state() also state.json, durable for what must
 * survive a crash. */
void publish_now(struct supervisor *sv);
/* Does so if publish_soon() was called since. */
void publish_due(struct supervisor *sv);
void publish_state(struct supervisor *sv, bool durable);
/* Returns -1 with err if the last state could not be written. */
int publish_check_saved(const struct supervisor *sv, struct err *err);
/* The session is left: what could not be written is not written any more. */
void publish_forget(struct supervisor *sv);
/* Changes the phase, writes it durably (except starting), and publishes it. A
 * change that the table of phases does not have is a bug: it is logged and
 * refused. */
int publish_phase(struct supervisor *sv, enum phase to, const char *reason);

/* Adds an event (o is taken over) to the history and sends it to its
 * subscribers. */
void publish_event(struct supervisor *sv, const char *event, cJSON *o);

/* Records in the state and the log that something does not work. The same text
 * is recorded once, and the number of texts is limited. */
void publish_degraded(struct supervisor *sv, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes one line to supervisor.log. */
void publish_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
