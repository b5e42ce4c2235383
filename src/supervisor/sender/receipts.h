/*
 * receipts.h - lets a client wait for its message: for how far it came, for its
 * acceptance, or for the end of the turn that it began.
 *
 * A connection can wait for one message at a time. Every wait ends: with the
 * message, with the turn, with a question during the turn (a script must not
 * hang on what only a person can answer), with the harness, or at the client's
 * deadline.
 */
#ifndef AFW_SUPERVISOR_SENDER_RECEIPTS_H
#define AFW_SUPERVISOR_SENDER_RECEIPTS_H

#include "supervisor/sender/sender.h"

struct peer;
struct supervisor;

enum awaited {
	AWAITED_RECEIPT,  /* the final one, or QUEUED */
	AWAITED_ACCEPTED, /* the final one */
	AWAITED_TURN,	  /* the same; after ACCEPTED, the turn's end */
};

/* The wait of one peer. */
struct receipt_wait {
	int64_t seq; /* of the request */
	int64_t id;  /* the message's id */
	enum awaited until;
	size_t dropped;
	int64_t deadline; /* monotonic ms; 0: none */
	int receipt;	  /* enum receipt so far, -1: none */
	char detail[SENDER_DETAIL];
	bool now;    /* sent with --now: a turn may already have been running */
	bool taken;  /* accepted; the peer now waits for the turn */
	bool worked; /* the turn was seen */
	int64_t taken_at;
	int64_t typed_at; /* wall ms: the answer is newer; 0: not typed yet */
	int64_t ended_at; /* the turn's end, while its answer is unknown; 0 */
	bool failed, interrupted; /* how the turn ended */
	bool settled;		  /* the verdict is now about a later message */
};

/* Makes p wait as w (copied) says. */
void receipts_await(struct peer *p, const struct receipt_wait *w);

/* Reports it to the clients that wait; returns whether one waited for this
 * message. */
bool receipts_report(struct supervisor *sv, int64_t id, enum receipt r,
		     bool last, const char *detail);

#endif
