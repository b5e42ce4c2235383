/* sender_composer.h - may I type? For sender*.c only. */
#ifndef AFW_SUPERVISOR_SENDER_SENDER_COMPOSER_H
#define AFW_SUPERVISOR_SENDER_SENDER_COMPOSER_H

#include "supervisor/sender/sender.h"

/* Why nothing may be pasted now. */
enum obstacle {
	OBSTACLE_NONE,
	OBSTACLE_MOMENT,     /* over soon: a key, an Enter, a stuck terminal */
	OBSTACLE_SEEMS_BUSY, /* by its process alone, or its last hooks */
	OBSTACLE_BUSY,
	OBSTACLE_STARTING, /* its composer was never seen */
	OBSTACLE_KEYS,	   /* whether somebody types is not known */
	/* From here on a person may have to act. */
	OBSTACLE_STRAY, /* a paste that may still come up */
	OBSTACLE_ABSENT,
	OBSTACLE_OWN_DRAFT, /* ours, put back by an interrupt */
	OBSTACLE_DRAFT,
	OBSTACLE_OPEN, /* something else in its place */
	OBSTACLE_QUESTION,
	OBSTACLE_PASSWORD,
};

/* May something be pasted now? all: look at the screen even
 * where a signal already says busy. why has SENDER_DETAIL bytes. */
enum obstacle sender_obstacle(struct sender *s, unsigned flags, bool all,
			      char *why);
/* Notes that its composer is there, for the time when it no longer is; and what
 * has become of a message that was left in it. */
void sender_note_screen(struct sender *s);
bool sender_is_canonical(struct sender *s, bool *asks_password);
bool sender_is_busy(enum activity a);
/* False: not known, not whole yet; look again. */
bool sender_keys_known(struct sender *s);
bool sender_is_whole(struct sender *s, const struct screen_view *v);
/* The first message is given up. What of it may be left in the composer is
 * kept; true where it may still come up there. */
bool sender_keep_stray(struct sender *s);
/* A person typed: whether into the composer where that may be. */
void sender_type_beside(struct sender *s);
void sender_drop_stray(struct sender *s);

/* What of the terminal's state makes a text impossible; false with why. */
bool sender_fits(const struct screen_view *v, const char *text, size_t len,
		 unsigned flags, char *why);
#endif
