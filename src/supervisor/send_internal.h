/* send_internal.h - the sender's inside; for send*.c only. */
#ifndef AFW_SUPERVISOR_SEND_INTERNAL_H
#define AFW_SUPERVISOR_SEND_INTERNAL_H

#include "base/buf.h"
#include "supervisor/send.h"

#define SEND_SETTLE_MS	     200   /* free for so long before a paste */
#define SEND_FIRST_SETTLE_MS 600   /* the same, before the very first */
#define SEND_TYPING_MS	     1000  /* after a person's last key */
#define SEND_HOOKLESS_MS     8000  /* a composer is there, but no hook came */
#define SEND_ABSENT_MS	     3000  /* a composer may be away for so long */
#define SEND_PERSON_MS	     1000  /* a draft or question may flicker */
#define SEND_SOFT_MS	     5000  /* then a short wait is told as QUEUED */
#define SEND_TURN_GAP_MS     1000  /* between an Enter and the next paste */
#define SEND_CLEAR_MS	     10000 /* our old draft must be gone */
#define SEND_STUCK_MS	     5000  /* the terminal takes nothing */
#define SEND_ECHO_MS	     3000  /* and 1 s for each 32 KiB */
#define SEND_SILENT_MS	     30000 /* the same, while it prints nothing */
#define SEND_PRINTS_MS	     500   /* what comes then was not on its way */
#define SEND_EATEN_MS	     4000  /* it prints, and what was pasted is gone */
#define SEND_LOOK_MS	     2000  /* an echo that flickers */
#define SEND_UPDATE_MS	     500   /* a picture drawn for longer is whole */
#define SEND_LINE_MS	     150   /* between lines that are typed */
#define SEND_CONFIRM_MS	     5000  /* and 1 s for each 64 KiB */
#define SEND_HOOK_MS	     8000  /* the same, where a hook must start */
#define SEND_SIGN_MS	     1000  /* for a sign of work after output */
#define SEND_PROMPT_MS	     1000  /* for the hook's prompt after a sign */
#define SEND_POLL_MS	     20	   /* while bytes are handed over */
#define SEND_ASK_AGAIN_MS    250   /* where tmux did not say who typed */
#define SEND_UNANSWERED_MS   5000  /* it does not say it at all */
#define SEND_WAIT_POLL_MS    2000  /* while a message waits */
#define SEND_QUEUE_MS	     ((int64_t)7 * 24 * 3600 * 1000) /* in all */
#define SEND_LINE_MAX	     4095 /* a line of a canonical terminal */

/* Steps of the first message of the queue. */
enum step {
	STEP_WAIT,    /* nothing typed yet */
	STEP_CLEAR,   /* until our own old draft is gone */
	STEP_PASTE,   /* bytes on their way */
	STEP_ECHO,    /* until the composer shows them */
	STEP_LOOK,    /* the delay before Enter, and the last look */
	STEP_LINE,    /* after the Enter of a line that is not the last */
	STEP_CONFIRM, /* after Enter */
};

/* Why nothing may be pasted now. */
enum obstacle {
	OBSTACLE_NONE,
	OBSTACLE_SETTLING, /* free, but not for long enough */
	OBSTACLE_BACKLOG,  /* the harness does not read */
	OBSTACLE_TYPING,
	OBSTACLE_SEEMS_BUSY, /* by its process alone: may be over soon */
	OBSTACLE_BUSY,
	OBSTACLE_STARTING, /* its composer was never seen */
	OBSTACLE_STRAY,	   /* a paste that may still come up */
	OBSTACLE_ABSENT,
	OBSTACLE_OWN_DRAFT, /* ours, put back by an interrupt */
	/* From here on a person has to act. */
	OBSTACLE_DRAFT,
	OBSTACLE_QUESTION,
	OBSTACLE_PASSWORD,
};

struct message {
	struct message *next;
	int64_t id, taken_at;
	int64_t waited_ms; /* before taken_at, in earlier lives */
	unsigned flags;
	char *text; /* filtered */
	size_t len;
	bool told;    /* QUEUED was reported */
	bool kept;    /* it is on disk */
	bool marked;  /* there as one that is being typed */
	bool cleared; /* our old draft was cleared for it: not twice */
};

/* What is known of keys that do not pass us (sender_ops.ask_typed). */
enum keys {
	KEYS_UNASKED,
	KEYS_ASKED,
	KEYS_ANSWERED, /* just now: good for this run */
};

/* A view that outlives the screen it was taken of. */
struct view_copy {
	struct view view;
	char *text; /* all rows */
	const char **rows;
};
void view_copy_set(struct view_copy *c, const struct view *v);
bool view_copy_same(const struct view_copy *c, const struct view *v);
void view_copy_finish(struct view_copy *c);

/* What was pasted and did not show, so that Enter was not pressed: it may
 * stand in the terminal's queue, and whatever follows would be behind it. */
struct stray {
	struct buf text; /* as pasted; empty: there is none */
	int64_t id;
	bool printed;	     /* the harness did, since it was handed over */
	bool seen;	     /* it was in the composer */
	int64_t empty_since; /* the composer is, after it printed; 0: not */
};

struct sender {
	const struct adapter *adapter;
	const struct rules *rules;
	const struct sender_ops *ops;
	void *ctx;
	bool may_send_busy;
	int enter_delay_ms, ready_timeout_ms;

	struct message *head, **tail;
	size_t count, bytes;
	int64_t last_id;
	bool stopped;
	bool running;	  /* inside run(): no second one */
	int64_t delay_ms; /* the timer that run() ends with */

	/* Waiting. */
	bool ready;	     /* its composer was seen once */
	bool hooked;	     /* a hook has spoken */
	int64_t ready_at;    /* since then */
	int64_t shown_since; /* its composer, before that; 0: not there */
	bool pasted_once;
	int64_t start_from;    /* the ready timeout counts from here */
	int64_t free_since;    /* 0: not free */
	int64_t blocked_since; /* by the same obstacle; 0: not blocked */
	enum obstacle blocked_by;
	int64_t entered_at, typed_at; /* 0: never */
	char waits_for[SEND_DETAIL];
	uint64_t entered_draft; /* look.draft when Enter was pressed last, … */
	uint64_t own_draft; /* … and of the last message if it was accepted */
	struct stray stray;

	/* The message under way. */
	enum step step;
	int64_t step_at, deadline;
	struct buf payload; /* guarded text, as the composer will show it */
	size_t line_at, line_len; /* the part of it that is typed now */
	bool bracketed, more;	  /* more: lines follow this one */
	struct buf out;		  /* bytes for the terminal, … */
	size_t out_at;		  /* … of which so many were taken */
	size_t backlog;		  /* at the last sign of progress */
	bool owes_end;		  /* a paste was broken off: end it */
	struct view_copy before;  /* the screen before the paste; after
				     Enter: before Enter */
	bool echo_before;	  /* the text seemed to stand there already */
	int64_t pasted_at;	  /* when the paste began */
	int64_t printed_at;	  /* first output after the paste; 0: none */
	int64_t printed_last;	  /* its last output of all */
	bool typed;		  /* a person typed since then */
	bool enter_open;	  /* an Enter may not have been taken yet */
	enum keys keys;
	int64_t asked_at;      /* the last time */
	int64_t unanswered_at; /* asked then and since: no answer; 0 */

	int64_t updating_at; /* the picture is not whole since; 0: it is */

	/* After Enter. */
	bool entered_again; /* it was pressed once more, or must not be */
	int64_t line_since; /* it was seen as a line break; 0: not */
	bool was_busy, was_busy_screen, mismatch, output_after, signs_seen;
	int64_t output_at;
	bool queued;		 /* it waits in the harness's own queue, … */
	bool queued_before;	 /* … where others waited before Enter */
	int64_t queued_at;	 /* it was last seen there; 0: never */
	const char *accepted_by; /* a reading confirmed it; NULL: none yet */
	const char *sign; /* of work, held for the hook's prompt; NULL: none */
	int64_t sign_at;
};

/* send_free.c: may something be pasted now? screen: look at the screen even
 * where a signal already says busy. why has SEND_DETAIL bytes. */
enum obstacle send_obstacle(struct sender *s, unsigned flags, bool screen,
			    char *why);
/* What of the terminal's state makes a text impossible; false with why. */
bool send_fits(struct sender *s, const struct view *v, const char *text,
	       size_t len, unsigned flags, char *why);
bool send_is_busy(const struct verdict *v);
/* False: whether somebody typed is still being asked; look again. */
bool send_keys_known(struct sender *s);

/* False: the picture is not whole (view.updating); look again soon. */
bool send_is_whole(struct sender *s, const struct view *v);

/* send_stray.c: the first message is given up before Enter. What of it may
 * still come up is kept; true where something may. */
bool send_stray_keep(struct sender *s);
/* Whether the composer holds it; drops it where it can come no more, or has
 * gone again. OBSTACLE_STRAY with why while it may come. */
enum obstacle send_stray_look(struct sender *s, const struct view *v,
			      enum composer composer, char *why);
bool send_stray_is_draft(struct sender *s, const struct view *v);
void send_stray_drop(struct sender *s);

/* send_wait.c: the first message m cannot go in because of o: true where that
 * ended it. */
bool send_wait_for(struct sender *s, struct message *m, enum obstacle o,
		   int64_t now, const char *why);
void send_tell_queued(struct sender *s, struct message *m, const char *why);
bool send_fail(struct sender *s, const char *why); /* returns true */
/* Whether somebody types is not known: the same. */
bool send_wait_for_keys(struct sender *s, struct message *m);

/* send_step.c: moves the first message on as far as it goes now. */
void send_run(struct sender *s);
int64_t send_now(const struct sender *s);
/* The first message is at this step from now on, at most for limit_ms. */
void send_enter_step(struct sender *s, enum step step, int64_t limit_ms);
/* Ends the first message as neither known to have arrived nor not; true. */
bool send_give_up(struct sender *s, const char *why);

/*
 * The steps: each looks at the world as it is now. True: the message moved
 * on or ended; false: send_later() says when to look again.
 */
bool send_step_wait(struct sender *s); /* send_paste.c */
bool send_step_clear(struct sender *s);
bool send_step_paste(struct sender *s);
bool send_step_echo(struct sender *s); /* send_enter.c */
bool send_step_look(struct sender *s);
bool send_step_line(struct sender *s);
bool send_step_confirm(struct sender *s); /* send_confirm.c */

/* send_enter.c: the Enter that became a line break (adapter.enter_became_line),
 * once more and never a third time. False: it was not pressed, the screen has
 * changed. */
bool send_enter_again(struct sender *s);

/* send_confirm.c: a reading that came after Enter. */
void send_confirm_reading(struct sender *s, const struct reading *r);

/* send_paste.c: m is about to be typed, which a supervisor that comes after us
 * has to know; false: not now. */
bool send_mark(struct sender *s, struct message *m);

/* send_paste.c: prepares the bytes of the line (or of the whole paste) that
 * is next, and goes to STEP_PASTE. */
void send_load_line(struct sender *s);

/* send_queue.c: puts a message on disk, if it is not, and a disk is there. */
int send_keep(struct sender *s, struct message *m, struct err *err);
/* Takes it out of the queue and frees it, without a word. */
void send_forget(struct sender *s, struct message *m);

/* send.c: the first message is done. */
void send_finish(struct sender *s, enum receipt r, const char *detail);
void send_tell(struct sender *s, struct message *m, enum receipt r,
	       const char *detail);
void send_later(struct sender *s, int64_t delay_ms);
void send_message_free(struct message *m);

#endif
