/* sender_internal.h - the sender's inside; for sender*.c only. */
#ifndef AFW_SUPERVISOR_SENDER_SENDER_INTERNAL_H
#define AFW_SUPERVISOR_SENDER_SENDER_INTERNAL_H

#include "base/buf.h"
#include "supervisor/sender/sender.h"
#include "supervisor/sender/sender_composer.h"

#define POLL_MS		20  /* while something is under way */
#define SETTLE_MS	200 /* free for so long before a paste; between lines */
#define FIRST_SETTLE_MS 600 /* OpenCode loses what comes before it is ready */
#define WHOLE_MS	500 /* a picture drawn for longer is whole */
#define STALL_MS	500 /* a timer so late: the machine stood still */
#define PAUSE_MS	1000  /* after a key, an Enter, a sign of work */
#define LOOK_MS		2000  /* an echo that flickers; while a message waits */
#define FLICKER_MS	3000  /* a redraw may bring it, or take it away */
#define HOLD_MS		3000  /* Enter waits this long for holds_enter() */
#define STUCK_MS	5000  /* nothing moves: that is told */
#define ACT_MS		8000  /* for a hook, or a draft that is cleared */
#define SILENT_MS	30000 /* it prints nothing: it may be stopped */
#define QUEUE_MS	((int64_t)7 * 24 * 3600 * 1000) /* in all */

/* Steps of the message under way. */
enum step {
	STEP_WAIT,    /* nothing typed yet */
	STEP_PASTE,   /* bytes on their way */
	STEP_ECHO,    /* until the composer shows them */
	STEP_LOOK,    /* the delay before Enter, and the last look */
	STEP_LINE,    /* after the Enter of a line that is not the last */
	STEP_CONFIRM, /* after Enter */
};

struct message {
	int64_t id, taken_at;
	unsigned flags;
	char *text; /* filtered */
	size_t len;
	bool told;    /* QUEUED was reported */
	bool kept;    /* it is on disk */
	bool cleared; /* our old draft was cleared for it: not twice */
};

/* A view that outlives the screen it was taken of. */
struct view_copy {
	struct screen_view view;
	char **rows; /* and then the solid ones */
};

struct sender {
	const struct adapter *adapter;
	const struct rules *rules;
	const struct sender_ops *ops;
	void *ctx;
	const char *dir; /* of the session: its queue */

	struct message *message; /* under way, or next; NULL: none */
	size_t files;		 /* in the queue when it was looked at last */
	bool stale;		 /* it has changed since */
	int64_t last_id;
	int64_t earlier;  /* the last one of earlier lives, */
	int64_t began_at; /* which this one has followed */
	bool stopped;
	bool running;	    /* inside sender_run(): no second one */
	int64_t delay_ms;   /* the timer that it ends with */
	int64_t due;	    /* when that fires; 0: never */
	int64_t stalled_at; /* the machine stood still up to then; 0: never */

	/* May I type? */
	bool ready;	       /* its composer was seen once */
	bool hooked;	       /* a hook has spoken */
	int64_t shown_since;   /* its composer, before that; 0: not there */
	int64_t free_since;    /* 0: not free */
	int64_t blocked_since; /* by the same obstacle; 0: not blocked */
	enum obstacle blocked_by;
	char waits_for[SENDER_DETAIL];
	int64_t entered_at, typed_at; /* 0: never */
	uint64_t entered_draft; /* look.draft when Enter was pressed last, … */
	uint64_t own_draft; /* … and of the last message if it was accepted */
	int64_t updating_at; /* the picture is not whole since; 0: it is */
	/* Keys that do not pass us (sender_ops.ask_typed). */
	enum { KEYS_UNASKED, KEYS_ASKED, KEYS_KNOWN /* in this run */ } keys;
	int64_t ask_at; /* not earlier */
	/* What was pasted and, for all that is known, not taken. */
	struct {
		struct buf text; /* empty: there is none */
		int64_t id;
		bool seen;    /* it showed; else it may still come up */
		bool typed;   /* a person typed into the composer since */
		bool left;    /* it is there, and a person has to clear it */
		bool printed; /* the harness did, since it was handed over */
		int64_t empty_since; /* the composer is, after that; 0: not */
	} stray;

	/* The message under way. */
	enum step step;
	int64_t step_at, deadline;
	struct buf payload; /* guarded text, as the composer will show it */
	size_t line_at, line_len; /* the part of it that is typed now */
	bool bracketed, more;	  /* more: lines follow this one */
	size_t out_len;		  /* handed over */
	size_t backlog;		  /* at the last sign of progress */
	struct view_copy before;  /* the screen before the paste, or Enter */
	bool echo_before;	  /* the text seemed to stand there already */
	int64_t pasted_at;
	int64_t printed_at;   /* first output after paste or Enter; 0: none */
	int64_t printed_last; /* its last output of all */
	bool typed;	      /* a person typed since the paste */

	/* After Enter. */
	bool enter_open;    /* it may not have been taken yet */
	bool entered_again; /* it was pressed once more, or is about to be */
	bool was_busy;	    /* before it; */
	bool queued_before; /* so many waited in the harness's own queue */
	bool queued;	    /* it waits there */
	int64_t queued_at;  /* it was last seen there; 0: never */
	bool mismatch;	    /* the harness took another text */
	const char *accepted_by; /* a reading confirmed it; NULL: none yet */
	const char *sign; /* of work, held for the hook's prompt, or NULL */
	int64_t sign_at;
};

/*
 * The files, each of which calls those below it alone: sender.c, the machine
 * and its events; sender_submit.c; sender_type.c and sender_confirm.c, the
 * steps; sender_queue.c; sender_message.c; sender_composer.c; sender_step.c.
 */

/* sender_step.c */
int64_t sender_now(const struct sender *s);
void sender_later(struct sender *s, int64_t delay_ms);
void sender_set_timer(struct sender *s); /* to delay_ms */
void sender_see(struct sender *s, struct screen_view *v, struct look *look);
/* The message is at this step from now on, at most for limit_ms. */
void sender_enter_step(struct sender *s, enum step step, int64_t limit_ms);

/* sender_message.c. What can be typed of text, appended; returns the bytes that
 * are left out. */
size_t sender_filter(const struct sender *s, const char *text, size_t len,
		     unsigned flags, struct buf *out);
/* Takes text. */
struct message *message_create(const struct sender *s, int64_t id,
			       unsigned flags, struct buf *text);
void message_free(struct message *m); /* NULL does nothing */
/* Ends the message under way; give_up: as neither known to have arrived nor
 * not. Both return true. */
bool sender_end(struct sender *s, enum receipt r, const char *detail);
bool sender_give_up(struct sender *s, const char *why);
/* From here on its text may stand in the composer. */
bool sender_is_typed(const struct sender *s, const struct message *m);
/* Puts it on disk, once. */
int sender_keep(struct sender *s, struct message *m, struct err *err);
/* The message under way is none any more, without a word. */
void sender_dequeue(struct sender *s);
void view_copy_set(struct view_copy *c, const struct screen_view *v);
void view_copy_finish(struct view_copy *c);

/* True: the message moved on or ended; false: sender_later() was called. */
bool sender_step_wait(struct sender *s); /* sender_type.c */
bool sender_step_paste(struct sender *s);
bool sender_step_echo(struct sender *s);
bool sender_step_look(struct sender *s);
bool sender_step_line(struct sender *s);
bool sender_step_confirm(struct sender *s); /* sender_confirm.c */
void sender_confirm_reading(struct sender *s, const struct reading *r);

/* sender_queue.c: the message cannot go in because of o: true where that ended
 * it. */
bool sender_wait_for(struct sender *s, enum obstacle o, const char *why);
/* Between two steps: whether there is a message, from the queue if need be. */
bool sender_fetch(struct sender *s);

#endif
