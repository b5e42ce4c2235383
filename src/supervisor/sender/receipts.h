/*
 * receipts.h - what a client that has sent a message waits for: how far it
 * came, that it was taken, or the end of the turn that it began.
 *
 * One message at a time on a connection. Every wait ends: with the message,
 * with the turn, with a question in between (a script must not hang on what
 * only a person can answer), with the harness, or at the client's deadline.
 */
#ifndef AFW_SUPERVISOR_SENDER_RECEIPTS_H
#define AFW_SUPERVISOR_SENDER_RECEIPTS_H

#include "supervisor/sender/sender.h"

struct peer;
struct supervisor;

enum awaited {
	AWAITED_RECEIPT,  /* the last one, or QUEUED */
	AWAITED_ACCEPTED, /* the last one */
	AWAITED_TURN,	  /* and, where that is ACCEPTED, the turn's end */
};

/* What a peer waits for. */
struct receipt_wait {
	int64_t seq; /* of the request; 0: nobody waits */
	int64_t id;  /* the message */
	enum awaited until;
	size_t dropped;
	int64_t deadline; /* monotonic ms; 0: none */
	int receipt;	  /* enum receipt so far, -1: none */
	char detail[SENDER_DETAIL];
	bool now;    /* sent into a turn that may be under way */
	bool taken;  /* ACCEPTED: now it waits for the turn */
	bool worked; /* the turn was seen */
	int64_t taken_at;
	int64_t typed_at; /* wall ms: its answer is newer; 0: not typed yet */
	int64_t ended_at; /* the turn's end, while its answer is not known; 0 */
	bool failed, interrupted; /* how */
	bool settled; /* another message has gone: the verdict is its now */
};

/* p waits as w says (copied) from now on. */
void receipts_wait(struct peer *p, const struct receipt_wait *w);

#endif
