/*
 * support_fuser.h - a fuser of signals whose time is a number, and what the
 * tests have it told.
 */
#ifndef AFW_TESTS_SUPPORT_FUSER_H
#define AFW_TESTS_SUPPORT_FUSER_H

#include <stdint.h>

#include "supervisor/activity.h"

#define WORKING	  ACTIVITY_WORKING
#define THINKING  ACTIVITY_THINKING
#define WAITING	  ACTIVITY_WAITING_FOR_INPUT
#define COMPLETED ACTIVITY_COMPLETED
#define IDLE	  ACTIVITY_IDLE

/* One with hooks that is quiet at its start, and one that says nothing. */
extern const struct adapter fuser_hooked, fuser_generic;

struct fuser {
	struct activity_fuser *a; /* the test destroys it */
	struct verdict v;	  /* the latest */
	int64_t now;
};

/* adapter is borrowed. */
struct fuser fuser_new(const struct adapter *adapter);

/* s says now that it is a. */
void fuser_say(struct fuser *f, enum source s, enum activity a);

/* What a harness says of its turn's end. */
void fuser_ends(struct fuser *f, enum source from);

/* What it is ms later, asked once. */
enum activity fuser_at(struct fuser *f, int64_t ms);

/* Lets time pass as the supervisor would: asking again after next_ms. */
enum activity fuser_after(struct fuser *f, int64_t ms);

#endif
