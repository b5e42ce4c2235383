/* reading.h - what one signal says about a harness. */
#ifndef AFW_ADAPTERS_READING_H
#define AFW_ADAPTERS_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "session/phase.h"
#include "session/tokens.h"

/* The source of a reading, in the order of rank, best first. */
enum source {
	SOURCE_PROGRAM_STATUS, /* OSC 7501 */
	SOURCE_HOOK,
	SOURCE_TITLE, /* terminal title, and the harness's status files */
	SOURCE_SCREEN,
	SOURCE_PROCESS, /* /proc: a secondary signal */
	SOURCE_TOOL,	/* af_subtask_state: idle, with a question */
	SOURCE_COUNT,
};
const char *source_name(enum source s); /* "osc7501", "hook", … */

#define READING_TEXT   200
#define READING_TURN   40
#define READING_ANSWER 3072

/* The detail for the trust question, whatever the harness's wording. */
#define READING_TRUST "asks whether it may trust this directory"

/* What one signal says about the harness. */
struct reading {
	enum source source;
	enum activity activity; /* ACTIVITY_NONE: unknown */
	bool question;		/* waiting: an approval or a dialog is up, and
				   Enter would answer it */
	bool late; /* waiting: reported some seconds late, so it may be over */
	/* waiting: a turn failed, as the user has to log in again. The composer
	 * is free, and the next message ends it. */
	bool login;
	/* detail is the harness's own words on a limit (usage_limit.h), for
	 * which it has ended its turn, or waits in it. */
	bool limited;
	/* A conversation has begun; forked: as a copy of another one. */
	bool began, forked;
	bool turn_started; /* a message was accepted (UserPromptSubmit), not by
			      a sub-agent */
	bool turn_ended;
	bool interrupted; /* turn_ended, or on the screen: by the user */
	bool failed;	  /* the turn ended in an error of the harness */
	/* turn_ended: without an answer, by an error or an interrupt, which
	 * another signal reports, perhaps a moment later. */
	bool unanswered;
	/* A tool has ended: a digest of its call and its result; 0: none has.
	 */
	uint64_t call;
	/* turn_ended: what it has used, if a hook reports it, and the model. */
	struct tokens tokens;
	char model[READING_TURN];
	char detail[READING_TEXT];	 /* what it asks or does; printable */
	char conversation[READING_TEXT]; /* the harness's own id, or "" */
	char prompt[READING_TEXT]; /* turn_started: the start of the text */
	char turn[READING_TURN];   /* the harness's own id of its turn, or "" */
	/* turn_ended: the harness's last message as the event has it, raw but
	 * UTF-8; answer_cut: it may be cut. See adapter_last_answer(). */
	char answer[READING_ANSWER];
	bool answer_cut;
};

/* Stores text as the answer of a reading, cut to its size. */
void adapter_answer(struct reading *out, const char *text);

#endif
