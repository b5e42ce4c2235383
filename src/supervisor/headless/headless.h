/*
 * headless.h - `afw-supervisor --stdio`: one harness without a terminal, held
 * by JSON lines on standard input and output (afw-protocol(7), "Without a
 * terminal"). It may be process 1 of a container.
 *
 * It is a supervisor with other parts and backend pipe. Without "repo" in its
 * start it needs no file; with it, it holds a session of afw.
 */
#ifndef AFW_SUPERVISOR_HEADLESS_HEADLESS_H
#define AFW_SUPERVISOR_HEADLESS_HEADLESS_H

#include "supervisor/headless/json_lines.h"
#include "supervisor/peer.h"
#include "supervisor/supervisor.h"

#define HEADLESS_GRACE_MS     5000
#define HEADLESS_GRACE_MS_MAX 600000

struct headless {
	struct supervisor *sv;
	struct json_lines lines;
	struct peer client; /* who asks; it has no socket */
	int exit_code;
	bool ending; /* end_all() was called */
	int64_t end_grace_ms;
	bool over; /* nothing is left below us */
	/* A start that was under way has become an agent, or failed. */
	void (*settled)(struct headless *h);

	struct strv env; /* of the harness, without secrets */
	char *dir;	 /* of the harness; NULL: ours */
	bool input_ends; /* it is closed, or will be when all is written */
	bool started;
	struct starting *starting; /* headless_start.c; NULL: none under way */
	struct buf early;	   /* lines for it before it runs */
	struct buf out, errors;	   /* of each the beginning of a character */
	pid_t *inherited;	   /* our children before us; 0 ends */
	struct children *execs;	   /* headless_exec.c */
};

/* Returns the harness's exit code, 128 + n if it died of signal n; 1 if
 * none was started. */
int headless_run(void);

/* headless_start.c: h->settled() follows. */
void headless_cancel_start(struct headless *h);

/* headless_agent.c: appends text as a line; writes h->early to the agent. */
void headless_add_line(struct buf *lines, const char *text);
void headless_flush_chat(struct headless *h);

/*
 * headless_session.c: takes over the session id, whose lock nobody holds; -1
 * as after headless_reset(), which lets it go: then sv has none, as at first.
 */
int headless_open_session(struct supervisor *sv, const char *id,
			  struct err *err);
void headless_reset(struct supervisor *sv);

/* headless_members.c: what requests have, -1 with err; and events. */

/* A member that is an array of strings, absent: an empty one; each "K=V"
 * where they are an environment. */
int member_list(const cJSON *rq, const char *key, bool is_env, struct strv *out,
		struct err *err);
/* argv: one with at least one string. */
int member_argv(const cJSON *rq, const char *cmd, struct strv *out,
		struct err *err);
/* A number of ms from min to max. */
int member_ms(const cJSON *rq, const char *key, int64_t other, int64_t min,
	      int64_t max, int64_t *out, struct err *err);
/* A new event; it has no member but "ev". */
cJSON *member_event(const char *name);
/* Puts the event "error", of request rq; NULL: of none. */
void member_refuse(struct headless *h, const cJSON *rq, const struct err *err);
/* Bytes as text: NULs and those that are not UTF-8 are U+FFFD. */
void member_set_text(cJSON *o, const char *key, const char *data, size_t len);

#endif
