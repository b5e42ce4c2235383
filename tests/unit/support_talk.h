/*
 * support_talk.h - a talk that hears of any events, and what it tells. What
 * goes wrong fails the test.
 */
#ifndef AFW_TESTS_SUPPORT_TALK_H
#define AFW_TESTS_SUPPORT_TALK_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "opencode/talk.h"

struct talk_log {
	struct talk *talk;
	struct buf log; /* what was told, a line each, short */
	int doubts;
	bool ours; /* messages: when left they are asked for again … */
	int asked; /* … so often */
	cJSON *last;
};

void talk_log_init(struct talk_log *l);
/* One in which ses_1 works at msg_1; that was told and is forgotten. */
void talk_log_init_busy(struct talk_log *l);
void talk_log_finish(struct talk_log *l);

/* An event; one that session (and what it does) has changed; an error, in
 * JSON, of ses_1's; a message of the user's; a part of an answer. */
void talk_log_feed(struct talk_log *l, const char *type,
		   const char *properties);
void talk_log_status(struct talk_log *l, const char *session, const char *type);
void talk_log_error(struct talk_log *l, const char *error);
void talk_log_message(struct talk_log *l, const char *session, const char *id,
		      const char *text);
void talk_log_answer(struct talk_log *l, const char *session, const char *id,
		     const char *part, const char *text);

/* That has been told since the last time, and nothing else. */
void talk_log_expect(struct talk_log *l, const char *log);
/* ses_1 is idle; line is part of what has been told by then. */
void talk_log_expect_idle(struct talk_log *l, const char *line);

#endif
