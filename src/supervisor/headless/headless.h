/*
 * headless.h - `afw-supervisor --stdio`: one harness without a terminal,
 * controlled by JSON lines on standard input and output (afw-protocol(7),
 * "Without a terminal"). It may be process 1 of a container.
 *
 * It is a supervisor with other parts and the backend pipe. Without "repo" in
 * its start it needs no files; with it, it holds a session of afw.
 */
#ifndef AFW_SUPERVISOR_HEADLESS_HEADLESS_H
#define AFW_SUPERVISOR_HEADLESS_HEADLESS_H

#include "supervisor/headless/json_lines.h"
#include "supervisor/peer.h"
#include "supervisor/supervisor.h"

#define HEADLESS_GRACE_MS 5000

struct headless {
	struct supervisor *sv;
	struct json_lines lines;
	struct peer client; /* the only client; it has no socket */
	int exit_code;
	bool ending; /* end_all() was called, to end everything */
	int64_t end_grace_ms;
	bool over; /* no process is left below the supervisor */
	/* A start that was under way has become an agent, or failed. */
	void (*settled)(struct headless *h);

	struct strv env; /* of the harness, without secrets */
	char *dir;	 /* of the harness; NULL: the supervisor's */
	bool input_ends; /* closed, or will be when all is written */
	bool started;
	struct starting *starting; /* headless_start.c; NULL: none */
	struct buf early; /* lines for the agent, before it is running */
	struct buf out,
	    errors; /* the beginning of a split character of each output */
	pid_t *inherited; /* children from before the supervisor; ends with 0 */
	struct children *execs; /* headless_exec.c */
};

/* Returns the harness's exit code, 128 + n if signal n killed it; 1 if none was
 * started. Blocks until everything has ended. */
int headless_run(void);

/* headless_start.c. Calls h->settled() later. */
void headless_cancel_start(struct headless *h);

/* headless_agent.c. headless_add_line() appends text as a line;
 * headless_flush_chat() writes h->early to the agent. */
void headless_add_line(struct buf *lines, const char *text);
void headless_flush_chat(struct headless *h);

/*
 * headless_session.c. headless_open_session() takes over the session id, whose
 * lock must be free. Returns -1 in the same state as after headless_reset(),
 * which releases the session: then sv has none, as at first.
 */
int headless_open_session(struct supervisor *sv, const char *id,
			  struct err *err);
void headless_reset(struct supervisor *sv);

/* headless_members.c: makes events. */

/* Returns a new event with the member "ev" only. */
cJSON *member_event(const char *name);
/* Sends the event "error" for request rq; NULL: for no request. */
void member_send_error(struct headless *h, const cJSON *rq,
		       const struct err *err);
/* Sets bytes as text: each NUL and each invalid byte becomes U+FFFD. */
void member_set_text(cJSON *o, const char *key, const char *data, size_t len);

#endif
