/*
 * sent.h - what a client that has sent a message waits for: how far it came,
 * that it was taken, or the end of the turn that it began.
 *
 * One message at a time on a connection. Every wait ends: with the message,
 * with the turn, with a question in between (a script must not hang on what
 * only a person can answer), with the harness, or at the client's deadline.
 */
#ifndef AFW_SUPERVISOR_SENT_H
#define AFW_SUPERVISOR_SENT_H

#include "supervisor/send.h"

struct peer;
struct supervisor;

enum sent_until {
	SENT_TOLD,     /* the last receipt, or QUEUED */
	SENT_ACCEPTED, /* the last receipt */
	SENT_TURN,     /* and, where that is ACCEPTED, the turn's end */
};

struct sent {
	int64_t seq; /* of the request; 0: nobody waits */
	int64_t id;  /* the message */
	enum sent_until until;
	size_t dropped;
	int64_t deadline; /* monotonic ms; 0: none */
	int receipt;	  /* enum receipt so far, -1: none */
	char detail[SEND_DETAIL];
	bool now;    /* sent into a turn that may be under way */
	bool taken;  /* ACCEPTED: now it waits for the turn */
	bool worked; /* the turn was seen */
	int64_t taken_at;
	int64_t typed_at; /* wall ms: its answer is newer; 0: not typed yet */
	int64_t ended_at; /* the turn's end, while its answer is not known; 0 */
	bool failed, interrupted; /* how */
	bool settled; /* another message has gone: the verdict is its now */
};

/* "", "accepted" or "turn"; -1 for anything else. */
int sent_until_parse(const char *word, enum sent_until *out);

/* p waits as w says (copied) from now on. */
void sent_wait(struct peer *p, const struct sent *w);

/* Whether somebody waits for that message's receipt, or turn. */
bool sent_is_awaited(const struct supervisor *sv, int64_t id);

/* A receipt; for whoever waits for that message. */
void sent_receipt(struct supervisor *sv, int64_t id, enum receipt r, bool last,
		  const char *detail);

#endif
