/*
 * word.h - what a session does, in one word: the same on every screen, in
 * messages and in the filter. JSON has the phase and the activity (phase.h).
 */
#ifndef AFW_SESSION_WORD_H
#define AFW_SESSION_WORD_H

#include "session/phase.h"

/* In the order of urgency: lists begin with those that need the user. */
enum word {
	WORD_WAITING,
	WORD_FAILED,
	WORD_DONE,
	WORD_WORKING,
	WORD_STARTING,
	WORD_STOPPING,
	WORD_IDLE,
	WORD_CREATED,
	WORD_SUSPENDED,
	WORD_STOPPED,
	WORD_COUNT,
};

/* The activity is used only while the phase is running, or created and waiting
 * for another session that needs the user. */
enum word word_of(enum phase phase, enum activity activity);

const char *word_name(enum word w); /* "waiting" */
const char *word_help(enum word w); /* what it means, in a short sentence */

/* Returns -1 if name is not one of them. */
int word_parse(const char *name, enum word *out);

#endif
