/*
 * send.h - messages into the harness's composer: once, or told otherwise
 * (DESIGN, "Send").
 *
 * A sender has a bounded queue and brings one message at a time, in order,
 * through these steps; the next one goes only when the harness is free
 * again.
 *
 *   wait     until the composer is free and empty         -> QUEUED
 *   paste    filtered and guarded, inside a bracketed paste
 *   echo     until the composer shows it, and it alone    -> PASTED
 *   look     after the adapter's enter delay, once more: no question, no
 *            password prompt, nobody typed, the text is still there
 *   Enter    once, never again                            -> SUBMITTED
 *   confirm  by hook, status, title or screen             -> ACCEPTED
 *
 * Whatever step fails, the message is not tried again, and what was pasted
 * is not taken away: clearing keys quit some harnesses when the composer is
 * empty after all (FACTS). Two drafts are cleared, where the adapter knows
 * how: exactly the last accepted message, put back by an interrupt; and, while
 * nobody has typed since, a paste that came up when its message had been given
 * up. While such a paste may still come, all others wait (send_stray.c). No
 * I/O of its own: everything goes through the ops, so that a scripted
 * terminal can stand in for a real one.
 *
 * Exit codes of `afw send`: ACCEPTED 0; QUEUED 0 where the caller does not
 * wait; a final SUBMITTED (a harness that has nothing to confirm with) and
 * UNCONFIRMED 8; REFUSED 9; FAILED 1.
 */
#ifndef AFW_SUPERVISOR_SEND_H
#define AFW_SUPERVISOR_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "adapters/rules.h"
#include "base/err.h"
#include "session/queue.h"
#include "supervisor/activity.h"
#include "wire/protocol.h"

#define SEND_TEXT_MAX	     PROTOCOL_TEXT_MAX
#define SEND_QUEUE_MAX	     QUEUE_MAX
#define SEND_QUEUE_BYTES_MAX QUEUE_BYTES_MAX
#define SEND_DETAIL	     256
#define SEND_CANCELLED	     "cancelled: nothing was typed"
#define SEND_NEXT_START	     "it waits for the next start"

enum receipt {
	RECEIPT_QUEUED,	     /* waits; nothing typed yet */
	RECEIPT_PASTED,	     /* the composer shows it */
	RECEIPT_SUBMITTED,   /* Enter was pressed */
	RECEIPT_ACCEPTED,    /* the harness took it */
	RECEIPT_UNCONFIRMED, /* typed, perhaps taken: nobody knows */
	RECEIPT_REFUSED, /* nothing was typed: something stands in the way */
	RECEIPT_FAILED,	 /* nothing was typed: it cannot be delivered */
};
const char *receipt_name(enum receipt r); /* "queued", … */
/* ERR_NONE, ERR_UNCONFIRMED, ERR_REFUSED, ERR_FAILED: afw's exit code. */
enum err_kind receipt_code(enum receipt r);

struct sender;

/* All are called from within the calls below only; none may stop or destroy
 * the sender. */
struct sender_ops {
	/*
	 * Takes bytes for the terminal into a bounded queue, never blocks;
	 * returns how many it took. As good as at once they are written.
	 */
	size_t (*write)(void *ctx, const char *data, size_t len);
	/* Bytes of that queue which the terminal has not taken yet. */
	size_t (*backlog)(void *ctx);
	/*
	 * Reads what the harness has printed until now, without blocking and
	 * bounded, so that view() and verdict() are current. May call back
	 * sender_screen_changed() and sender_reading(). NULL: does nothing.
	 */
	void (*refresh)(void *ctx);
	/* The screen now; borrowed until the next view() or refresh(). */
	void (*view)(void *ctx, struct view *out);
	void (*verdict)(void *ctx, struct verdict *out);
	/* The message waits: keeps it on disk, before QUEUED is told. And:
	 * it is about to be typed. -1 with err; both NULL: nothing is kept. */
	int (*keep)(void *ctx, int64_t id, unsigned flags, const char *text,
		    size_t len, struct err *err);
	int (*typing)(void *ctx, int64_t id, struct err *err);
	/* The line discipline (tcgetattr() on the PTY's master); false where
	 * it cannot be known. */
	bool (*tty)(void *ctx, bool *canonical, bool *echo);
	/* People may type past us: asks when they did last; 1: the answer
	 * will come as sender_typed_ago(), -1: it could not be asked now,
	 * 0: nobody can. NULL: as 0. */
	int (*ask_typed)(void *ctx);
	int64_t (*now)(void *ctx); /* monotonic ms */
	/* The one timer: calls sender_timer() once after delay_ms; replaces
	 * an earlier one; -1 stops it. */
	void (*timer)(void *ctx, int64_t delay_ms);
	/*
	 * How far message id came. last: no more receipts of it. QUEUED comes
	 * only where the message has to wait for the harness, and once; none
	 * from within sender_submit(). SUBMITTED comes when Enter is pressed,
	 * and once more as the last where the harness shows no more. Call
	 * activity_sent() at SUBMITTED with last false.
	 */
	void (*receipt)(void *ctx, int64_t id, enum receipt r, bool last,
			const char *detail);
};

enum sender_flag {
	SENDER_RAW = QUEUE_RAW, /* no guard: the text as it is, after the
				   filter; where the terminal has no bracketed
				   paste, each line with an Enter of its own */
	SENDER_NOW = QUEUE_NOW, /* into the busy harness (may_send_busy) */
	SENDER_FIRST_TASK = 4,	/* never refused because of a question or a
				   draft: waits for the start to be over,
				   however long that takes; kept at once */
	SENDER_WHEN_IDLE = 8,	/* never refused: waits for a free composer,
				   or the next start */
};

/* adapter, rules (may be NULL), ops and ctx are borrowed. */
struct sender *sender_create(const struct adapter *adapter,
			     const struct rules *rules,
			     const struct sender_ops *ops, void *ctx);
void sender_destroy(struct sender *s); /* silent; NULL does nothing */

struct sender_taken {
	int64_t id;	/* counts from 1 */
	size_t dropped; /* bytes that the filter took away */
	bool waits;	/* for the next start: no receipt comes any more */
};

/*
 * Takes a message, or refuses it at once with nothing changed:
 *   ERR_USAGE        nothing to send; --now with a harness that cannot;
 *                    lines that this terminal cannot be given
 *   ERR_REFUSED      an approval, dialog or password prompt is up, or the
 *                    composer holds somebody's draft
 *   ERR_LIMIT        too large, or the queue is full
 *   ERR_NOT_RUNNING  after sender_stop(), but for SENDER_WHEN_IDLE
 * Never types by itself: the work begins with the next sender_timer().
 */
int sender_submit(struct sender *s, const char *text, size_t len,
		  unsigned flags, struct sender_taken *out, struct err *err);

/* A message that was kept, from an earlier supervisor's life, since when it
 * has waited so long; in order, before any sender_submit(). It waits as with
 * SENDER_WHEN_IDLE, and without SENDER_NOW. */
void sender_restore(struct sender *s, int64_t id, unsigned flags,
		    int64_t waited_ms, const char *text, size_t len);

/* Numbers count on from last. And: the last one that there was. */
void sender_count_from(struct sender *s, int64_t last);
int64_t sender_last(const struct sender *s);

/* The harness printed something and the screen model has it. */
void sender_screen_changed(struct sender *s);
/* A reading arrived (OSC 7501, hook, title): after activity_reading(). */
void sender_reading(struct sender *s, const struct reading *r);
/* The verdict has changed, or the queue of write() has drained. */
void sender_wake(struct sender *s);
void sender_timer(struct sender *s);
/* Of what write() took, the last so many bytes, all that backlog() counted,
 * have not arrived and never will (maybe: nobody knows); why, in words. */
void sender_write_failed(struct sender *s, size_t lost, const char *why,
			 bool maybe);
/* A person typed into the harness (see typed_keys.h for what counts). */
void sender_user_typed(struct sender *s);
/* The answer to ask_typed(): at least so many ms ago, or one of
 * TERMINAL_TYPED (terminal.h); where that is UNKNOWN it is asked again. */
void sender_typed_ago(struct sender *s, int64_t ms_ago);

/*
 * True while a paste is being handed over: keys of attached terminals must
 * be held back (not lost), else they would land inside the message. It
 * becomes false within a few seconds whatever the harness does.
 */
bool sender_holds_keys(const struct sender *s);

/* True from the paste to the Enter: a key of others would spoil the message. */
bool sender_is_typing(const struct sender *s);

size_t sender_queued(const struct sender *s); /* not finished yet */
/* What the first message waits for, in words; "" where none waits. */
const char *sender_waits_for(const struct sender *s);
/* True where the first message has waited for a moment for what only a person
 * can end (a draft, a dialog). */
bool sender_needs_person(const struct sender *s);

struct sender_waiting {
	int64_t id, waited_ms;
	unsigned flags;
	bool typing; /* from the paste on: cannot be cancelled */
	const char *text;
	size_t len;
};

/* Calls fn for each message that is not finished, in order; all borrowed. */
void sender_list(const struct sender *s,
		 void (*fn)(void *ctx, const struct sender_waiting *w),
		 void *ctx);

/* Ends one that waits: its last receipt is FAILED, "cancelled". ERR_CONFLICT
 * where it is being typed, or there is none of that number. */
int sender_cancel(struct sender *s, int64_t id, struct err *err);

/* The harness is gone: what waits is FAILED (what is kept on disk stays there),
 * what is under way UNCONFIRMED, with reason. Later submits are refused. */
void sender_stop(struct sender *s, const char *reason);
bool sender_stopped(const struct sender *s);

#endif
