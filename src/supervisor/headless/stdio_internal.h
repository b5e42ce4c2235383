/* stdio_internal.h - what the files of stdio share. */
#ifndef AFW_SUPERVISOR_HEADLESS_STDIO_INTERNAL_H
#define AFW_SUPERVISOR_HEADLESS_STDIO_INTERNAL_H

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/mem.h"
#include "terminal/pipe.h"
#include "wire/protocol.h"

#define STDIO_OUT_MAX	  ((size_t)1024 * 1024)
#define STDIO_FAREWELL_MS 10000 /* in which a reader takes nothing */
#define STDIO_CHUNK	  16384 /* bytes of output in one event */
#define STDIO_LINE	  ((size_t)PROTOCOL_TEXT_MAX)
#define STDIO_GRACE_MAX	  600000 /* ms */

struct stdio;

/* One of the harness's two outputs. */
struct stdio_stream {
	struct stdio *s;
	struct loop_io *io; /* NULL: it has ended */
	int fd;
	const char *event;
	struct buf left; /* the beginning of a character */
};

struct stdio {
	struct loop *loop;
	/* What may be read and written now has changed. */
	void (*flow)(struct stdio *s);
	void (*unread)(struct stdio *s); /* who reads us is gone */
	struct terminal_events events;	 /* the harness's */

	/* stdio.c, stdio_out.c: lines in, lines out */
	struct loop_io *in_io, *out_io; /* in_io NULL: it has ended */
	struct buf in, out;
	size_t out_at; /* so much of out is written */
	bool too_long; /* the line that is being read */
	bool in_ended, reader_gone;
	struct loop_timer *farewell;
	bool over, done;
	int exit_code;

	/* stdio_agent.c */
	struct pipe pipe;
	pid_t pid; /* 0: none was started */
	struct stdio_stream streams[2];
	struct loop_io *chat_io; /* NULL: its standard input is closed */
	struct buf chat;
	bool chat_ends;	 /* closed, when chat is written */
	struct strv env; /* without secrets */
	char *dir;	 /* real, or NULL: ours */

	/* stdio_end.c */
	struct loop_timer *ending;
	int64_t stop_timeout_ms, kill_at, hang_up_at;
	int kill_rounds;
	bool exited, asked;
	int wait_status;
	pid_t *inherited; /* who was our child before us; 0 ends */

	struct stdio_exec *execs; /* stdio_exec.c */
};

/* -- lines out ------------------------------------------------------------- */

/* A new event; say() deletes it. */
cJSON *stdio_event(const char *name);
void stdio_say(struct stdio *s, cJSON *event);
/* What became of a request, or NULL: of a line that was none. */
void stdio_refuse(struct stdio *s, const cJSON *rq, const struct err *err);
/* Bytes that are to be written. */
size_t stdio_pending(const struct stdio *s);
/* Nobody reads us any more. */
void stdio_lose_reader(struct stdio *s);
/* Whoever prints must wait. */
bool stdio_is_full(const struct stdio *s);
/* Member text: NULs and bytes that are not UTF-8 are U+FFFD. */
void stdio_set_text(cJSON *o, const char *key, const char *data, size_t len);

/* -- requests: -1 with err ------------------------------------------------- */

int stdio_start(struct stdio *s, cJSON *rq, struct err *err);
int stdio_chat(struct stdio *s, cJSON *rq, struct err *err);
int stdio_stop(struct stdio *s, cJSON *rq, struct err *err);
int stdio_exec(struct stdio *s, cJSON *rq, struct err *err);

/* A member that is an array of strings, absent: an empty one; each "K=V"
 * where they are an environment. */
int stdio_list(const cJSON *rq, const char *key, bool is_env, struct strv *out,
	       struct err *err);
/* A number of ms from min to max. */
int stdio_ms(const cJSON *rq, const char *key, int64_t other, int64_t min,
	     int64_t max, int64_t *out, struct err *err);

/* -- the harness ----------------------------------------------------------- */

/* Reads on where it may. */
void stdio_agent_flow(struct stdio *s);
/* All that its outputs still have. */
void stdio_agent_drain(struct stdio *s);
void stdio_agent_finish(struct stdio *s);

/* -- the end --------------------------------------------------------------- */

/* Of everything below us: TERM, half-way HUP, KILL after grace_ms. */
void stdio_end(struct stdio *s, int64_t grace_ms);
void stdio_on_exited(void *ctx, int wait_status);
void stdio_on_lost(void *ctx, const char *why);
void stdio_reap(struct stdio *s);
/* Nothing is left below us: out, when all is written. */
void stdio_over(struct stdio *s);

/* -- commands beside it ---------------------------------------------------- */

bool stdio_exec_reaped(struct stdio *s, pid_t pid, int wait_status);
/* Tells of each that it was killed. */
void stdio_exec_finish(struct stdio *s);

#endif
