/* talk_internal.h - what talk*.c share: a conversation and its turn. */
#ifndef AFW_OPENCODE_TALK_INTERNAL_H
#define AFW_OPENCODE_TALK_INTERNAL_H

#include "opencode/answer.h"
#include "opencode/choice.h"
#include "opencode/ids.h"
#include "opencode/questions.h"
#include "opencode/talk.h"

#define TALK_TEXT 200

struct talk {
	struct talk_events ev;
	char conversation[TALK_ID];
	struct ids children, busy, seen; /* seen: messages of the user's */
	struct questions questions;
	struct ids heard; /* of these events have told since talk_mark() */

	/* The turn. */
	char fresh[TALK_ID];   /* a message whose turn was not told yet */
	bool begun;	       /* a message came, but no "busy" since */
	size_t messages;       /* … have come */
	int doubts;	       /* how often that was asked about */
	char message[TALK_ID]; /* the newest */
	bool asked_for;	       /* it was left, and is asked for again */
	bool stopped;	       /* the user wants its end */
	bool ended;	       /* a turn has ended: completed, not idle */
	bool interrupted;
	bool failed;
	char retry[TALK_TEXT], error[TALK_TEXT];

	struct answer answer;
	struct choice choice; /* the last message's */

	char *last; /* what was told last, as text */
};

/* Our conversation works. */
void talk_begun(struct talk *t);
/* What is so now, to the supervisor; nothing where it was told already. */
void talk_look(struct talk *t);
/* As talk_look(), with: a turn has started, by that prompt; or ended. */
void talk_turn_started(struct talk *t, const char *prompt);
void talk_turn_ended(struct talk *t);

#endif
