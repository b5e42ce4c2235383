/*
 * service.h - one service: a process of the session's own beside its harness,
 * behind a guard (terminal/guard.h) that ends all it ever started; its output,
 * and whether it is ready. services.h says when it is started, and again.
 */
#ifndef AFW_SUPERVISOR_SERVICES_SERVICE_H
#define AFW_SUPERVISOR_SERVICES_SERVICE_H

#include "base/ready.h"
#include "supervisor/supervisor.h"
#include "terminal/guarded.h"

#define SERVICE_LOG_MAX ((off_t)1024 * 1024) /* and as much in NAME.1 */

struct service;

/* What its owner is told: it is ready; is not in time; it and all of it is
 * gone. */
struct service_events {
	void (*ready)(struct service *s);
	void (*late)(struct service *s);
	void (*gone)(struct service *s);
};

struct service {
	const struct service_events *events;
	struct supervisor *sv;
	const cJSON *spec; /* of config/section.c */
	const char *name;
	struct strv env; /* what it asked for of the caller's: "K=V" */

	enum service_state {
		SERVICE_WAITING, /* for those before it */
		SERVICE_STARTING,
		SERVICE_READY,
		SERVICE_RESTARTING, /* it ended, and is started again soon */
		SERVICE_STOPPING,
		SERVICE_EXITED, /* and stays so */
		SERVICE_STOPPED,
	} state;
	int64_t since;	    /* wall ms */
	int64_t started_at; /* monotonic ms */
	bool was_ready;
	int restarts;
	int64_t backoff_ms;
	void (*gone)(struct service *s); /* it has ended; or NULL */
	char why[256];			 /* it ended, in words */
	bool failed;			 /* and that was no success */
	int wait_status;

	struct guarded guarded; /* guard is 0: nothing of it is left */
	pid_t pid;		/* 0: it could not be run */
	int out;
	struct loop_io *out_io;
	struct loop_timer *timer; /* it is killed, or started again */

	struct service_log {
		int fd; /* -1: not open */
		off_t size;
		struct buf tail; /* the last bytes of this life */
	} log;

	struct service_check {
		struct ready how;
		struct child *probe; /* or NULL */
		struct loop_timer *timer;
	} check;
};

void service_init(struct service *s, struct supervisor *sv, const cJSON *spec,
		  const struct service_events *events);
void service_finish(struct service *s); /* its guard ends what is left */

/* Blocks until exec has happened or failed. env: what all services get. */
int service_run(struct service *s, const struct strv *env, struct err *err);
/* TERM to the whole tree, after grace_ms KILL; gone() tells the end.
 */
void service_stop(struct service *s, int64_t grace_ms);
bool service_reaped(struct service *s, pid_t pid, int wait_status);

/* service_log.c: what it prints. The last line that is not empty, printable. */
void service_log_add(struct service *s, const char *data, size_t len);
void service_log_last(const struct service *s, char *out, size_t size);
/*
 * Sets the hint: the command that prints all of it, and the last lines.
 * keep: the session will be removed, so the log is moved to where it stays.
 */
void service_log_hint(const struct service *s, bool keep, struct err *err);

/* service_check.c: ready() or late() will be called, unless it is ended
 * first. printed: after service_log_add(). */
void service_check_begin(struct service *s);
void service_check_end(struct service *s);
void service_check_printed(struct service *s, size_t len);
/* Somebody listens on its port, who cannot be it. */
bool service_check_taken(const struct service *s);

/* `afw-supervisor service SOCKET FD COMMAND...`: the guard. FD is for the
 * command, or -1. */
int service_guard(int sock, int fd, char **argv);

#endif
