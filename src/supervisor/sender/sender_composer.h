/* sender_composer.h - whether the sender may type now. For sender*.c only. */
#ifndef AFW_SUPERVISOR_SENDER_SENDER_COMPOSER_H
#define AFW_SUPERVISOR_SENDER_SENDER_COMPOSER_H

#include "supervisor/sender/sender.h"

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
	OBSTACLE_ABSENT,
	OBSTACLE_OWN_DRAFT, /* our own text, restored by an interrupt */
	OBSTACLE_DRAFT,
	OBSTACLE_OPEN, /* something else is shown in its place */
	OBSTACLE_QUESTION,
	OBSTACLE_PASSWORD,
};

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
#endif
