/* sender_internal.h - the sender's internals; for sender*.c only. */
#ifndef AFW_SUPERVISOR_SENDER_SENDER_INTERNAL_H
#define AFW_SUPERVISOR_SENDER_SENDER_INTERNAL_H

#include "base/buf.h"
#include "supervisor/sender/sender.h"

#define POLL_MS		20 /* while a message is under way */
#define SETTLE_MS	200 /* idle for this long before a paste; between lines */
#define FIRST_SETTLE_MS 600 /* OpenCode loses input before it is ready */
#define WHOLE_MS	500 /* a screen that is drawn for longer is complete */
#define STALL_MS	500 /* the timer is this late: the machine was stalled */
#define PAUSE_MS	1000 /* after a key, an Enter, a sign of work */
#define RECHECK_MS	2000 /* an echo that flickers; while a message is queued */
#define FLICKER_MS	3000  /* a redraw may show the composer, or hide it */
#define HOLD_MS		3000  /* Enter waits this long for hold_enter() */
#define STUCK_MS	5000  /* no progress for this long is reported */
#define ACT_MS		8000  /* for a hook, or a draft that is being cleared */
#define SILENT_MS	30000 /* a harness that prints nothing may be stopped */
#define QUEUE_MS	((int64_t)7 * 24 * 3600 * 1000) /* in the queue, in all */

/* Why nothing may be pasted now. */
enum obstacle {
	OBSTACLE_NONE,
	OBSTACLE_MOMENT,     /* ends soon: a key, an Enter, a stuck terminal */
	OBSTACLE_SEEMS_BUSY, /* only its process, or its last hooks, say so */
	OBSTACLE_BUSY,
	OBSTACLE_STARTING, /* its composer was not seen yet */
	OBSTACLE_KEYS,	   /* it is unknown whether a person is typing */
	/* From here on a person may have to act. */
	OBSTACLE_LEFTOVER, /* a paste that may still appear */
	OBSTACLE_BUDGET,   /* it is used up */
	OBSTACLE_ABSENT,
	OBSTACLE_OWN_DRAFT, /* our own text, restored by an interrupt */
	OBSTACLE_DRAFT,
	OBSTACLE_OPEN, /* something else is shown in its place */
	OBSTACLE_QUESTION,
	OBSTACLE_PASSWORD,
};

/* The steps of the message under way. */
enum step {
	STEP_WAIT,    /* nothing typed yet */
	STEP_PASTE,   /* until all bytes were taken */
	STEP_ECHO,    /* until the composer shows them */
	STEP_CHECK,   /* the delay before Enter, and the last check */
	STEP_LINE,    /* after the Enter of a line that is not the last */
	STEP_CONFIRM, /* after Enter */
};

struct message {
	int64_t id, taken_at;
	unsigned flags;
	char *text; /* filtered */
	size_t len;
	bool reported;	  /* QUEUED was reported */
	bool stored;	  /* it is stored on disk */
	bool cleared;	  /* our old draft was cleared for it; not done twice */
	bool clears_more; /* there are more keys for that, behind a pause */
	size_t clear_at;  /* of adapter_clear() */
	int tries;	  /* it was typed so often without an Enter */
};

/* A copy of a view that stays valid when the screen changes. */
struct view_copy {
	struct screen_view view;
	char **rows; /* and after them the solid ones */
};

struct sender {
	const struct adapter *adapter;
	const struct rules *rules;
	const struct sender_ops *ops;
	void *ctx;
	const char *dir; /* session directory, which holds the queue */

	struct message *message; /* under way, or next; NULL: none */
	size_t files;		 /* in the queue when it was last read */
	bool stale;		 /* the queue has changed since */
	int64_t last_id;
	int64_t earlier;  /* last message of earlier supervisors, */
	int64_t began_at; /* and when this one began after it */
	bool stopped;
	const char *held; /* why it may not type; or NULL */
	int64_t held_to;  /* messages up to this one wait for a login */
	bool fresh; /* all that was printed is read, nothing typed since */
	bool wants_fresh;   /* a step goes on only then */
	int64_t due;	    /* when sender_run() is due; 0: never */
	int64_t stalled_at; /* the machine was stalled until then; 0: never */

	/* Whether it may type. */
	bool ready;	       /* the composer was seen once */
	bool hooked;	       /* a hook has reported */
	int64_t shown_since;   /* the composer, before ready; 0: not shown */
	int64_t free_since;    /* 0: not free */
	int64_t blocked_since; /* by the same obstacle; 0: not blocked */
	enum obstacle blocked_by;
	char waits_for[SENDER_DETAIL];
	int64_t entered_at, typed_at; /* 0: never */
	uint64_t entered_draft; /* shown.draft when Enter was last pressed, … */
	uint64_t own_draft; /* … and of the last message, if it was accepted */
	int64_t updating_at; /* screen incomplete since; 0: complete */
	/* Keys that do not pass the supervisor (sender_ops.query_typed). */
	enum { KEYS_UNASKED, KEYS_ASKED, KEYS_KNOWN /* in this run */ } keys;
	int64_t ask_at; /* do not ask earlier */
	/* A text that was pasted and, as far as is known, not accepted. */
	struct {
		struct buf text; /* empty: there is none */
		int64_t id;
		bool seen;    /* it was shown; else it may still appear */
		bool typed;   /* a person has typed into the composer since */
		bool left;    /* it is there, and a person has to clear it */
		bool entered; /* Enter was pressed */
		bool held;    /* it was not: its message is queued again, … */
		bool shown;   /* … and was in the composer since then */
		bool turned;  /* … and a turn began with another text */
		/* … and a person has sent it, or perhaps together with other
		 * text. */
		enum { SENT_NOT, SENT_PERHAPS, SENT_IT } sent;
		bool printed; /* the harness has printed since it was handed
				 over */
		int64_t empty_since; /* the composer, after that; 0: no */
	} leftover;

	/* The message under way. */
	enum step step;
	int64_t step_at, deadline;
	struct buf payload;	  /* as the composer will show it, guarded */
	size_t line_at, line_len; /* the part of payload that is being typed */
	bool bracketed, more;	  /* more: lines follow this one */
	size_t out_len;		  /* bytes handed over */
	size_t backlog;		  /* at the last sign of progress */
	struct view_copy before;  /* the screen before the paste, or Enter */
	bool echo_before;	  /* the text already seemed to be there */
	int64_t pasted_at;
	int64_t printed_at;   /* first output after paste or Enter; 0: none */
	int64_t printed_last; /* its last output at all */
	bool typed;	      /* a person typed since the paste */

	/* After Enter. */
	bool enter_open;    /* it may not have been taken yet */
	bool entered_again; /* it was pressed again, or is about to be */
	bool was_busy;	    /* before Enter */
	bool queued_before; /* its own queue held messages before Enter */
	bool queued;	    /* this message is in the harness's own queue */
	int64_t queued_at;  /* it was last seen in that queue; 0: never */
	bool mismatch;	    /* the harness accepted another text */
	const char *accepted_by; /* source that confirmed it; NULL: none */
	const char *sign; /* source that shows work, used if no hook follows */
	int64_t sign_at;
};

/*
 * The files; each calls only those after it: sender.c, the machine, its events
 * and a new message; sender_type.c and sender_confirm.c, the steps;
 * sender_queue.c; sender_composer.c; sender_leftover.c; sender_message.c.
 */

static inline int64_t sender_now(const struct sender *s)
{
	return s->ops->now(s->ctx);
}

static inline bool sender_is_busy(enum activity a)
{
	return a == ACTIVITY_WORKING || a == ACTIVITY_THINKING;
}

static inline void sender_read_screen(struct sender *s, struct screen_view *v,
				      struct screen_state *shown)
{
	s->ops->view(s->ctx, v);
	adapter_read_screen(s->adapter, s->rules, v, shown);
}

/* sender_composer.c */
void sender_later(struct sender *s, int64_t delay_ms);
/* Returns whether the screen is that of this moment; if not, the step returns
 * false, and is called again when it is. */
bool sender_is_fresh(struct sender *s);
/* Moves the message to this step, which lasts limit_ms at most. */
void sender_enter_step(struct sender *s, enum step step, int64_t limit_ms);
/* Returns what prevents a paste now. all: check the screen even if a signal
 * already says busy. why has SENDER_DETAIL bytes. */
enum obstacle sender_obstacle(struct sender *s, unsigned flags, bool all,
			      char *why);
/* Records that the composer is shown, for the time when it no longer is, and
 * what happened to a message that was left in it. */
void sender_note_screen(struct sender *s);
bool sender_is_canonical(struct sender *s, bool *asks_password);
/* Both return false if it is not known yet, or the screen is not complete yet;
 * then call them again later. */
bool sender_keys_known(struct sender *s);
bool sender_is_whole(struct sender *s, const struct screen_view *v);

/* Returns false with why if the harness may read the text as a command. */
bool sender_may_be_text(const struct sender *s, const char *text, size_t len,
			unsigned flags, char *why);
/* Returns false with why if the state of the terminal makes it impossible to
 * type the text. */
bool sender_can_type(const struct screen_view *v, const char *text, size_t len,
		     unsigned flags, char *why);

/* sender_message.c. Appends what can be typed of text; returns the number of
 * bytes that are left out. */
size_t sender_filter(const struct sender *s, const char *text, size_t len,
		     unsigned flags, struct buf *out);
/* Creates a message; takes text over. */
struct message *message_create(const struct sender *s, int64_t id,
			       unsigned flags, struct buf *text);
void message_free(struct message *m); /* NULL is allowed */
void view_copy_set(struct view_copy *c, const struct screen_view *v);
void view_copy_finish(struct view_copy *c);

/* sender_queue.c */
/* sender_end() ends the message under way with its final receipt;
 * sender_give_up() if it is unknown whether it arrived. Both return true. */
bool sender_end(struct sender *s, enum receipt r, const char *detail);
bool sender_give_up(struct sender *s, const char *why);
/* Returns whether its text may be in the composer. */
bool sender_is_typed(const struct sender *s, const struct message *m);
/* Stores it on disk, once. */
int sender_store(struct sender *s, struct message *m, struct err *err);
/* Records that obstacle o holds the message back; returns true if that ended
 * the message. */
bool sender_record_obstacle(struct sender *s, enum obstacle o, const char *why);
/* Called between two steps: takes the next message from the queue if none is
 * under way. Returns whether there is one. */
bool sender_fetch(struct sender *s);

/* sender_leftover.c. */
/* Keeps what the message under way may have left in the composer. Returns true
 * if it may still appear there. */
bool sender_record_leftover(struct sender *s);
void sender_drop_leftover(struct sender *s);
/* Records that a person typed, perhaps into the composer. */
void sender_note_typed(struct sender *s);
void sender_describe_leftover(const struct sender *s, char *why);
bool sender_is_held(const struct sender *s); /* the message under way */
/* Returns whether there is one, which may be shown later or be sent. */
bool sender_leftover_may_appear(struct sender *s, const struct screen_view *v,
				enum composer composer);
/* Whether the draft is our own text, which may be cleared; or one that a person
 * has to clear. */
bool sender_is_own_draft(struct sender *s, const struct screen_view *v,
			 const struct screen_state *shown);
bool sender_is_left(struct sender *s, const struct screen_view *v,
		    const struct screen_state *shown);

/* Return true if the message moved on or ended, false if they called
 * sender_later(). */
bool sender_step_wait(struct sender *s); /* sender_type.c */
bool sender_step_paste(struct sender *s);
bool sender_step_echo(struct sender *s);
bool sender_step_check(struct sender *s);
bool sender_step_line(struct sender *s);
bool sender_step_confirm(struct sender *s); /* sender_confirm.c */
/* A reading after Enter; a turn that began, perhaps with the held message. */
void sender_confirm_reading(struct sender *s, const struct reading *r);
void sender_note_turn(struct sender *s, const struct reading *r);

#endif
