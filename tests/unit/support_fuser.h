/* support_fuser.h - a fuser of signals for tests, which report signals to it;
 * its time is a number. */
#ifndef AFW_TESTS_SUPPORT_FUSER_H
#define AFW_TESTS_SUPPORT_FUSER_H

#include <stdint.h>

#include "activity/activity.h"

#define WORKING	  ACTIVITY_WORKING
#define THINKING  ACTIVITY_THINKING
#define WAITING	  ACTIVITY_WAITING_FOR_INPUT
#define COMPLETED ACTIVITY_COMPLETED
#define IDLE	  ACTIVITY_IDLE

/* fuser_hooked has hooks and reports nothing at its start; fuser_generic
 * reports nothing at all. */
extern const struct adapter fuser_hooked, fuser_generic;

/* A fixture: each test has one, of fuser_hooked. */
extern struct fuser {
	struct activity_fuser *a;
	struct verdict v; /* the latest */
	int64_t now;
} fuser;
int fuser_begin(void **state);
int fuser_end(void **state);

/* Replaces it by a new one; adapter is borrowed. */
void fuser_start(const struct adapter *adapter);

/* Source s reports activity a now. */
void fuser_say(enum source s, enum activity a);

/* Reports the end of a turn, as a harness does. */
void fuser_ends(enum source from);

/* Returns the verdict ms later, computed once. */
enum activity fuser_at(int64_t ms);

/* Lets time pass as the supervisor would: asking again after next_ms. */
enum activity fuser_after(int64_t ms);

#endif
