/*
 * talk.h - what OpenCode's events say of its conversations; pure: no I/O.
 *
 * A program of OpenCode's has any number of conversations ("sessions" in its
 * words), most of them children that its agents started. The one that a user
 * wrote to last is ours. Words of the harness's are kept bounded, and checked
 * where they become part of a request: nothing it says is trusted.
 */
#ifndef AFW_OPENCODE_TALK_H
#define AFW_OPENCODE_TALK_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "opencode/choice.h"
#include "opencode/ids.h"

#define TALK_ID IDS_SIZE

struct talk;

/* Called from within the calls below. */
struct talk_events {
	void *ctx;
	/* What to tell the supervisor: the event "told" of wire/bridge.h,
	 * taken. Each only when it differs from the one before. */
	void (*told)(void *ctx, cJSON *o);
	/* A user's message was taken, by its id. Comes before what is told
	 * of it. Whether we have sent it. */
	bool (*took)(void *ctx, const char *message);
	/* An error while nothing works: a message may have come to nothing
	 * before its turn began; why. */
	void (*refused)(void *ctx, const char *why);
	/* Something does not fit together: ask for talk_states() again. */
	void (*doubt)(void *ctx);
	/* This message of the user's was taken, and nothing has worked since.
	 * Whether it is asked for again, so that it is worth waiting; false:
	 * it is nobody's to ask for. */
	bool (*left)(void *ctx, const char *message);
};

struct talk *talk_create(const struct talk_events *events);
void talk_destroy(struct talk *t); /* NULL is fine */

/* The data of one event of its stream. */
void talk_event(struct talk *t, const char *data, size_t len);

/*
 * What is so now, from requests; for after the stream began (again), and in
 * doubts. states: {"ses_…": {"type": "busy"}}; asked: permissions and
 * questions, as their lists come. All borrowed.
 *
 * Answers and events overtake each other. So talk_mark() comes before the
 * first request: whatever an event tells after it is left as it told. Is the
 * event the newer one, it is right; is the answer, then it says the same, or
 * the event that makes the difference is still to come.
 */
void talk_mark(struct talk *t);
void talk_states(struct talk *t, const cJSON *states);
void talk_asked(struct talk *t, const cJSON *permissions,
		const cJSON *questions);

/* The stream is gone: nothing is known any more but the conversation. */
void talk_lost(struct talk *t);

/* Whether id may be one of OpenCode's: letters, digits, '_', fewer than
 * TALK_ID bytes. */
bool talk_id_ok(const char *id);

/* What is asked at the moment: the i-th's id, NULL behind the last. */
const char *talk_question(const struct talk *t, size_t i);
/* Whether our conversation works. */
bool talk_works(const struct talk *t);
/* Whether all that is known of its turn is the message: no work yet. */
bool talk_begins(const struct talk *t);
/* Whether the end of the newest message's turn was seen. */
bool talk_ended(const struct talk *t);
/* The user wants the end of that turn: where it has not begun it is asked for
 * no more. */
void talk_stop(struct talk *t);
/* How many messages of the user's have come. */
size_t talk_messages(const struct talk *t);

/* Ours; "" where there is none (any more). set: one that was made or resumed;
 * gone: it was deleted. */
const char *talk_conversation(const struct talk *t);
void talk_set_conversation(struct talk *t, const char *id);
void talk_conversation_gone(struct talk *t);

/* Of the last message of a user's in it. Borrowed; agent "" where there was
 * none. */
const struct choice *talk_choice(const struct talk *t);

#endif
