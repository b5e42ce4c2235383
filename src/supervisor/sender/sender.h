/*
 * sender.h - types messages into the harness's composer, each once, and reports
 * how far each one came.
 *
 * One message is under way (sender.c describes its steps); the others are files
 * in the session's queue (session/disk/queue.h). The next one is taken when the
 * harness is free again. A message is typed again only if its Enter was not
 * pressed (sender_type.c). All other I/O goes through the ops, so that
 * tests can use a scripted terminal.
 *
 * A final SUBMITTED means that the harness has nothing to confirm a message
 * with.
 *
 * To add a receipt, begin in enum receipt; then add its name and exit code
 * (receipts[] in sender_confirm.c), its text (commands/send_receipt.c) and the
 * call that reports it: sender_end(), or ops->receipt() if it is not the last.
 * Three places decide by elimination: sender_end() in sender_queue.c,
 * report_undelivered() and tell_clients() in messages.c.
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
	RECEIPT_QUEUED,	     /* queued; nothing is typed yet */
	RECEIPT_PASTED,	     /* the composer shows it */
	RECEIPT_SUBMITTED,   /* Enter was pressed */
	RECEIPT_ACCEPTED,    /* the harness accepted it */
	RECEIPT_UNCONFIRMED, /* typed; it is unknown whether it was accepted */
	RECEIPT_REFUSED,     /* nothing was typed: an obstacle is in the way */
	RECEIPT_FAILED,	     /* nothing was typed: it cannot be delivered */
};
const char *receipt_name(enum receipt r);   /* "queued", … */
enum err_kind receipt_code(enum receipt r); /* afw's exit code */

enum withheld {
	WITHHELD_NOT,
	WITHHELD_MOMENT,
	WITHHELD_BUDGET, /* until the user allows more */
};

/* Called only from within the functions below. query_typed, hold_enter and
 * withhold may be NULL, and then mean 0 and false; so may may_type: true. */
struct sender_ops {
	/* write() puts bytes for the terminal into a bounded queue, never
	 * blocks, and returns how many it took. backlog() returns how many of
	 * them the terminal has not read yet. */
	size_t (*write)(void *ctx, const char *data, size_t len);
	size_t (*backlog)(void *ctx);
	/* Returns whether no other source is typing (typist.h). */
	bool (*may_type)(void *ctx);
	/* The screen, borrowed until the next output. */
	void (*view)(void *ctx, struct screen_view *out);
	void (*verdict)(void *ctx, struct verdict *out);
	/* Sets the line discipline's modes; false if they are unknown. */
	bool (*tty)(void *ctx, bool *canonical, bool *echo);
	/* Asks when people last typed directly into the terminal. Returns 1 if
	 * sender_typed_ago() will follow, -1 if it cannot be asked now, and 0
	 * if people can type only through the supervisor. */
	int (*query_typed)(void *ctx);
	/* Enter comes next, if the screen allows it; first: this is the first
	 * call for it. Returns true if it must wait. */
	bool (*hold_enter)(void *ctx, bool first);
	/* Returns whether the next message may not be typed yet, and sets *why
	 * to a text that stays. */
	enum withheld (*withhold)(void *ctx, const char **why);
	int64_t (*now)(void *ctx); /* monotonic ms */
	/* Calls sender_run() after delay_ms, or earlier. */
	void (*later)(void *ctx, int64_t delay_ms);
	/* Reports that an unconfirmed message was accepted after all. */
	void (*accepted)(void *ctx, int64_t id);
	/* Reports how far message id came; last: this is its final receipt.
	 * Never called from within sender_submit(). Call activity_sent() at a
	 * SUBMITTED that is not the last. */
	void (*receipt)(void *ctx, int64_t id, enum receipt r, bool last,
			const char *detail);
};

enum sender_flag { /* same values as in queue.h */
		   SENDER_RAW =
		       QUEUE_RAW, /* no guard; without bracketed paste, each
				     line gets an Enter of its own */
		   SENDER_NOW = QUEUE_NOW, /* type it into the busy harness
					      (may_send_busy) */
		   SENDER_WHEN_IDLE =
		       QUEUE_WHEN_IDLE, /* never refused: waits for a free
					   composer or the next start; stored at
					   once */
};

/* Creates a sender. adapter, rules (may be NULL), ops and ctx are borrowed.
 * Call sender_restore() next. */
struct sender *sender_create(const struct adapter *adapter,
			     const struct rules *rules,
			     const struct sender_ops *ops, void *ctx);
void sender_destroy(struct sender *s); /* reports nothing; NULL is allowed */

struct sender_taken {
	int64_t id;	/* message number, from 1 */
	size_t dropped; /* bytes that the filter removed */
	/* Why it is queued: the caller reports this, no receipt does. "":
	 * receipts will report it. */
	char waits[64];
};

/*
 * Accepts a message, or refuses it at once and changes nothing:
 *   ERR_USAGE        nothing to send; --now, but the harness cannot take it;
 *                    lines that this terminal cannot receive
 *   ERR_REFUSED      an approval, dialog or password prompt is up, or the
 *                    composer holds a draft
 *   ERR_LIMIT        too large, or the queue is full
 *   ERR_NOT_RUNNING  after sender_stop(), except with SENDER_WHEN_IDLE
 * Typing begins with the next sender_run().
 */
int sender_submit(struct sender *s, const char *text, size_t len,
		  unsigned flags, struct sender_taken *out, struct err *err);
/*
 * Opens the queue in this session's directory (borrowed). Call it before
 * everything else. Messages that an earlier supervisor left there come first,
 * or get their final receipt. unread (may be NULL) is set if some could not be
 * read.
 */
void sender_restore(struct sender *s, const char *session_dir,
		    struct err *unread);
/* Reads the queue again, because another process may have changed it: at once,
 * or with the next sender_run(). */
void sender_reread_queue(struct sender *s);
void sender_queue_changed(struct sender *s);
int64_t sender_last(const struct sender *s); /* the last number */

/*
 * Moves the message under way on as far as possible: only this function types.
 * Returns true if its next step may decide only on what the harness shows at
 * this moment: then the caller reads all that was printed (which may call any
 * other function here), and calls it again with fresh before anything else
 * happens.
 */
bool sender_run(struct sender *s, bool fresh);

/* To be called when the screen has changed; when a reading came (after
 * activity_reading()); when the verdict has changed or write()'s queue was
 * drained. They type nothing. */
void sender_screen_changed(struct sender *s);
void sender_reading(struct sender *s, const struct reading *r);
void sender_wake(struct sender *s);
/* Reports lost input: the last bytes that write() took, as many as lost and all
 * of the backlog, never arrive (maybe: it is unknown whether they do). why is a
 * text for the user. */
void sender_write_failed(struct sender *s, size_t lost, const char *why,
			 bool maybe);
/* sender_user_typed(): a person typed (typed_keys.h). sender_typed_ago() is the
 * answer to query_typed(): people last typed at least ms_ago ms ago; or it is
 * one of TERMINAL_TYPED. It holds for the sender_run() that follows at once. */
void sender_user_typed(struct sender *s);
void sender_typed_ago(struct sender *s, int64_t ms_ago);

/* Returns whether a paste is being handed over, which is short: hold back other
 * keys until then. */
bool sender_holds_keys(const struct sender *s);
/* Returns whether a message is between its paste and its Enter, when another
 * key would spoil it. */
bool sender_is_typing(const struct sender *s);

/* Returns the text of the message under way (borrowed), or "". */
const char *sender_text(const struct sender *s);

size_t sender_queued(const struct sender *s); /* how many are not finished */
/* sender_wait_reason() returns what the first message waits for, or "".
 * sender_needs_person() returns whether only a person can end that. */
const char *sender_wait_reason(const struct sender *s);
bool sender_needs_person(const struct sender *s);
/* Returns whether a message was left in the composer that a person has to
 * clear, and how to clear it: why has SENDER_DETAIL bytes. */
bool sender_has_leftover(const struct sender *s, char *why);

/* Appends an object for each message (afw-protocol(7), queue). */
int sender_list(const struct sender *s, cJSON *list, struct err *err);
/* Cancels a queued message: FAILED, SENDER_CANCELLED. Fails with ERR_CONFLICT
 * if it is being typed or there is no such message. */
int sender_cancel(struct sender *s, int64_t id, struct err *err);
/* Moves message id ahead of message before; fails like sender_cancel(). */
int sender_move(struct sender *s, int64_t id, int64_t before, struct err *err);

/* Types no message until sender_release(), for this reason (borrowed); may be
 * repeated. ERR_REFUSED if one is being delivered. */
int sender_hold(struct sender *s, const char *why, struct err *err);
void sender_release(struct sender *s);
/* Messages up to this number wait for a login; 0: none. */
void sender_hold_queued(struct sender *s, int64_t last);

/* The harness has exited: ends the message under way as FAILED or UNCONFIRMED.
 * Stored messages stay queued. */
void sender_stop(struct sender *s, const char *reason);
bool sender_stopped(const struct sender *s);

/*
 * Returns whether prompt, as a hook reported it, can be this text. A reported
 * prompt is printable, has changed white space, and may be cut after prompt_max
 * bytes or at the end of a line. Returns true for an empty prompt, which proves
 * nothing.
 */
bool prompt_is_of(const char *text, size_t len, const char *prompt,
		  size_t prompt_max);

#endif
