/*
 * part.h - what the supervisor is made of.
 *
 * A part is one task of a session besides running its harness, with its own
 * state, descriptors and timers. The core (supervisor.c, harness*.c) calls the
 * hooks of all parts in the order of one table (session_parts.c) and knows none
 * of them by name. A part may call what another part's header offers. Any hook
 * may be NULL.
 */
#ifndef AFW_SUPERVISOR_PART_H
#define AFW_SUPERVISOR_PART_H

#include <stddef.h>

#include "supervisor/supervisor.h"
#include "wire/requests.h"

/* What was done to the harness. */
enum act {
	ACT_TYPED,     /* a person typed; keys: what, see typed_keys.h */
	ACT_INTERRUPT, /* a client interrupted it */
	ACT_SENT,      /* a message's Enter was pressed */
	ACT_SETTLED,   /* a message has its final receipt */
};

/* Carries out a request, whose members are checked: answers with peer_reply()
 * or peer_reply_error(), now or later; if it returns -1, the request is refused
 * with err. rq is gone afterwards; its lists may be taken out. */
struct request_handler {
	enum request_id id;
	int (*run)(struct peer *p, struct request *rq, struct err *err);
};

/* request.c. Reads a request of p, checks it, and has its part run it. */
int request_run(struct peer *p, const cJSON *o, struct err *err);

struct part {
	/* PART_OWN(door): sv->door is allocated and zeroed before any hook is
	 * called, and freed after the last. */
	struct part_own {
		size_t size, at;
	} own;

	/* The process begins; if it returns -1, the process ends. */
	int (*init)(struct supervisor *sv, struct err *err);

	/* The harness is running and has its terminal. */
	void (*start)(struct supervisor *sv);
	/* The session's phase is now running. */
	void (*running)(struct supervisor *sv);
	/* The harness has printed data. */
	void (*output)(struct supervisor *sv, const char *data, size_t len);
	/* The same for its error output, if the backend has it separately. */
	void (*errors)(struct supervisor *sv, const char *data, size_t len);
	/* pass: the part of it that may be shown unchanged; clipboard: what it
	 * sets the clipboard to. */
	void (*pass)(struct supervisor *sv, const char *data, size_t len);
	void (*clipboard)(struct supervisor *sv, const char *text, size_t len);
	/* A signal as it came, for replays: "hook" or "process". */
	void (*signal)(struct supervisor *sv, const char *name, const cJSON *o);
	/* A hook, the title or OSC 7501 reported r. The verdict follows. */
	void (*reading)(struct supervisor *sv, const struct reading *r);
	/* The screen was checked because that was due. */
	void (*screen_read)(struct supervisor *sv);
	/* The verdict is v: a part that knows more may change it. */
	void (*refine)(struct supervisor *sv, struct verdict *v);
	/* sv->verdict was computed; was: the one before. */
	void (*verdict)(struct supervisor *sv, const struct verdict *was);

	/* It may press keys now (typist.h). Returns true if it may decide only
	 * on what the harness shows at this moment: that is read, and it is
	 * called again at once with fresh. */
	bool (*type)(struct supervisor *sv, bool fresh);
	/* keys: flags with ACT_TYPED, otherwise 0. */
	void (*acted)(struct supervisor *sv, enum act what, unsigned keys);
	/* taken: the terminal took some of the queued input. untaken: it will
	 * never take the last len bytes of it (maybe: that is unknown). */
	void (*taken)(struct supervisor *sv);
	void (*untaken)(struct supervisor *sv, size_t len, const char *why,
			bool maybe);
	/* People last typed directly into the terminal at least ms_ago ms ago;
	 * or it is one of TERMINAL_TYPED. */
	void (*typed_ago)(struct supervisor *sv, int64_t ms_ago);
	/* A message's Enter comes next; first: this is the first call for it.
	 * Returns true if it must wait. */
	bool (*hold_enter)(struct supervisor *sv, bool first);
	/* Returns whether the next message may not be typed yet, and sets *why.
	 */
	enum withheld (*withhold)(struct supervisor *sv, const char **why);
	/* The terminal's size was changed. */
	void (*resize)(struct supervisor *sv, int cols, int rows);

	/* An event was added to the history, and is sent to clients now. */
	void (*event)(struct supervisor *sv, const char *name, const cJSON *o);
	/* The state is about to be written. */
	void (*state)(struct supervisor *sv);

	/* The harness has exited. Returns true if a process of this part must
	 * end before the session is over; its end (reaped) causes the next
	 * call. Processes left at kill_at (monotonic ms) are killed. After a
	 * part that returns true, no further part is called. */
	bool (*ending)(struct supervisor *sv, int64_t kill_at);
	/* A child was reaped. Returns whether it was this part's. */
	bool (*reaped)(struct supervisor *sv, pid_t pid, int wait_status);
	/* Appends this part's processes, which the end of the harness spares,
	 * to a list that ends with 0. */
	void (*spare)(const struct supervisor *sv, pid_t *list);
	/* The harness ended while it was held; words: the reason. */
	void (*unstarted)(struct supervisor *sv, const char *words);
	/* The harness has ended, for this reason: end() before its last state
	 * is written, ended() after. */
	void (*end)(struct supervisor *sv, const char *reason);
	void (*ended)(struct supervisor *sv, const char *reason);

	/* The requests that it carries out; ends with a zeroed one. */
	const struct request_handler *requests;

	/* Client p has disconnected. */
	void (*closed)(struct supervisor *sv, struct peer *p);

	/* The process ends. Called in the table's reverse order, even if init
	 * or start were not called or init failed. */
	void (*finish)(struct supervisor *sv);
};

#define PART_OWN(field)                                                        \
	{                                                                      \
		sizeof *((struct supervisor *)NULL)->field,                    \
		    offsetof(struct supervisor, field)                         \
	}

/* EACH_PART(p, sv) loops over all parts; *p is one. */
#define EACH_PART(p, sv)                                                       \
	for (const struct part *const *p = (sv)->parts; *p; p++)

/* PARTS(output, sv, data, len) calls that hook of each part. */
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
