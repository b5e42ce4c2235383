/*
 * usage_limit.h - reads an agent's message about a limit: why the agent cannot
 * continue, and until when.
 *
 * The words must be the agent's own (a hook's error, a row that only its
 * program can draw), never the model's: the caller makes sure of that. The
 * wordings were recorded from Claude Code 2.1, Codex 0.171, Gemini CLI 0.61 and
 * OpenCode 1.18.
 */
#ifndef AFW_ADAPTERS_USAGE_LIMIT_H
#define AFW_ADAPTERS_USAGE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

enum usage_limit_reason {
	LIMIT_NONE,
	LIMIT_USAGE,   /* of the subscription, for hours */
	LIMIT_WEEKLY,  /* of the subscription, for the week */
	LIMIT_MODEL,   /* of one model */
	LIMIT_CREDIT,  /* nothing left that is paid for */
	LIMIT_RATE,    /* requests per minute */
	LIMIT_BUSY,    /* the server has too much to do */
	LIMIT_CONTEXT, /* the conversation is too long */
	LIMIT_LOGIN    /* the user has to log in first */
};

/* "usage limit", "no credit left", … for people and JSON; "" for none. */
const char *usage_limit_name(enum usage_limit_reason r);

struct usage_limit {
	enum usage_limit_reason reason;
	int64_t until; /* wall ms; 0: unknown */
};

/*
 * Reads such words. It knows times as "resets 4:17pm (UTC)", in any zone of
 * this system, "try again at 4:40 PM", in local time, and "Resets in 7260s". A
 * time without a date is the next such time from the minute of now (wall ms)
 * on; a time more than a year away is ignored. Returns false if the words are
 * not about a limit.
 */
bool usage_limit_read(const char *words, int64_t now, struct usage_limit *out);

#endif
