/* interrupt.h - the interrupt whose keys are being pressed. */
#ifndef AFW_SUPERVISOR_SENDER_INTERRUPT_H
#define AFW_SUPERVISOR_SENDER_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/phase.h"

struct peer;

struct interrupt {
	int64_t due;	   /* the next key, monotonic ms; 0: there is none */
	size_t at;	   /* of adapter_interrupt() */
	struct peer *peer; /* the client that waits; NULL: it has gone */
	int64_t seq;	   /* of its request */
	/* What the screen showed before the first key; and a person has typed
	 * since. */
	bool question, typed;
	enum activity activity;
};

#endif
