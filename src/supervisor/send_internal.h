/* send_internal.h - the sender's inside; for send*.c only. */
#ifndef AFW_SUPERVISOR_SEND_INTERNAL_H
#define AFW_SUPERVISOR_SEND_INTERNAL_H

#include "base/buf.h"
#include "supervisor/send.h"

#define SEND_SETTLE_MS	     200  /* free for so long before a paste */
#define SEND_FIRST_SETTLE_MS 600  /* the same, before the very first */
#define SEND_TYPING_MS	     1000 /* after a person's last key */
#define SEND_ABSENT_MS	     3000 /* a composer may be away for so long */
#define SEND_SOFT_MS	     5000 /* then a short wait is told as QUEUED */
#define SEND_TURN_GAP_MS     1000 /* between an Enter and the next paste */
#define SEND_CLEAR_MS	     2000 /* our old draft must be gone */
#define SEND_STUCK_MS	     5000 /* the terminal takes nothing */
#define SEND_ECHO_MS	     3000 /* and 1 s for each 32 KiB */
#define SEND_LOOK_MS	     2000 /* an echo that flickers */
#define SEND_LINE_MS	     150  /* between lines that are typed */
#define SEND_CONFIRM_MS	     5000 /* and 1 s for each 64 KiB */
#define SEND_HOOK_MS	     8000 /* the same, where a hook must start */
#define SEND_SIGN_MS	     1000 /* for a sign of work after output */
#define SEND_POLL_MS	     20	  /* while bytes are handed over */
#define SEND_WAIT_POLL_MS    2000 /* while a message waits */
#define SEND_QUEUE_MS	     (12 * 60 * 60 * 1000) /* the longest wait */
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
	unsigned flags;
	char *text; /* filtered */
	size_t len;
	bool told;    /* QUEUED was reported */
	bool cleared; /* our old draft was cleared for it: not twice */
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
	bool ready; /* its composer was seen once */
	bool pasted_once;
	int64_t start_from;    /* the ready timeout counts from here */
	int64_t free_since;    /* 0: not free */
	int64_t blocked_since; /* by the same obstacle; 0: not blocked */
	enum obstacle blocked_by;
	int64_t entered_at, typed_at; /* 0: never */
	char waits_for[SEND_DETAIL];
	struct buf accepted; /* the last message, if it was accepted */

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
	bool typed;		  /* a person typed since the paste began */

	/* After Enter. */
	bool was_busy, was_busy_screen, mismatch, output_after, signs_seen;
	int64_t output_at;
	const char *accepted_by; /* a reading confirmed it; NULL: none yet */
};

/* send_free.c: may something be pasted now? screen: look at the screen even
 * where a signal already says busy. why has SEND_DETAIL bytes. */
enum obstacle send_obstacle(struct sender *s, unsigned flags, bool screen,
			    char *why);
/* What of the terminal's state makes a text impossible; false with why. */
bool send_fits(struct sender *s, const struct view *v, const char *text,
	       size_t len, unsigned flags, char *why);
bool send_is_busy(const struct verdict *v);

/* send_wait.c: the first message m cannot go in because of o: true where that
 * ended it. */
bool send_wait_for(struct sender *s, struct message *m, enum obstacle o,
		   int64_t now, const char *why);
void send_tell_queued(struct sender *s, struct message *m, const char *why);
bool send_fail(struct sender *s, const char *why); /* returns true */

/* send_step.c: moves the first message on as far as it goes now. */
void send_run(struct sender *s);

/* send.c: the first message is done. */
void send_finish(struct sender *s, enum receipt r, const char *detail);
void send_tell(struct sender *s, struct message *m, enum receipt r,
	       const char *detail);
void send_later(struct sender *s, int64_t delay_ms);

#endif
