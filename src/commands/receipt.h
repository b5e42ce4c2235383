/* receipt.h - says how far a message came, for each session it went to. */
#ifndef AFW_COMMANDS_RECEIPT_H
#define AFW_COMMANDS_RECEIPT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "session/session.h"

struct receipts {
	const struct session_list *list;
	const char *what; /* "send to": for what went wrong */
	bool json;
	bool keys;	/* keys were pressed: they have no receipt */
	bool approval;	/* an approval was answered: there is no text */
	bool answers;	/* the turn was waited for: print what it said */
	size_t dropped; /* bytes left out before it was handed over */
	int *codes;	/* of each session, -1: not yet */
};

/* codes is made here; to be freed by receipts_finish(). */
void receipts_init(struct receipts *r, const struct session_list *list);
void receipts_finish(struct receipts *r);

/* A broadcast_fn; ctx is a struct receipts. */
void receipts_say(void *ctx, size_t i, const cJSON *reply,
		  const struct err *err);

/* The exit code: of the first session, as they were named, where it is not
 * 0. */
int receipts_code(const struct receipts *r);

#endif
