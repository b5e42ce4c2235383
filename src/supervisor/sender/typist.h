/*
 * typist.h - owns the input of the agent's terminal: who types, and when.
 *
 * Who may press keys now: a person always, except that during a paste the keys
 * wait for its end; a message, an answer and keys by name only while no message
 * and no answer is being typed.
 */
#ifndef AFW_SUPERVISOR_SENDER_TYPIST_H
#define AFW_SUPERVISOR_SENDER_TYPIST_H

#include "supervisor/supervisor.h"

enum hand {
	HAND_PERSON,  /* the keys as they were pressed */
	HAND_KEYS,    /* keys by name, for a client */
	HAND_MESSAGE, /* the sender */
	HAND_ANSWER,  /* approval/answer.c; an interrupt asks nobody */
};

/* Decides that; if hand may not press keys now, fails with ERR_REFUSED. */
int typist_check_turn(const struct supervisor *sv, enum hand hand,
		      struct err *err);

/* An answer is being typed, until it is set to false: after its last key. */
void typist_set_answering(struct supervisor *sv, bool answering);

/* The same for an interrupt, whose keys a message and an answer wait for. */
void typist_set_interrupting(struct supervisor *sv, bool interrupting);

/* Replies to request seq of p when the terminal has taken all that was pressed
 * for it. interrupt: if it has not, the turn was not interrupted. */
void typist_reply_when_taken(struct peer *p, int64_t seq, bool interrupt);

/* Presses all keys or none, if hand may; otherwise, or if the harness does not
 * read its input, fails with ERR_REFUSED. */
int typist_press(struct supervisor *sv, enum hand hand, const struct buf *keys,
		 struct err *err);

/* Passes on what came from a person's terminal, perhaps after a paste. If there
 * is no room, read no more from it until the hook taken(). */
void typist_pass(struct supervisor *sv, const char *data, size_t len);
bool typist_has_room(const struct supervisor *sv);

/* Calls the hook type() of all parts after delay_ms, or earlier. */
void typist_later(struct supervisor *sv, int64_t delay_ms);

/* What the sender types with; without receipt and accepted. ctx: the
 * supervisor. */
extern const struct sender_ops typist_ops;

#endif
