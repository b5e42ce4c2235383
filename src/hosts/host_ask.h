/* host_ask.h - the sessions of other machines, once. */
#ifndef AFW_HOSTS_HOST_ASK_H
#define AFW_HOSTS_HOST_ASK_H

#include <stdint.h>

#include "hosts/host_feed.h"

#define HOST_ASK_MS 5000

/*
 * Asks all hosts at once and appends their sessions to l, except those whose id
 * l has already. Blocks until all have answered, HOST_ASK_MS at most. Then
 * calls silent for each that did not, with the reason; silent may be NULL.
 * Without hosts does nothing.
 */
void host_ask(const struct host_list *hosts, struct session_list *l,
	      void (*silent)(const struct host_state *state));

#endif
