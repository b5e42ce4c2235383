/* send_receipt.h - asks sessions, and says how far a message came, for each
 * session it went to. */
#ifndef AFW_COMMANDS_SEND_RECEIPT_H
#define AFW_COMMANDS_SEND_RECEIPT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "session/session.h"

struct receipts {
	const struct session_list *list;
	const char *what; /* "send to": for what went wrong */
	bool json;
	bool keys;	/* keys were pressed: they have no receipt */
	bool approval;	/* an approval was answered: there is no text */
	bool answers;	/* the turn was waited for: print what it said */
	bool keep;	/* the message waits for who does not run */
	size_t dropped; /* bytes left out before it was handed over */
	int *codes;	/* of each session */
};

/*
 * Asks each session of list (broadcast(), or with keep keep_broadcast()), and
 * says what comes. Takes request. Returns the exit code: of the first session,
 * as they were named, where it is not 0.
 */
int receipts_ask(struct receipts *r, const struct session_list *list,
		 cJSON *request, int64_t timeout_ms);

#endif
