/*
 * usage_limit.h - what an agent says of a limit: why it cannot continue, and
 * until when.
 *
 * The words are the agent's own (a hook's error, a row that only its program
 * can draw), never the model's: who calls this has to know that. The wordings
 * were recorded of Claude Code 2.1, Codex 0.171, Gemini CLI 0.61 and OpenCode
 * 1.18.
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
 * Reads such words. Times are taken as they come: "resets 4:17pm (UTC)" without
 * a date, in any zone of this system, "try again at 4:40 PM" in local time,
 * "Resets in 7260s"; of a time without a date the next one counts, from the
 * minute of now (wall ms) on, and none that is more than a year away.
 * Returns false for words that are of no limit.
 */
bool usage_limit_read(const char *words, int64_t now, struct usage_limit *out);

#endif
