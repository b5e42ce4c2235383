/*
 * lesson.h - proposes a [harness.NAME] section from screens that a person has
 * shown: which rows are there only while the program works, only in its
 * dialog, and where a draft appeared.
 *
 * Pure. Patterns are escaped text in which numbers, spinners, quoted commands
 * and the directory are replaced; one that fits any row is never proposed.
 */
#ifndef AFW_ADAPTERS_SCREEN_LESSON_H
#define AFW_ADAPTERS_SCREEN_LESSON_H

#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/mem.h"

/* What the person types; the text of the screens is compared with it. */
#define LESSON_TEXT    "write a poem with 8 lines"
#define LESSON_COMMAND "touch afw-was-here"

enum lesson_step {
	LESSON_EMPTY,	 /* the empty composer */
	LESSON_DRAFT,	 /* LESSON_TEXT, not sent */
	LESSON_MESSAGE,	 /* it was sent, and the turn has ended */
	LESSON_APPROVAL, /* it asks whether it may run LESSON_COMMAND */
	LESSON_ANSWER,	 /* the question was answered, the turn has ended */
	LESSON_STEPS
};
extern const char *const lesson_names[LESSON_STEPS]; /* "empty", … */

struct lesson_screen {
	struct strv rows;  /* top to bottom, without blanks at their ends */
	struct strv solid; /* the same without dim text */
	int64_t ms;	   /* how long it was shown */
};

struct lesson {
	/* A pattern of words that a row may have others instead of: those of
	 * the command and of the directory. NULL: none. */
	const char *varies;
	/* The last screen of each step; without rows: it was skipped. */
	struct lesson_screen last[LESSON_STEPS];
	/* The screens between Enter and the end of LESSON_MESSAGE. */
	struct lesson_screen *working;
	size_t nworking;
};

/* Returns the section, {"key": ["value", …]}, as for rules_create(), to be
 * deleted. What the screens do not show is left out. */
cJSON *lesson_propose(const struct lesson *l);

void lesson_screen_finish(struct lesson_screen *s);
void lesson_finish(struct lesson *l);

#endif
