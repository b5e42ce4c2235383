/* send_receipt.h - sends a request to sessions, and prints the receipt of
 * each. */
#ifndef AFW_COMMANDS_SEND_RECEIPT_H
#define AFW_COMMANDS_SEND_RECEIPT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "session/session.h"
#include "wire/requests.h"

#define RECEIPT_SLACK_MS 10000 /* for a supervisor that answers late */

struct receipts {
	const struct session_list *list;
	const char *what;  /* "send to", for errors */
	const char *about; /* which message, before its receipt; or NULL */
	bool json;
	bool keys;     /* keys were pressed, which have no receipt */
	bool approval; /* an approval was answered, so there is no text */
	bool answers;  /* the turn was waited for: print the answer */
	/* store the message for sessions that are not running */
	bool keep;
	size_t dropped; /* bytes removed before it was sent */
	int *codes;	/* the exit code of each session */
	/* The number of the message, of the last reply with one; or 0. */
	int64_t message;
};

/*
 * Sends request to each session of list (with broadcast(), or with keep by
 * send_offline_broadcast()) and prints the replies. Returns
 * the exit code of the first session, in the order of the names, whose code is
 * not 0. Blocks.
 */
int receipts_request(struct receipts *r, const struct session_list *list,
		     const struct request *rq, int64_t timeout_ms);

#endif
