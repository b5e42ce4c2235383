/*
 * service.h - one service: a process of the session beside its harness, with
 * its output and its readiness. A guard (terminal/guard.h) ends every process
 * that it started. services.h decides when it is started and restarted.
 */
#ifndef AFW_SUPERVISOR_SERVICES_SERVICE_H
#define AFW_SUPERVISOR_SERVICES_SERVICE_H

#include "base/ready.h"
#include "supervisor/supervisor.h"
#include "terminal/guarded.h"

#define SERVICE_LOG_MAX ((off_t)1024 * 1024) /* and as much in NAME.1 */

struct service;

/* Calls to the owner: it is ready; it is not ready in time; none of its
 * processes is left. */
struct service_events {
	void (*ready)(struct service *s);
	void (*late)(struct service *s);
	void (*gone)(struct service *s);
};

struct service {
	const struct service_events *events;
	struct supervisor *sv;
	const cJSON *spec; /* made by config/section.c */
	const char *name;
	struct strv env;  /* the caller's that it asked for: "K=V" */
	struct strv vars; /* session_vars.h, for its section */
	char *ready;	  /* of its section, with their values */

	enum service_state {
		SERVICE_WAITING, /* for the services before it */
		SERVICE_STARTING,
		SERVICE_READY,
		SERVICE_RESTARTING, /* it has ended, and will be started again
				     */
		SERVICE_STOPPING,
		SERVICE_EXITED, /* it has ended, and is not started again */
		SERVICE_STOPPED,
	} state;
	int64_t since;	    /* wall ms */
	int64_t started_at; /* monotonic ms */
	bool was_ready;
	int restarts;
	int64_t backoff_ms;
	void (*gone)(struct service *s); /* called when it has ended; or NULL */
	char why[256];			 /* why it ended */
	bool failed;			 /* the end was a failure */
	int wait_status;

	struct guarded guarded; /* guard is 0: no process is left */
	pid_t pid;		/* 0: it could not be run */
	int out;
	struct loop_io *out_io;
	struct loop_timer *timer; /* to kill it, or to start it again */

	struct service_log {
		int fd; /* -1: not open */
		off_t size;
		struct buf tail; /* the last bytes of this run */
	} log;

	struct service_check {
		struct ready how;
		const char *wrong;   /* with ready; or NULL */
		struct child *probe; /* or NULL */
		struct loop_timer *timer;
	} check;
};

void service_init(struct service *s, struct supervisor *sv, const cJSON *spec,
		  const struct service_events *events);
/* A command that a user started beside the agent, or the check. */
bool service_is_shell(const struct service *s);
void service_finish(struct service *s); /* its guard ends what is left */

/* Starts it. Blocks until exec has happened or failed. env: variables for all
 * services. */
int service_run(struct service *s, const struct strv *env, struct err *err);
/* Sends TERM to its whole tree, and KILL after grace_ms; gone() follows. */
void service_stop(struct service *s, int64_t grace_ms);
bool service_reaped(struct service *s, pid_t pid, int wait_status);

/* service_log.c: its output. service_log_last() copies the last line that is
 * not empty, printable. */
void service_log_add(struct service *s, const char *data, size_t len);
void service_log_last(const struct service *s, char *out, size_t size);
/*
 * Sets err's hint: the command that prints the log, and its last lines. keep:
 * the session will be removed, so the log is moved to a place where it stays.
 */
void service_log_hint(const struct service *s, bool keep, struct err *err);

/* service_check.c. service_check_begin() calls ready() or late() later, unless
 * service_check_end() comes first. service_check_printed() is called after
 * service_log_add(). */
void service_check_begin(struct service *s);
void service_check_end(struct service *s);
void service_check_printed(struct service *s, size_t len);
/* Fails if it can never be ready: another process already listens on its port,
 * or the session has no ports. */
int service_check_ready(const struct service *s, struct err *err);

#endif
