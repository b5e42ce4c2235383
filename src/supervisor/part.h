/*
 * part.h - what the supervisor is made of.
 *
 * A part is one thing that a session does beside running its harness, with
 * its own state, descriptors and timers. The core (supervisor.c, harness*.c)
 * calls the hooks of all parts in the order of one table (session_parts.c), and
 * knows none by name; a part may call what another's header offers. Any hook
 * may be NULL.
 */
#ifndef AFW_SUPERVISOR_PART_H
#define AFW_SUPERVISOR_PART_H

#include <stddef.h>

#include "supervisor/supervisor.h"

/* What was done to the harness. */
enum act {
	ACT_TYPED,     /* a person typed; keys says what: typed_keys.h */
	ACT_INTERRUPT, /* a client interrupted it */
	ACT_SENT,      /* a message went in */
	ACT_SETTLED,   /* a message has its last receipt */
};

/* What a client may ask. It answers with peer_reply() or peer_refuse(), now or
 * when the thing has happened; -1 refuses it with err. */
struct request {
	const char *cmd;
	enum {
		REQUEST_ANY = 0,
		REQUEST_USER = 1,    /* not of what runs in a session */
		REQUEST_RUNNING = 2, /* only while the harness runs */
		REQUEST_LINES = 4,   /* of who has no socket (headless/), and
				      * who has only those */
	} needs;
	int (*run)(struct peer *p, const cJSON *rq, int64_t seq,
		   struct err *err);
};

/* request.c: does what p asks, by the parts' tables. */
int request_run(struct peer *p, const cJSON *rq, struct err *err);

struct part {
	/* PART_OWN(door): sv->door is there, zeroed, before any hook is
	 * called, and is freed behind the last. */
	struct part_own {
		size_t size, at;
	} own;

	/* The process begins; after -1 it ends. */
	int (*init)(struct supervisor *sv, struct err *err);

	/* The harness runs, and has its terminal. */
	void (*start)(struct supervisor *sv);
	/* The session's phase says so now. */
	void (*running)(struct supervisor *sv);
	/* It printed this. */
	void (*output)(struct supervisor *sv, const char *data, size_t len);
	/* And this as its errors, where the backend has them apart. */
	void (*errors)(struct supervisor *sv, const char *data, size_t len);
	/* What of that may be shown as it is; the clipboard that it sets. */
	void (*pass)(struct supervisor *sv, const char *data, size_t len);
	void (*clipboard)(struct supervisor *sv, const char *text, size_t len);
	/* The same as it came, for replays: "hook" or "process". */
	void (*signal)(struct supervisor *sv, const char *name, const cJSON *o);
	/* A hook, the title or OSC 7501 told this. The verdict comes next. */
	void (*reading)(struct supervisor *sv, const struct reading *r);
	/* A look at the screen that was due was made. */
	void (*look)(struct supervisor *sv);
	/* The verdict is v: a part that knows more may change it. */
	void (*refine)(struct supervisor *sv, struct verdict *v);
	/* sv->verdict was asked anew; was: the one before. */
	void (*verdict)(struct supervisor *sv, const struct verdict *was);

	/* keys: flags, 0 but with ACT_TYPED. */
	void (*acted)(struct supervisor *sv, enum act what, unsigned keys);
	/* How far a message came (sender.h). True: who sent it was told. */
	bool (*receipt)(struct supervisor *sv, int64_t id, enum receipt r,
			bool last, const char *detail);
	/* The terminal took some of sv->input; or it never takes the last
	 * len bytes of it (maybe: nobody knows). */
	void (*taken)(struct supervisor *sv);
	void (*untaken)(struct supervisor *sv, size_t len, const char *why,
			bool maybe);
	/* People typed last past us at least so many ms ago; or one of
	 * TERMINAL_TYPED. */
	void (*typed_ago)(struct supervisor *sv, int64_t ms_ago);
	/* A message's Enter comes next; first: asked for it for the first time.
	 * True: it must wait. */
	bool (*hold_enter)(struct supervisor *sv, bool first);
	/* It has another size. */
	void (*resize)(struct supervisor *sv, int cols, int rows);

	/* This happened: it is in the history, and told now. */
	void (*event)(struct supervisor *sv, const char *name, const cJSON *o);
	/* The state is about to be written. */
	void (*state)(struct supervisor *sv);

	/* The harness is gone; is it too early to say so? Then the part calls
	 * nobody: its own process's end (reaped) brings the next question. What
	 * is left at kill_at (monotonic ms) is killed. The first that says yes
	 * is the last that is asked. */
	bool (*ending)(struct supervisor *sv, int64_t kill_at);
	/* That process is gone; true: it was this part's. */
	bool (*reaped)(struct supervisor *sv, pid_t pid, int wait_status);
	/* Appends its processes, which the harness's end spares, to a list that
	 * 0 ends. */
	void (*spare)(const struct supervisor *sv, pid_t *list);
	/* The harness was held to its end, which was so in words. */
	void (*unstarted)(struct supervisor *sv, const char *words);
	/* The harness is gone, why: before its last state is written; after. */
	void (*end)(struct supervisor *sv, const char *reason);
	void (*ended)(struct supervisor *sv, const char *reason);

	/* What clients may ask of it; ends with a zeroed one. */
	const struct request *requests;

	/* That client is gone. */
	void (*closed)(struct supervisor *sv, struct peer *p);

	/* The process ends. In the table's reverse order; also where init or
	 * start were not called, or init failed. */
	void (*finish)(struct supervisor *sv);
};

#define PART_OWN(field)                                                        \
	{                                                                      \
		sizeof *((struct supervisor *)NULL)->field,                    \
		    offsetof(struct supervisor, field)                         \
	}

/* EACH_PART(p, sv): a loop over all, *p is one. */
#define EACH_PART(p, sv)                                                       \
	for (const struct part *const *p = (sv)->parts; *p; p++)

/* PARTS(output, sv, data, len) calls that hook of each. */
#define PARTS(hook, ...)                                                       \
	do {                                                                   \
		EACH_PART (p_, PARTS_OF_(__VA_ARGS__, 0))                      \
			if ((*p_)->hook)                                       \
				(*p_)->hook(__VA_ARGS__);                      \
	} while (0)
#define PARTS_OF_(sv, ...) (sv)

void parts_create(struct supervisor *sv);
void parts_destroy(struct supervisor *sv);
int parts_init(struct supervisor *sv, struct err *err);
void parts_finish(struct supervisor *sv);

#endif
