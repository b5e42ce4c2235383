/*
 * sender.h - messages into the harness's composer: once, or told otherwise
 * (DESIGN, "Send").
 *
 * One message is under way (how: sender.c), the others are files in the
 * session's queue (session/disk/queue.h): the next one is taken when the
 * harness is free again. Whatever fails, it is not tried again. All other I/O
 * goes through the ops, so that a scripted terminal can stand in for a real
 * one.
 *
 * A final SUBMITTED is of a harness that has nothing to confirm with.
 *
 * A new receipt begins here, in enum receipt; then its name and exit code
 * (receipts[] in sender_confirm.c), its words (commands/send_receipt.c) and the
 * call that gives it: sender_end(), or ops->receipt() if it is not the last.
 * Three places decide by elimination: sender_end() in sender_message.c,
 * tell_unheard() in post.c, tell() in receipts.c.
 */
#ifndef AFW_SUPERVISOR_SENDER_SENDER_H
#define AFW_SUPERVISOR_SENDER_SENDER_H

#include "activity/activity.h"
#include "adapters/screen/rules.h"
#include "session/disk/queue.h"
#include "wire/protocol.h"

#define SENDER_DETAIL	  256
#define SENDER_CANCELLED  "cancelled: nothing was typed"
#define SENDER_NEXT_START "it waits for the next start"

enum receipt {
	RECEIPT_QUEUED,	     /* waits; nothing typed yet */
	RECEIPT_PASTED,	     /* the composer shows it */
	RECEIPT_SUBMITTED,   /* Enter was pressed */
	RECEIPT_ACCEPTED,    /* the harness took it */
	RECEIPT_UNCONFIRMED, /* typed, perhaps taken: nobody knows */
	RECEIPT_REFUSED, /* nothing was typed: something stands in the way */
	RECEIPT_FAILED,	 /* nothing was typed: it cannot be delivered */
};
const char *receipt_name(enum receipt r);   /* "queued", … */
enum err_kind receipt_code(enum receipt r); /* afw's exit code */

/* Called from within the calls below only. ask_typed NULL: as 0; before_enter
 * and holds_enter NULL: nothing to wait for. */
struct sender_ops {
	/* Takes bytes for the terminal into a bounded queue, never blocks;
	 * returns how many. And how many of those it has not taken yet. */
	size_t (*write)(void *ctx, const char *data, size_t len);
	size_t (*backlog)(void *ctx);
	/* Reads what the harness has printed until now, without blocking, so
	 * that view() (borrowed until the next one) and verdict() are current.
	 * May call back sender_screen_changed() and sender_reading(). */
	void (*refresh)(void *ctx);
	void (*view)(void *ctx, struct screen_view *out);
	void (*verdict)(void *ctx, struct verdict *out);
	/* The line discipline; false where it cannot be known. */
	bool (*tty)(void *ctx, bool *canonical, bool *echo);
	/* Asks when people typed last past us; 1: sender_typed_ago() comes,
	 * -1: cannot be asked now, 0: nobody can type so. */
	int (*ask_typed)(void *ctx);
	/* Enter comes next, if the screen allows it; true: not yet. */
	void (*before_enter)(void *ctx);
	bool (*holds_enter)(void *ctx);
	int64_t (*now)(void *ctx); /* monotonic ms */
	/* The one timer: sender_timer() once after delay_ms; -1 stops it. */
	void (*timer)(void *ctx, int64_t delay_ms);
	/* How far message id came; last: no more of it. None from within
	 * sender_submit(). Call activity_sent() at SUBMITTED, last false. */
	void (*receipt)(void *ctx, int64_t id, enum receipt r, bool last,
			const char *detail);
};

enum sender_flag {			   /* as in queue.h */
		   SENDER_RAW = QUEUE_RAW, /* no guard; where there is no
					      bracketed paste, each line with an
					      Enter of its own */
		   SENDER_NOW =
		       QUEUE_NOW, /* into the busy harness (may_send_busy) */
		   SENDER_WHEN_IDLE =
		       QUEUE_WHEN_IDLE, /* never refused: waits for a free
			     composer, or the next start; kept at once */
};

/* adapter, rules (may be NULL), ops and ctx are borrowed. sender_restore()
 * comes next. */
struct sender *sender_create(const struct adapter *adapter,
			     const struct rules *rules,
			     const struct sender_ops *ops, void *ctx);
void sender_destroy(struct sender *s); /* silent; NULL does nothing */

struct sender_taken {
	int64_t id;	/* counts from 1 */
	size_t dropped; /* bytes that the filter took away */
	/* Why it is queued: say so, no receipt does. "": the receipts will. */
	char waits[64];
};

/*
 * Takes a message, or refuses it at once with nothing changed:
 *   ERR_USAGE        nothing to send; --now with a harness that cannot;
 *                    lines that this terminal cannot be given
 *   ERR_REFUSED      an approval, dialog or password prompt is up, or the
 *                    composer holds somebody's draft
 *   ERR_LIMIT        too large, or the queue is full
 *   ERR_NOT_RUNNING  after sender_stop(), but for SENDER_WHEN_IDLE
 * The work begins with the next sender_timer().
 */
int sender_submit(struct sender *s, const char *text, size_t len,
		  unsigned flags, struct sender_taken *out, struct err *err);
/*
 * Before all else: the queue is in this session's directory (borrowed), and
 * what an earlier supervisor has left there comes first, or its last receipt.
 * unread (may be NULL) is filled where not all could be read.
 */
void sender_restore(struct sender *s, const char *session_dir,
		    struct err *unread);
/* Somebody else may have changed the queue. */
void sender_look(struct sender *s);
int64_t sender_last(const struct sender *s); /* the last number */

/* The screen has changed; a reading came (after activity_reading()); the
 * verdict has changed, or write()'s queue has drained: from anywhere. */
void sender_screen_changed(struct sender *s);
void sender_reading(struct sender *s, const struct reading *r);
void sender_wake(struct sender *s);
void sender_timer(struct sender *s);
/* Of what write() took the last so many bytes, all of the backlog, have not
 * arrived and never will (maybe: nobody knows); why, in words. */
void sender_write_failed(struct sender *s, size_t lost, const char *why,
			 bool maybe);
/* A person typed (typed_keys.h); the answer to ask_typed(): at least so many
 * ms ago, or one of TERMINAL_TYPED. */
void sender_user_typed(struct sender *s);
void sender_typed_ago(struct sender *s, int64_t ms_ago);

/* While a paste is handed over, soon over: keys of others are held back. */
bool sender_holds_keys(const struct sender *s);
/* From the paste to the Enter: a key of others would spoil the message. */
bool sender_is_typing(const struct sender *s);

size_t sender_queued(const struct sender *s); /* not finished yet */
/* What the first one waits for, or ""; whether a person has to end that. */
const char *sender_waits_for(const struct sender *s);
bool sender_needs_person(const struct sender *s);
/* Whether one was left in the composer that a person has to clear, and how:
 * why has SENDER_DETAIL bytes. */
bool sender_has_left(const struct sender *s, char *why);

/* Appends an object for each (afw-protocol(7), queue). */
int sender_list(const struct sender *s, cJSON *list, struct err *err);
/* Ends one that waits: FAILED, SENDER_CANCELLED. ERR_CONFLICT where it is
 * being typed, or there is none of that number. */
int sender_cancel(struct sender *s, int64_t id, struct err *err);
/* Puts one in front of another; refused as cancelling either is. */
int sender_move(struct sender *s, int64_t id, int64_t before, struct err *err);

/* The harness is gone: FAILED or UNCONFIRMED; what is kept on disk stays. */
void sender_stop(struct sender *s, const char *reason);
bool sender_stopped(const struct sender *s);

#endif
